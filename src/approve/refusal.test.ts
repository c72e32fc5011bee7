import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Hex, recoverMessageAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListedReview } from './approval.ts';
import { refusalBody, signRefusal, textOf } from './refusal.ts';

const key: Hex = `0x${'4'.repeat(64)}`;
const approver = privateKeyToAccount(key).address;
const reason = 'the owner did not ask for it';
const review = {
  id: '6f1c3c3e-7a2b-4f0e-9a53-2c1d8f1f0b11',
  account: `0x${'b1'.repeat(20)}`,
  chain_id: 42_161,
} as ListedReview;

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'openbourse-refuse-'));
  file = join(folder, 'key');
  writeFileSync(file, key);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('approve --refuse: the text names the withdrawal, the chain and the reason, and is what is signed', async () => {
  const message = textOf(review, reason);
  expect(message).toBe(`openbourse: refuse withdrawal ${review.id} on chain 42161
Reason: ${reason}`);
  const given = await signRefusal(review, reason, file);
  expect(given.reason).toBe(reason);
  const signature = given.signature as Hex;
  expect(await recoverMessageAddress({ message, signature })).toBe(approver);
  expect(refusalBody([given, given])).toEqual({ reason, approvals: [signature, signature] });
});

test('approve --refuse: an approver cannot refuse their own withdrawal, and two people sign one reason', async () => {
  const own = { ...review, account: approver.toLowerCase() };
  await expect(signRefusal(own, reason, file)).rejects.toThrow('own wallet');
  const given = await signRefusal(review, reason, file);
  expect(() => refusalBody([given, { ...given, reason: 'another' }])).toThrow('different reasons');
});
