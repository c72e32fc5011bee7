import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectRoot } from '../../test/architecture/source-files.ts';
import {
  mainManifest,
  mainRoles,
  router,
  usdt,
  vault,
} from '../../test/support/chain/main-manifest.ts';
import { fromHexAddress } from '../chain/evm-values.ts';
import { createRemoteSigner } from '../chain/signers/remote-signer.ts';
import { openKeys } from './keys/open-keys.ts';
import type { SignerPolicy } from './policy-file.ts';
import { createSignerLog } from './signer-log.ts';

const digits = { settler: '1', reward: '2', vault: '3' } as const;
const addressOf = (digit: string) =>
  fromHexAddress(privateKeyToAccount(`0x${digit.repeat(64)}`).address);
const chainId = 42_161;
let folder: string;
let path: string;

const policy = () => ({
  listen: `unix:${join(folder, 'signer.sock')}`,
  tokenFile: null,
  log: 'signer.log',
  chainId,
  manifest: 'manifest.json',
  keys: Object.entries(digits).map(([role, digit]) => ({
    role,
    address: addressOf(digit),
    file: role,
  })),
  reward: { domain: { name: 'Router', contract: router }, perAccountAndHour: 3 },
  vault: {
    domain: { name: 'SpotVault', contract: vault },
    approvers: [addressOf('4'), addressOf('5')],
    tokens: [{ token: usdt, one: '100', account: '50', all: '200', approveFrom: '40' }],
  },
  transactions: { allowed: [], gasMax: '1000000', feePerGasMax: '1000' },
});

function writeManifest(): void {
  const roles = {
    ...mainRoles,
    settler: addressOf(digits.settler),
    rewardSigner: addressOf(digits.reward),
    vaultSigner: addressOf(digits.vault),
  };
  const limit = { I: '0.0001', W: '0.0002', D: 86_400, F: '1', H: '2' };
  const manifest = mainManifest({ chainId, roles }, { limit, R: '0.00004' });
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'openbourse-signer-process-'));
  path = join(folder, 'signer.json');
  writeFileSync(path, JSON.stringify(policy()));
  writeManifest();
  for (const [role, digit] of Object.entries(digits)) {
    writeFileSync(join(folder, role), digit.repeat(64), { mode: 0o600 });
  }
  createSignerLog(join(folder, 'signer.log'), 1);
});
afterEach(() => rmSync(folder, { recursive: true }));

function run(word: string) {
  const program = join(projectRoot, 'src/signer/main.ts');
  return spawn(process.execPath, ['--import', 'tsx', program, word, '--policy', path]);
}

async function outputOf(child: ReturnType<typeof run>) {
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  }
  const [code] = (await once(child, 'close')) as [number];
  return { code, output: Buffer.concat(chunks).toString() };
}

test('signer process: it signs, is killed, and its log verifies and is continued', async () => {
  const signer = createRemoteSigner({
    url: policy().listen,
    address: addressOf(digits.reward),
    token: null,
  });
  for (const signatures of [0, 1]) {
    const child = run('start');
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    expect(JSON.parse(line.toString())).toMatchObject({ signatures });
    const deadline = BigInt(Math.floor(Date.now() / 1_000) + 3_600);
    const domain = { name: 'Router', chainId, verifyingContract: router };
    await signer.signReward(domain, { account: usdt, value: 1n, nonce: 0n, deadline });
    const isOver = once(child, 'exit');
    child.kill('SIGKILL');
    await isOver;
  }
  const log = join(folder, 'signer.log');
  expect(await outputOf(run('verify'))).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^2 signatures, head [0-9a-f]{64}\n$/) as string,
  });
  writeFileSync(log, readFileSync(log, 'utf8').replace('reward', 'Reward'));
  expect((await outputOf(run('verify'))).code).toBe(1);
});

test('signer process: it does not start above its manifest, or with a key that others can read', async () => {
  writeFileSync(path, JSON.stringify({ ...policy(), manifest: undefined }));
  expect(await outputOf(run('start'))).toMatchObject({
    code: 1,
    output: expect.stringContaining('must name its manifest') as string,
  });
  chmodSync(join(folder, 'vault'), 0o640);
  const keys = policy().keys as SignerPolicy['keys'];
  await expect(openKeys(keys, (each) => join(folder, each))).rejects.toThrow(
    'is open to other users',
  );
});
