import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Hex, recoverTypedDataAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeploymentManifest } from '../config/deployment-manifest.ts';
import {
  amountByManifest,
  type ListedReview,
  signApproval,
  typedDataOf,
  walletJson,
} from './approval.ts';

const token = `0x${'a3'.repeat(20)}`;
const otherToken = `0x${'a4'.repeat(20)}`;
const vault = `0x${'a2'.repeat(20)}`;
const key: Hex = `0x${'4'.repeat(64)}`;
const approver = privateKeyToAccount(key).address;
const expires = 1_900_000_000;

const review: ListedReview = {
  id: '6f1c3c3e-7a2b-4f0e-9a53-2c1d8f1f0b11',
  status: 'review',
  wallet: 'spot',
  reasons: ['large_amount'],
  account: `0x${'b1'.repeat(20)}`,
  token: 'USDT',
  amount: '25000',
  token_address: token,
  raw_amount: '25000000000',
  contract_address: vault,
  chain_id: 42_161,
  domain_name: 'SpotVault',
};

const manifest = {
  chainId: 42_161,
  contracts: { spotVault: { address: vault } },
  assets: [
    { symbol: 'USDT', address: token, decimals: 6 },
    { symbol: 'DF', address: otherToken, decimals: 18 },
  ],
} as unknown as DeploymentManifest;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'openbourse-approve-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test("approve: the amount is computed from the approver's own manifest, whatever the service says", () => {
  expect(amountByManifest({ ...review, amount: '1' }, manifest)).toBe('25000 USDT');
});

test.each([
  [{ chain_id: 1 }, 'the withdrawal is for chain 1, the manifest for 42161'],
  [{ contract_address: token }, `the vault is ${token}, the manifest has ${vault}`],
  [{ token_address: vault }, `the manifest does not name the token ${vault}`],
  [{ token_address: otherToken }, 'the token is USDT, in the manifest DF'],
])('approve: %o is refused', (change, words) => {
  expect(() => amountByManifest({ ...review, ...change }, manifest)).toThrow(words);
});

test('approve: the approver signs exactly ApproveRelease, and a wallet is asked for the same', async () => {
  const file = join(folder, 'key');
  writeFileSync(file, `${key}\n`);
  const { signature, ...rest } = await signApproval(review, expires, file);
  expect(rest).toEqual({ expires });
  const ours = { ...typedDataOf(review, expires), signature: signature as Hex };
  expect(await recoverTypedDataAddress(ours)).toBe(approver);
  const shown = JSON.parse(walletJson(review, expires)) as Record<string, unknown>;
  expect(shown['message']).toEqual({
    id: review.id,
    account: review.account,
    token,
    value: '25000000000',
    expires: String(expires),
  });
  const theirs = { ...shown, signature: signature as Hex } as never;
  expect(await recoverTypedDataAddress(theirs)).toBe(approver);
});

test('approve: an approver cannot sign for their own withdrawal, nor with a file that contains no key', async () => {
  const file = join(folder, 'key');
  writeFileSync(file, key);
  const own = { ...review, account: approver.toLowerCase() };
  await expect(signApproval(own, expires, file)).rejects.toThrow('own wallet');
  writeFileSync(file, 'secret words');
  const signing = signApproval(review, expires, file);
  await expect(signing).rejects.toThrow(`${file} does not contain a key`);
  await expect(signing).rejects.not.toThrow('secret words');
});
