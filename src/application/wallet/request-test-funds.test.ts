import { beforeEach, expect, test } from 'vitest';
import {
  alice,
  bob,
  exampleSpotMarket,
  requireAmount,
  ScriptedExchange,
} from '../../../test/support/scripted-exchange.ts';
import { DatabaseError } from '../ports.ts';
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

test('drawFromFaucet: gives the amount as a credit by the faucet', async () => {
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

test('drawFromFaucet: more than 100000 is refused with the limit', async () => {
  expect(await draw('100000.00000001')).toEqual({
    kind: 'refused',
    rejection: { reason: 'parameter_invalid', detail: 'amount: at most 100000' },
  });
});

test('drawFromFaucet: nothing and less than nothing are refused', async () => {
  const refusal = { kind: 'refused', rejection: { reason: 'amount_not_positive' } };
  expect(await draw('0')).toEqual(refusal);
  expect(await draw('-1')).toEqual(refusal);
});

test('drawFromFaucet: a token that no market trades is refused', async () => {
  expect(await draw('1', 'DOGE')).toEqual({
    kind: 'refused',
    rejection: { reason: 'parameter_invalid', detail: 'token: not traded in any spot market' },
  });
});

test('drawFromFaucet: once a minute a token and a user', async () => {
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

test('drawFromFaucet: a draw that the database stopped may be tried again at once', async () => {
  isDatabaseUp = false;
  await expect(draw('1')).rejects.toThrow(DatabaseError);
  expect(exchange.submitted).toEqual([]);
  isDatabaseUp = true;
  expect(await draw('1')).toMatchObject({ kind: 'done' });
});

test('drawFromFaucet: disabled where test credits are', async () => {
  ports = { ...ports, areTestCreditsEnabled: false };
  expect(await draw('1')).toEqual({
    kind: 'refused',
    rejection: { reason: 'test_credits_disabled' },
  });
});
