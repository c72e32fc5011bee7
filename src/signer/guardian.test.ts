import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Hex, numberToHex, parseTransaction, toFunctionSelector } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fromHexAddress } from '../chain/evm-values.ts';
import { keyOfAccount } from './keys/file-key.ts';
import type { SignerPolicy } from './policy-file.ts';
import { createSignerLog, openSignerLog, type SignerLog } from './signer-log.ts';
import { SigningService } from './signing-service.ts';

const account = (digit: string) => privateKeyToAccount(`0x${digit.repeat(64)}`);
const addressOf = (digit: string) => fromHexAddress(account(digit).address);
const contract = (digit: string): Hex => `0x${digit.repeat(40)}`;
const [vault, router, stranger] = ['a', 'b', 'c'].map(contract) as [Hex, Hex, Hex];
const [guardian, settler] = ['7', '1'];
const pause = toFunctionSelector('pause()');
const settle = toFunctionSelector('batchSettleRewards(address[],uint256[])');
const start = 1_800_000_000;

const usualPolicy: SignerPolicy = {
  listen: 'unix:/none',
  tokenFile: null,
  log: '',
  chainId: 1,
  keys: [],
  reward: { domain: { name: 'Router', contract: router }, perAccountAndHour: 3 },
  vault: { domain: { name: 'Vault', contract: vault }, approvers: [], tokens: [] },
  transactions: {
    allowed: [{ to: router, selectors: [settle] }],
    gasMax: '1000000',
    feePerGasMax: '1000',
  },
  guardian: { contracts: [router, vault] },
};

let folder: string;
let log: SignerLog;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'openbourse-guardian-'));
  createSignerLog(join(folder, 'signer.log'), start);
  log = openSignerLog(join(folder, 'signer.log'));
});
afterEach(() => {
  log.close();
  rmSync(folder, { recursive: true });
});

function serviceOf(policy: SignerPolicy): SigningService {
  const keys = new Map(
    (
      [
        [guardian, 'guardian'],
        [settler, 'settler'],
      ] as const
    ).map(([digit = '', role]) => [
      addressOf(digit) as string,
      { role, key: keyOfAccount(account(digit)) },
    ]),
  );
  return new SigningService({ policy, log, keys, now: () => start });
}

interface Draft {
  readonly from?: string;
  readonly to?: Hex;
  readonly data?: Hex;
  readonly nonce?: number;
  readonly gas?: number;
  readonly maxFeePerGas?: number;
}

async function send(draft: Draft, policy = usualPolicy): Promise<unknown> {
  const { from = addressOf(guardian ?? ''), to = vault, data = pause } = draft;
  const { nonce = 4, gas = 100_000, maxFeePerGas = 1_000 } = draft;
  const numbers = { nonce, gas, maxFeePerGas, maxPriorityFeePerGas: 1, chainId: 1, value: 0 };
  const hex = Object.entries(numbers).map(([name, value]) => [name, numberToHex(value)] as const);
  const request = { from, to, data, ...(Object.fromEntries(hex) as Record<string, Hex>) };
  return serviceOf(policy).answer('eth_signTransaction', [request]);
}

test('guardian policy: it pauses the contracts of its list, and each signature is logged', async () => {
  for (const [nonce, to] of [vault, router].entries()) {
    const bytes = (await send({ to, nonce })) as Hex;
    expect(parseTransaction(bytes as `0x02${string}`)).toMatchObject({ to, data: pause });
  }
  expect(log.entries).toMatchObject([
    { kind: 'transaction', nonce: 0 },
    { kind: 'transaction', nonce: 1 },
  ]);
});

const refusals: readonly (readonly [string, Draft, string])[] = [
  ['a contract that is not in the list', { to: stranger }, 'not in the policy'],
  ['unpause', { data: toFunctionSelector('unpause()') }, 'not in the policy'],
  ['more than the call', { data: `${pause}00` }, 'not in the policy'],
  ["the settler's calls", { to: router, data: settle }, 'not in the policy'],
  ['more gas', { gas: 1_000_001 }, 'above the gas cap'],
  ['a higher fee', { maxFeePerGas: 1_001 }, 'above the fee cap'],
  ['a pause by the settler', { from: addressOf(settler ?? '') }, 'not in the policy'],
];
test.each(refusals)('guardian policy: %s is refused', async (_, draft, words) => {
  await expect(send(draft)).rejects.toThrow(words);
  expect(log.length).toBe(0);
});

test('guardian policy: without a list nothing is paused', async () => {
  const policy = { ...usualPolicy };
  delete policy.guardian;
  await expect(send({}, policy)).rejects.toThrow('not in the policy');
});
