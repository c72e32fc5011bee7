import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSignerLog, openSignerLog, verifySignerLog } from './signer-log.ts';

const entry = { kind: 'reward', at: 1, account: '0x01', digest: '0x02' } as const;

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'openbourse-signer-log-'));
  path = join(folder, 'signer.log');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('fault 18: a signer whose log is lost or emptied signs nothing until operators begin a new one', () => {
  expect(() => openSignerLog(path)).toThrow('there is no log');
  createSignerLog(path, 1);
  const log = openSignerLog(path);
  log.append(entry);
  log.close();
  writeFileSync(path, '');
  expect(() => openSignerLog(path)).toThrow('there is no log');
  rmSync(path);
  expect(() => openSignerLog(path)).toThrow('there is no log');
  createSignerLog(path, 2);
  const second = openSignerLog(path);
  expect(second.length).toBe(0);
  second.close();
});

test('an existing log is never replaced', () => {
  createSignerLog(path, 1);
  const text = readFileSync(path, 'utf8');
  expect(() => createSignerLog(path, 2)).toThrow('EEXIST');
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test('two concatenated logs do not verify', () => {
  createSignerLog(path, 1);
  const first = readFileSync(path, 'utf8');
  writeFileSync(path, `${first}${first}`);
  expect(() => verifySignerLog(path)).toThrow('line 2 does not follow');
});

test('a line that was cut off is named, and once people have removed it the log continues', () => {
  createSignerLog(path, 1);
  const log = openSignerLog(path);
  log.append(entry);
  const whole = readFileSync(path, 'utf8');
  log.append({ ...entry, at: 2 });
  log.close();
  writeFileSync(path, readFileSync(path, 'utf8').slice(0, -3));
  expect(() => openSignerLog(path)).toThrow(`${path}: the last line is cut off`);
  writeFileSync(path, whole);
  const mended = openSignerLog(path);
  expect(mended.entries).toEqual([entry]);
  mended.append({ ...entry, at: 3 });
  mended.close();
  expect(verifySignerLog(path).entries).toHaveLength(2);
});
