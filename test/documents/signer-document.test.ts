import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { toFunctionSelector } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadPolicy } from '../../src/signer/policy-file.ts';
import { projectRoot } from '../architecture/source-files.ts';
import {
  addressOf,
  mainManifest,
  mainRoles,
  register,
  router,
  usdt,
  vault,
} from '../support/chain/main-manifest.ts';
import { readBlocks } from '../support/document-blocks.ts';

// The policy of docs/security.md, with addresses for its 0x..., and the commands there that prepare
// and check a signer.

const text = readFileSync(join(projectRoot, 'docs/security.md'), 'utf8');
const roles = ['settler', 'reward', 'vault', 'guardian'] as const;
const digits = (seed: number) => String(seed).repeat(64);
const ofKey = (seed: number) => privateKeyToAccount(`0x${digits(seed)}`).address.toLowerCase();
const settle = toFunctionSelector('batchSettleRewards(address[],uint256[])');
/** The replacement of each 0x... in the example, in order. */
const values = [
  ...roles.map((_, index) => ofKey(index + 1)),
  router,
  vault,
  addressOf('c1'),
  addressOf('c2'),
  usdt,
  router,
  settle,
  router,
  register,
  vault,
];

let folder: string;
let policyPath: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'openbourse-signer-document-'));
  policyPath = join(folder, 'signer.json');
  const [example] = readBlocks('docs/security.md').filter(({ language }) => language === 'json');
  let place = 0;
  const filled = (example?.text ?? '').replaceAll('0x...', () => values[place++] ?? 'too many');
  expect(place).toBe(values.length);
  // A folder that a test may write to, instead of the one for sockets.
  writeFileSync(policyPath, filled.replace('/run/openbourse', folder));
  for (const [index, role] of roles.entries()) {
    writeFileSync(join(folder, `${role}.key`), digits(index + 1), { mode: 0o600 });
  }
  const { manifest = '' } = loadPolicy(policyPath);
  mkdirSync(dirname(join(folder, manifest)));
  writeFileSync(join(folder, manifest), JSON.stringify(manifestOfExample()));
});
afterAll(() => rmSync(folder, { recursive: true }));

function manifestOfExample() {
  const [settler, rewardSigner, vaultSigner, guardian] = [1, 2, 3, 4].map(ofKey);
  return mainManifest({
    roles: { ...mainRoles, settler, rewardSigner, vaultSigner, guardian } as typeof mainRoles,
  });
}

/** The command of the document, with the arguments after `npm run signer --`. */
function run(words: string) {
  expect(text).toContain(`\`npm run signer -- ${words}\``);
  const program = [join(projectRoot, 'tools/run.mjs'), 'signer/main', ...words.split(' ')];
  return spawn(process.execPath, program, { cwd: folder });
}

async function outputOf(child: ReturnType<typeof run>): Promise<string> {
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'close');
  return Buffer.concat(chunks).toString();
}

test('security.md: with the policy of the document a signer is prepared, checked and started', async () => {
  expect(await outputOf(run('create-log --policy signer.json'))).toBe(
    `${join(folder, 'signer.log')}\n`,
  );
  expect(await outputOf(run('verify --policy signer.json'))).toMatch(
    /^0 signatures, head [0-9a-f]{64}\n$/,
  );
  const signer = run('--policy signer.json');
  const [line] = (await once(signer.stdout, 'data')) as [Buffer];
  expect(JSON.parse(line.toString())).toMatchObject({
    listening: `unix:${join(folder, 'signer.sock')}`,
    addresses: roles.map((_, index) => ofKey(index + 1)),
  });
  const isOver = once(signer, 'exit');
  signer.kill('SIGTERM');
  expect(await isOver).toEqual([0, null]);
});

test('security.md: each of its places for a key is one that a policy accepts', () => {
  const shown = [...text.matchAll(/`(\{ "role": .+\} \})`/g)].map(([, json = '']) => json);
  expect(shown).toHaveLength(2);
  const policy = JSON.parse(readFileSync(policyPath, 'utf8')) as object;
  for (const json of shown) {
    const key = JSON.parse(json.replace('0x...', ofKey(1))) as object;
    const path = join(folder, 'other.json');
    writeFileSync(path, JSON.stringify({ ...policy, keys: [key] }));
    expect(loadPolicy(path).keys).toEqual([key]);
  }
});
