import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import {
  anyText,
  balancesOf,
  nextAddress,
  nextMarket,
  outcomeOf,
} from '../support/spot-fixtures.ts';
import { SpotService } from '../support/spot-service.ts';

let service: SpotService;
beforeAll(async () => {
  service = await SpotService.start();
  await nextMarket(service, { id: 'BTCUSDT', base_token: 'BTC' });
});
afterAll(() => service.close());

const path = '/api/v1/faucet';
const ok = { status: 200, body: { ok: true } };

function draw(as: Address, body: object, of: SpotService = service) {
  return outcomeOf(of.call({ method: 'POST', path, as, body }));
}

test('POST /faucet: gives a signed-in user up to 100000 of a traded token', async () => {
  const user = nextAddress();
  expect(await draw(user, { token: 'USDT', amount: '100000' })).toEqual(ok);
  expect(await draw(user, { token: 'BTC', amount: 0.5 })).toEqual(ok);
  expect(await balancesOf(service, user)).toEqual({ USDT: '100000 0', BTC: '0.5 0' });
});

test('POST /faucet: once a minute per token, else 429 RATE_LIMITED with Retry-After', async () => {
  const user = nextAddress();
  await draw(user, { token: 'USDT', amount: '1' });
  service.monotonicMs += 30_000;
  const body = { token: 'USDT', amount: '1' };
  const reply = await service.call({ method: 'POST', path, as: user, body });
  expect({ status: reply.status, body: reply.body }).toEqual({
    status: 429,
    body: { error: 'RATE_LIMITED' },
  });
  expect(reply.headers['retry-after']).toBe('30');
  expect(await draw(user, { token: 'BTC', amount: '1' })).toEqual(ok);
  service.monotonicMs += 30_000;
  expect(await draw(user, body)).toEqual(ok);
  expect(await balancesOf(service, user)).toEqual({ USDT: '2 0', BTC: '1 0' });
});

test('POST /faucet: too much, too little, and tokens that are not traded', async () => {
  const user = nextAddress();
  const invalid = (detail: unknown) => ({
    status: 400,
    body: { error: 'INVALID_PARAMETER', detail },
  });
  expect(await draw(user, { token: 'USDT', amount: '100000.00000001' })).toEqual(
    invalid('amount: at most 100000'),
  );
  for (const amount of ['0', '-5']) {
    expect(await draw(user, { token: 'USDT', amount })).toEqual({
      status: 400,
      body: { error: 'AMOUNT_NON_POSITIVE' },
    });
  }
  expect(await draw(user, { token: 'DOGE', amount: '1' })).toEqual(
    invalid('token: not traded in any spot market'),
  );
  expect(await draw(user, { token: '__proto__', amount: '1' })).toEqual(
    invalid('token: not traded in any spot market'),
  );
  expect(await draw(user, { token: 'USDT' })).toEqual(invalid('amount: required'));
  expect(await draw(user, { token: 'USDT', amount: '1', to: user })).toEqual(
    invalid('to: unknown field'),
  );
  expect(await draw(user, { token: 'USDT', amount: '0.000000001' })).toEqual(invalid(anyText));
  expect(await balancesOf(service, user)).toEqual({});
});

test('POST /faucet: requires a signed-in user', async () => {
  const body = { token: 'USDT', amount: '1' };
  expect(await outcomeOf(service.call({ method: 'POST', path, body }))).toEqual({
    status: 401,
    body: { error: 'UNAUTHORIZED' },
  });
  const signed = await service.callSigned({ method: 'POST', path, body, as: nextAddress() });
  expect(signed.status).toBe(403);
});

test('POST /faucet: with storage down 500 DB_ERROR, and the request can be repeated at once', async () => {
  const user = nextAddress();
  const body = { token: 'USDT', amount: '1' };
  service.isDatabaseDown = true;
  expect(await draw(user, body)).toEqual({ status: 500, body: { error: 'DB_ERROR' } });
  service.isDatabaseDown = false;
  expect(await draw(user, body)).toEqual(ok);
});

test('POST /faucet: 404 DISABLED where TESTNET_ONLY is not exactly true', async () => {
  const other = await SpotService.start({ areTestCreditsEnabled: false });
  try {
    const answer = await draw(nextAddress(), { token: 'USDT', amount: '1' }, other);
    expect(answer).toEqual({ status: 404, body: { error: 'DISABLED' } });
  } finally {
    await other.close();
  }
});
