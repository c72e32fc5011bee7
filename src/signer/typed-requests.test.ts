import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fromHexAddress } from '../chain/evm-values.ts';
import { keyOfAccount } from './keys/file-key.ts';
import type { SignerPolicy } from './policy-file.ts';
import { createSignerLog, openSignerLog, type SignerLog } from './signer-log.ts';
import { SigningService } from './signing-service.ts';

// What a caller who writes its own JSON can ask: everything but the two types, in exactly their
// form, is refused, and leaves no line in the log.

const account = privateKeyToAccount(`0x${'1'.repeat(64)}`);
const from = fromHexAddress(account.address);
const contract = `0x${'a1'.repeat(20)}`;
const payee = `0x${'b1'.repeat(20)}`;
const start = 1_800_000_000;
const policy: SignerPolicy = {
  listen: 'unix:/none',
  tokenFile: null,
  log: '',
  chainId: 1,
  keys: [],
  reward: { domain: { name: 'Router', contract }, perAccountAndHour: 3 },
  vault: { domain: { name: 'Vault', contract }, approvers: [], tokens: [] },
  transactions: { allowed: [], gasMax: '1', feePerGasMax: '1' },
};
const domain = { name: 'Router', version: '1', chainId: 1, verifyingContract: contract };
const message = { account: payee, value: '5', nonce: '0', deadline: String(start + 60) };
const request = { primaryType: 'RedeemReward', domain, message };

let folder: string;
let path: string;
let log: SignerLog;
let service: SigningService;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'openbourse-typed-'));
  path = join(folder, 'signer.log');
  createSignerLog(path, start);
  log = openSignerLog(path);
  const keys = new Map([[String(from), { role: 'reward' as const, key: keyOfAccount(account) }]]);
  service = new SigningService({ policy, log, keys, now: () => start });
});
afterEach(() => {
  log.close();
  rmSync(folder, { recursive: true });
});

const ask = (data: unknown, method = 'eth_signTypedData') => service.answer(method, [from, data]);

test('typed requests: exactly the type in the domain of the policy is signed', async () => {
  expect(await ask(request)).toMatch(/^0x[0-9a-f]{130}$/);
  expect(log.length).toBe(1);
});

test.each([
  ['a permit', { ...request, primaryType: 'Permit' }, 'type is not in the policy'],
  ['no type', { domain, message }, 'type is not in the policy'],
  ['one more field', { ...request, message: { ...message, to: payee } }, 'expected form'],
  ['a missing field', { ...request, message: { account: payee } }, 'expected form'],
  ['a number', { ...request, message: { ...message, value: 5 } }, 'expected form'],
  ['a negative amount', { ...request, message: { ...message, value: '-5' } }, 'expected form'],
  ['hex', { ...request, message: { ...message, value: '0x5' } }, 'expected form'],
  ['no address', { ...request, message: { ...message, account: 'b1' } }, 'expected form'],
  ['a salt', { ...request, domain: { ...domain, salt: `0x${'0'.repeat(64)}` } }, 'domain'],
  ['another version', { ...request, domain: { ...domain, version: '2' } }, 'domain'],
  ['no domain', { primaryType: 'RedeemReward', message }, 'expected form'],
  ['a release', { ...request, primaryType: 'VaultRelease' }, 'expected form'],
  ['text', 'x', 'expected form'],
])('typed requests: %s is refused', async (_, data, words) => {
  await expect(ask(data)).rejects.toThrow(words);
  expect(log.length).toBe(0);
});

test.each(['eth_sign', 'personal_sign', 'eth_sendTransaction', 'eth_signTypedData_v4', null])(
  'typed requests: the method %s is refused',
  async (method) => {
    await expect(service.answer(method, [from, request])).rejects.toThrow('method');
    expect(log.length).toBe(0);
  },
);

test.each([
  ['removed', () => rmSync(path)],
  ['cut', () => truncateSync(path, 10)],
  ['continued by another process', () => writeFileSync(path, 'x', { flag: 'a' })],
])('typed requests: with a log that was %s nothing is signed', async (_, harm) => {
  harm();
  await expect(ask(request)).rejects.toThrow('the log cannot be continued');
  expect(log.length).toBe(0);
});
