import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../test/architecture/source-files.ts';

// `npm run approve` with files that are not what they should be: it names them, and shows nothing of
// an approver's key.

const id = '6f1c3c3e-7a2b-4f0e-9a53-2c1d8f1f0b11';
const key = 'ab3'.repeat(21).padEnd(64, 'c');

let folder: string;
let keyFile: string;
let reviewFile: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'openbourse-approve-'));
  keyFile = join(folder, 'alice.key');
  writeFileSync(keyFile, key);
  reviewFile = join(folder, 'review.json');
  writeFileSync(reviewFile, JSON.stringify({ id, status: 'review', reasons: [] }));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function approve(...words: readonly string[]) {
  const program = [join(projectRoot, 'tools/run.mjs'), 'approve/main', id, ...words];
  const child = spawn(process.execPath, program, { env: { PATH: process.env['PATH'] } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  }
  const [code] = (await once(child, 'close')) as [number];
  expect(text).not.toContain(key.slice(0, 5));
  return { code, text };
}

test('approve: a key in place of a review, an approval or a manifest is not shown', async () => {
  for (const option of ['--review', '--send']) {
    expect(await approve(option, keyFile)).toEqual({
      code: 1,
      text: `approve: ${keyFile} is not JSON\n`,
    });
  }
  expect(await approve('--review', reviewFile, '--deployment', keyFile)).toEqual({
    code: 1,
    text: `approve: ${keyFile}: is not JSON\n`,
  });
});

test('approve: a file without a key, another withdrawal, and a missing administrator key are named', async () => {
  expect(await approve('--review', reviewFile, '--refuse', 'no', '--key-file', reviewFile)).toEqual(
    {
      code: 1,
      text: expect.stringMatching(/\napprove: .*review\.json does not contain a key\n$/) as string,
    },
  );
  const other = join(folder, 'other.json');
  writeFileSync(other, JSON.stringify({ id: 'other', status: 'review', reasons: [] }));
  expect(await approve('--review', other)).toEqual({
    code: 1,
    text: `approve: withdrawal ${id} is not in review\n`,
  });
  expect(await approve()).toEqual({ code: 1, text: 'approve: ADMIN_API_KEY is not set\n' });
});
