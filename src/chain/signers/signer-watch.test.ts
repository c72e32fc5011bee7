import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Hex, toFunctionSelector } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MemoryHaltStore } from '../../../test/support/chain/memory-halt-store.ts';
import type { SignerHead } from '../../application/ports/signer-log.ts';
import type { Address } from '../../domain/identifiers.ts';
import { keyOfAccount } from '../../signer/keys/file-key.ts';
import type { SignerPolicy } from '../../signer/policy-file.ts';
import { createSignerLog, openSignerLog, type SignerLog } from '../../signer/signer-log.ts';
import { startSignerServer } from '../../signer/signer-server.ts';
import { SigningService } from '../../signer/signing-service.ts';
import { fromHexAddress } from '../evm-values.ts';
import type { ChainSigner, ChainSigners } from './chain-signer.ts';
import { createLocalSigner } from './local-signer.ts';
import { createRemoteSigner } from './remote-signer.ts';
import { SignerWatch } from './signer-watch.ts';

const key: Hex = `0x${'2'.repeat(64)}`;
const address = fromHexAddress(privateKeyToAccount(key).address);
const router = `0x${'a1'.repeat(20)}` as Address;
const account = `0x${'b1'.repeat(20)}` as Address;
const domain = { name: 'ReferralRewardRouter', chainId: 1, verifyingContract: router };
const seconds = 1_800_000_000;

let folder: string;
let server: Server;
let log: SignerLog;
let halts: MemoryHaltStore;
let noted: Map<number, SignerHead>;
let watch: SignerWatch;
let nowMs: number;
let signer: ChainSigner;

const socket = () => `unix:${join(folder, 'signer.sock')}`;
const logPath = () => join(folder, 'signer.log');

function policy(): SignerPolicy {
  return {
    listen: socket(),
    tokenFile: null,
    log: logPath(),
    chainId: 1,
    keys: [{ role: 'reward', address, file: 'reward' }],
    reward: { domain: { name: domain.name, contract: router }, perAccountAndHour: 3 },
    vault: { domain: { name: 'SpotVault', contract: router }, approvers: [], tokens: [] },
    transactions: {
      allowed: [{ to: router, selectors: [toFunctionSelector('batchSettleRewards()')] }],
      gasMax: '1000000',
      feePerGasMax: '1000',
    },
  };
}

async function startSigner(): Promise<void> {
  log = openSignerLog(logPath());
  const keys = new Map([
    [String(address), { role: 'reward' as const, key: keyOfAccount(privateKeyToAccount(key)) }],
  ]);
  const service = new SigningService({ policy: policy(), log, keys, now: () => seconds });
  server = await startSignerServer(service, { listen: socket(), token: null });
}

async function stopSigner(): Promise<void> {
  await new Promise((done) => {
    server.close(done);
    server.closeAllConnections();
  });
  log.close();
}

/** The log is lost, and someone begins another one. */
async function replaceLog(): Promise<void> {
  await stopSigner();
  rmSync(logPath());
  createSignerLog(logPath(), seconds + 1);
  await startSigner();
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'openbourse-watch-'));
  createSignerLog(logPath(), seconds);
  await startSigner();
  halts = new MemoryHaltStore();
  noted = new Map();
  nowMs = 0;
  watch = new SignerWatch({
    heads: {
      note: async () => undefined,
      findLast: async () => noted.get(Math.max(...noted.keys())) ?? null,
    },
    raise: async (halt) => {
      await halts.raise(halt, 'service');
    },
    now: () => nowMs,
  });
  const noteHead = async (head: SignerHead) => {
    noted.set(head.signatures, head);
  };
  signer = watch.watch(
    createRemoteSigner({ url: socket(), address, token: null, noteHead }),
    'reward',
  );
});
afterEach(async () => {
  await stopSigner();
  rmSync(folder, { recursive: true });
});

const all = (): ChainSigners => ({ settler: signer, reward: signer, vault: signer });
const sign = (each = signer) =>
  each.signReward(domain, {
    account,
    value: 5n,
    nonce: 0n,
    deadline: BigInt(seconds + 3_600),
  });

async function check(): Promise<readonly string[]> {
  nowMs += 60_000;
  await watch.check(all());
  return (await halts.listOpen()).map(({ kind, detail }) => `${kind}: ${detail}`);
}

test('signer watch: the head of the log is stored with each signature, and agrees', async () => {
  expect(await check()).toEqual([]);
  await sign();
  await sign();
  expect([...noted.values()]).toEqual([
    { head: log.headAt(1), signatures: 1 },
    { head: log.headAt(2), signatures: 2 },
  ]);
  expect(log.headAt(2)).toBe(log.head);
  expect(log.headAt(3)).toBeNull();
  // What another process has signed in the meantime changes nothing.
  log.append({ kind: 'reward', at: seconds, account, digest: '0x00' });
  expect(await check()).toEqual([]);
  await stopSigner();
  await startSigner();
  expect(await check()).toEqual([]);
});

test('fault 18: a signer that shows a different log from before halts signing', async () => {
  await sign();
  await replaceLog();
  const fewer = `signer_log_differs: the log of the signer ${address} has fewer than the 1 signatures`;
  expect(await check()).toEqual([expect.stringContaining(fewer)]);
  await halts.clear('1');
  log.append({ kind: 'reward', at: seconds, account, digest: '0x00' });
  expect(await check()).toEqual([expect.stringContaining('another line at its signature 1')]);
});

test('signer watch: logs are compared once a minute', async () => {
  await sign();
  expect(await check()).toEqual([]);
  await replaceLog();
  await watch.check(all());
  expect(await halts.listOpen()).toEqual([]);
});

test('fault 18: a wrong signature is refused here, counted, and halts signing', async () => {
  const other = createLocalSigner(`0x${'3'.repeat(64)}`);
  const wrong = await other.signReward(domain, { account, value: 5n, nonce: 0n, deadline: 1n });
  const liar = createServer((request, response) => {
    request.resume().on('end', () => response.end(JSON.stringify({ result: wrong })));
  });
  await new Promise<void>((done) => liar.listen(join(folder, 'liar.sock'), done));
  const url = `unix:${join(folder, 'liar.sock')}`;
  const watched = watch.watch(createRemoteSigner({ url, address, token: null }), 'reward');
  await expect(sign(watched)).rejects.toThrow('the signature is by 0x');
  expect(watch.refusals).toEqual([['wrong signature', 1]]);
  expect(await halts.listOpen()).toMatchObject([
    { kind: 'wrong_signature', detail: expect.stringContaining('the reward signer: ') as string },
  ]);
  // A signer that keeps no log has no head to compare.
  noted.set(1, { head: 'ab', signatures: 1 });
  nowMs += 60_000;
  await watch.check({ settler: watched, reward: watched, vault: watched });
  expect((await halts.listOpen()).length).toBe(1);
  await new Promise((done) => liar.close(done));
});

test('signer watch: refusals are counted by reason; a refused transaction halts signing', async () => {
  for (let count = 0; count < 3; count += 1) await sign();
  await expect(sign()).rejects.toThrow('too many for this account');
  await expect(sign()).rejects.toThrow('too many for this account');
  expect(watch.refusals).toEqual([['too many for this account', 2]]);
  expect(await halts.listOpen()).toEqual([]);
  const draft = { nonce: 0, to: account, data: '0x', gasLimit: 1n, maxFeePerGas: 1n } as const;
  const sending = signer.signTransaction(1, { ...draft, maxPriorityFeePerGas: 1n });
  await expect(sending).rejects.toThrow('the address is not the settler signer');
  expect(await halts.listOpen()).toMatchObject([
    {
      kind: 'signer_refused',
      detail: 'the reward signer refuses a transaction: the address is not the settler signer',
    },
  ]);
});

test('signer watch: an unreachable signer does not halt signing', async () => {
  await sign();
  await stopSigner();
  await expect(sign()).rejects.toThrow('cannot be reached');
  expect(await check()).toEqual([]);
  expect(watch.refusals).toEqual([]);
  await startSigner();
});
