import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import type { Address } from '../../domain/identifiers.ts';
import { DatabaseApiKeyStore } from './api-key-store.ts';
import { rewrapSecrets } from './rewrap-secrets.ts';
import { SecretBox } from './secret-box.ts';

const first = new SecretBox('11'.repeat(32));
const second = new SecretBox('22'.repeat(32));
const address = `0x${'ab'.repeat(20)}` as Address;
let opened: Awaited<ReturnType<typeof openTestDatabase>>;

beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.close());

function storeUnder(box: SecretBox): DatabaseApiKeyStore {
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  return new DatabaseApiKeyStore(opened.database.accounts, box, log);
}

function keyNumber(number: number) {
  return {
    apiKey: `key-${number}`.padEnd(64, 'k'),
    apiSecret: `secret-${number}`,
    address,
    label: 'bot',
    ipWhitelist: [],
    isEnabled: true,
    createdAt: new Date(0),
    permissions: ['read', 'trade'] as const,
  };
}

test('rewrap: every secret opens under the later key alone, and a second run changes nothing', async () => {
  const before = storeUnder(first);
  for (const number of [1, 2, 3]) await before.create(keyNumber(number));
  const boxes = { from: first, to: second };
  const { accounts } = opened.database;
  expect(await rewrapSecrets(accounts, boxes)).toEqual({ rewrapped: 3, unchanged: 0 });
  const { apiKey, apiSecret } = keyNumber(2);
  const found = await storeUnder(second).findCredential(apiKey);
  expect(found?.apiSecret).toBe(apiSecret);
  await expect(storeUnder(first).findCredential(apiKey)).rejects.toThrow('cannot be decrypted');
  expect(await rewrapSecrets(accounts, boxes)).toEqual({ rewrapped: 0, unchanged: 3 });
});

test('rewrap: where one secret opens under neither key, none is changed', async () => {
  await storeUnder(new SecretBox('33'.repeat(32))).create(keyNumber(4));
  await storeUnder(first).create(keyNumber(5));
  const { accounts } = opened.database;
  await expect(rewrapSecrets(accounts, { from: first, to: second })).rejects.toThrow(
    'cannot be decrypted',
  );
  const { apiKey, apiSecret } = keyNumber(5);
  expect((await storeUnder(first).findCredential(apiKey))?.apiSecret).toBe(apiSecret);
});

test('api keys: concurrent first uses all find the key', async () => {
  const credential = keyNumber(6);
  await storeUnder(second).create(credential);
  const store = storeUnder(second);
  const uses = Array.from({ length: 5 }, () => store.findCredential(credential.apiKey));
  const found = await Promise.all(uses);
  expect(found.map((each) => each?.apiSecret)).toEqual(Array(5).fill(credential.apiSecret));
});
