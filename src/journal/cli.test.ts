import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Address } from '../domain/identifiers.ts';
import { engineFactory } from '../engine/engine.ts';
import { openSequencer } from '../sequencer/sequencer.ts';

const folder = mkdtempSync(join(tmpdir(), 'openbourse-journal-cli-'));
const address = `0x${'1'.repeat(40)}` as Address;
const segment = join(folder, '00000001.segment');

function journal(...words: readonly string[]) {
  const cli = new URL('./cli.ts', import.meta.url).pathname;
  const run = spawnSync(process.execPath, ['--import', 'tsx', cli, ...words], { encoding: 'utf8' });
  return { code: run.status, out: run.stdout, error: run.stderr };
}

function open() {
  return openSequencer({
    directory: folder,
    machines: engineFactory,
    clock: { now: () => 1_700_000_000_000 },
    logger: pino({ level: 'silent' }),
    onFatal: (error) => {
      throw error;
    },
  });
}

beforeAll(async () => {
  const sequencer = open();
  await sequencer.start();
  await sequencer.submit({ type: 'openAccount', address });
  await sequencer.submit({ type: 'openAccount', address: `0x${'2'.repeat(40)}` as Address });
  await sequencer.stop();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('journal print: each record is one line of JSON', () => {
  const { code, out } = journal('print', folder);
  const records = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(code).toBe(0);
  expect(records).toHaveLength(2);
  expect(records[0]).toEqual({
    sequence: 1,
    timestamp: 1_700_000_000_000,
    command: { type: 'openAccount', address },
  });
});

test('journal verify: a sound journal reproduces its snapshots', () => {
  const { code, out } = journal('verify', folder);
  expect(out).toContain('records    1 to 2, in 2 segments');
  expect(out).toContain('snapshots  1, 1 of them reached again by replay');
  expect(out.trim().endsWith('sound')).toBe(true);
  expect(code).toBe(0);
});

test('journal verify: a flipped bit is named with file and offset, and nothing is changed', () => {
  const sound = readFileSync(segment);
  const damaged = Buffer.from(sound);
  damaged[512 + 30]! ^= 1;
  writeFileSync(segment, damaged);
  const { code, error } = journal('verify', folder);
  expect(error).toContain(`journal damaged: ${segment} at offset 512:`);
  expect(code).toBe(1);
  expect(readFileSync(segment).equals(damaged)).toBe(true);
  writeFileSync(segment, sound);
});

test('journal: a journal in use is not touched', async () => {
  const sequencer = open();
  await sequencer.start();
  const { code, error } = journal('verify', folder);
  await sequencer.stop();
  expect(error).toContain('in use by another process');
  expect(code).toBe(1);
});
