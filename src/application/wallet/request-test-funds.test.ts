import { beforeEach, expect, test } from 'vitest';
import {
  alice,
  bob,
  exampleSpotMarket,
  ScriptedExchange,
} from '../../../test/support/scripted-exchange.ts';
import { requireAmount } from '../../domain/amount.ts';
import { DatabaseError } from '../ports/database.ts';
import { FaucetWindow } from './faucet-window.ts';
import { type FaucetPorts, requestTestFunds } from './request-test-funds.ts';

let exchange: ScriptedExchange;
let ports: FaucetPorts;
let nowMs: number;
let isDatabaseUp: boolean;

beforeEach(() => {
  exchange = new ScriptedExchange();
  exchange.scripted.markets.push(exampleSpotMarket());
  nowMs = 5000;
  isDatabaseUp = true;
  ports = {
    exchange,
    barrier: { waitFor: async () => undefined },
    database: { isReachable: async () => isDatabaseUp },
    log: { warn: () => undefined },
    areTestCreditsEnabled: true,
    faucetWindow: new FaucetWindow(),
    monotonicMs: () => nowMs,
  };
});

const draw = (amount: string, token = 'USDT', address = alice) =>
  requestTestFunds(ports, { address, token, amount: requireAmount(amount) });

test('requestTestFunds: credits the amount, with the faucet as its source', async () => {
  expect(await draw('100000')).toEqual({ kind: 'done', value: null });
  expect(exchange.submitted).toEqual([
    {
      type: 'creditBalance',
      address: alice,
      token: 'USDT',
      amount: 10_000_000_000_000n,
      actor: 'faucet',
      reason: null,
      reference: null,
    },
  ]);
});

test('requestTestFunds: more than 100000 is refused with the limit', async () => {
  expect(await draw('100000.00000001')).toEqual({
    kind: 'refused',
    rejection: { reason: 'parameter_invalid', detail: 'amount: at most 100000' },
  });
});

test('requestTestFunds: zero and negative amounts are refused', async () => {
  const refusal = { kind: 'refused', rejection: { reason: 'amount_not_positive' } };
  expect(await draw('0')).toEqual(refusal);
  expect(await draw('-1')).toEqual(refusal);
});

test('requestTestFunds: a token that no market trades is refused', async () => {
  expect(await draw('1', 'DOGE')).toEqual({
    kind: 'refused',
    rejection: { reason: 'parameter_invalid', detail: 'token: not traded in any spot market' },
  });
});

test('requestTestFunds: once a minute per token and user', async () => {
  await draw('1');
  nowMs += 59_999;
  expect(await draw('1')).toEqual({
    kind: 'refused',
    rejection: { reason: 'too_soon', retryAfterMs: 1 },
  });
  expect(await draw('1', 'BTC')).toMatchObject({ kind: 'done' });
  expect(await draw('1', 'USDT', bob)).toMatchObject({ kind: 'done' });
  nowMs += 1;
  expect(await draw('1')).toMatchObject({ kind: 'done' });
});

test('requestTestFunds: a request that failed because of the database can be repeated at once', async () => {
  isDatabaseUp = false;
  await expect(draw('1')).rejects.toThrow(DatabaseError);
  expect(exchange.submitted).toEqual([]);
  isDatabaseUp = true;
  expect(await draw('1')).toMatchObject({ kind: 'done' });
});

test('requestTestFunds: disabled where test credits are disabled', async () => {
  ports = { ...ports, areTestCreditsEnabled: false };
  expect(await draw('1')).toEqual({
    kind: 'refused',
    rejection: { reason: 'test_credits_disabled' },
  });
});
