import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { FapiService } from '../support/fapi-service.ts';

// Who may call /fapi, how failed authentication is answered, listen keys, weights and headers.

let service: FapiService;
let lenient: FapiService;
let symbol: string;
let trader: Address;

beforeAll(async () => {
  service = await FapiService.open();
  lenient = await FapiService.open({ isListenKeyUnsigned: true });
  symbol = await service.derivatives.nextMarket();
  trader = await service.derivatives.nextTrader();
});
afterAll(async () => {
  await service.close();
  await lenient.close();
});

const envelope = (code: string) => ({
  success: false,
  data: null,
  timestamp: expect.any(Number) as number,
  error: { code, message: expect.any(String) as string },
});

describe('authentication', () => {
  const account = '/fapi/v1/balance';
  const unsigned = async (headers: Record<string, string>, query = {}) => {
    const { status, body } = await service.spot.call({ path: account, headers, query });
    return { status, body };
  };

  test('auth: failures come in the envelope, before the endpoint', async () => {
    expect(await unsigned({})).toEqual({ status: 401, body: envelope('INVALID_API_KEY') });
    expect(await unsigned({ 'x-mbx-apikey': 'k'.repeat(64) })).toEqual({
      status: 401,
      body: envelope('INVALID_API_KEY'),
    });
    const { apiKey } = await service.addKey(trader);
    const headers = { 'x-mbx-apikey': apiKey };
    const invalid = { status: 401, body: envelope('SIGNATURE_INVALID') };
    expect(await unsigned(headers)).toEqual(invalid);
    expect(await unsigned(headers, { timestamp: String(Date.now()) })).toEqual(invalid);
    const signature = 'a'.repeat(64);
    expect(await unsigned(headers, { timestamp: String(Date.now()), signature })).toEqual(invalid);
  });

  test('auth: a Bearer token is ignored, even together with a key', async () => {
    const paths = [
      ['GET', account],
      ['GET', '/fapi/v2/positionRisk'],
      ['POST', '/fapi/v1/order'],
      ['POST', '/fapi/v1/leverage'],
      ['POST', '/fapi/v1/listenKey'],
    ] as const;
    for (const [method, path] of paths) {
      const { status, body } = await service.spot.call({ method, path, as: trader });
      expect({ status, body }).toEqual({ status: 401, body: envelope('INVALID_API_KEY') });
    }
    for (const authorization of ['Bearer none', 'Basic abc']) {
      const signed = { path: account, as: trader, headers: { authorization } };
      expect((await service.spot.callSigned(signed)).status).toBe(200);
    }
  });

  test('auth: a disabled key is API_KEY_DISABLED, a foreign address IP_NOT_ALLOWED', async () => {
    const disabled = await service.addKey(trader, { isEnabled: false });
    expect(await unsigned({ 'x-mbx-apikey': disabled.apiKey })).toEqual({
      status: 401,
      body: envelope('API_KEY_DISABLED'),
    });
    const bound = await service.addKey(trader, { ipWhitelist: ['10.0.0.1'] });
    expect(await unsigned({ 'x-mbx-apikey': bound.apiKey })).toEqual({
      status: 403,
      body: envelope('IP_NOT_ALLOWED'),
    });
  });

  test('auth: every account endpoint requires key and signature', async () => {
    const { apiKey } = await service.addKey(trader);
    const signed = [
      ['POST', 'v1/listenKey'],
      ['PUT', 'v1/listenKey'],
      ['DELETE', 'v1/listenKey'],
      ['GET', 'v1/marginType'],
      ['POST', 'v1/marginType'],
      ['POST', 'v1/order'],
      ['PUT', 'v1/order'],
      ['DELETE', 'v1/order'],
      ['DELETE', 'v1/allOpenOrders'],
      ['DELETE', 'v1/batchOrders'],
      ['POST', 'v1/leverage'],
      ['POST', 'v1/positionSide/dual'],
      ['GET', 'v2/positionRisk'],
      ['GET', 'v1/positionRisk'],
      ['GET', 'v1/commissionRate'],
      ['GET', 'v1/income'],
    ] as const;
    for (const [method, name] of signed) {
      const call = { method, path: `/fapi/${name}` };
      const bare = await service.spot.call(call);
      expect([name, bare.status, bare.body]).toEqual([name, 401, envelope('INVALID_API_KEY')]);
      const unsigned = await service.spot.call({ ...call, headers: { 'x-mbx-apikey': apiKey } });
      expect([name, unsigned.status, unsigned.body]).toEqual([
        name,
        401,
        envelope('SIGNATURE_INVALID'),
      ]);
    }
  });

  test('auth: a key that may only read places nothing', async () => {
    const query = { symbol, side: 'BUY', type: 'LIMIT', quantity: '1', price: '90' };
    const call = { method: 'POST', path: '/fapi/v1/order', as: trader, query } as const;
    const { status, body } = await service.spot.callSigned(call, ['read']);
    expect({ status, body }).toEqual({ status: 403, body: envelope('PERMISSION_DENIED') });
  });

  test('an unknown path is 404 with code -1000', async () => {
    expect(await service.read('/v1/nothing')).toMatchObject({ status: 404, body: { code: -1000 } });
  });
});

describe('weights', () => {
  test('headers show the used weight, and for orders their counts', async () => {
    const fields = { symbol, side: 'BUY', type: 'LIMIT', quantity: '1', price: '90' };
    const order = await service.callWhole('POST', '/v1/order', trader, fields);
    expect(order.headers).toMatchObject({
      'x-mbx-used-weight-1m': expect.anything() as unknown,
      'x-mbx-order-count-10s': expect.anything() as unknown,
      'x-mbx-order-count-1m': expect.anything() as unknown,
    });
    const used = async () => {
      const { headers } = await service.callWhole('GET', '/v3/account', trader);
      return Number(headers['x-mbx-used-weight-1m']);
    };
    const before = await used();
    const after = await used();
    // A new minute may begin between the two.
    expect([before + 5, 5]).toContain(after);
  });
});

describe('listen keys', () => {
  const issue = async (as = trader) => {
    const { listenKey } = await service.done<{ listenKey: string }>('POST', '/v1/listenKey', as);
    return listenKey;
  };
  const gone = { status: 400, body: { code: -1125, msg: 'This listenKey does not exist.' } };

  test('listenKey: 64 characters, one per account, the same one while it is valid', async () => {
    const listenKey = await issue();
    expect(listenKey).toHaveLength(64);
    expect(await issue()).toBe(listenKey);
    const other = await service.derivatives.nextTrader();
    expect(await issue(other)).not.toBe(listenKey);
  });

  test('listenKey: lives 3600 seconds, and again after each use', async () => {
    const listenKey = await issue();
    service.listenKeyAgeMs += 3_599_000;
    expect(await service.done('PUT', '/v1/listenKey', trader)).toEqual({ listenKey });
    service.listenKeyAgeMs += 3_599_000;
    expect(await issue()).toBe(listenKey);
    service.listenKeyAgeMs += 3_600_000;
    expect(await service.call('PUT', '/v1/listenKey', trader)).toEqual(gone);
    expect(await issue()).not.toBe(listenKey);
  });

  test('listenKey: a revoked key is invalid', async () => {
    await issue();
    expect(await service.done('DELETE', '/v1/listenKey', trader)).toEqual({});
    expect(await service.call('PUT', '/v1/listenKey', trader)).toEqual(gone);
    expect(await service.call('DELETE', '/v1/listenKey', trader)).toEqual(gone);
  });

  test('listenKey: without a signature only if FAPI_LISTEN_KEY_UNSIGNED is set', async () => {
    const path = '/fapi/v1/listenKey';
    const call = async (floor: FapiService, method: 'POST' | 'PUT' | 'DELETE', path_ = path) => {
      const { apiKey } = await floor.addKey(trader);
      const headers = { 'x-mbx-apikey': apiKey };
      const { status, body } = await floor.spot.call({ method, path: path_, headers });
      return { status, body };
    };
    const refused = { status: 401, body: envelope('SIGNATURE_INVALID') };
    for (const method of ['POST', 'PUT', 'DELETE'] as const) {
      expect(await call(service, method)).toEqual(refused);
    }
    expect((await call(lenient, 'POST')).status).toBe(200);
    expect((await call(lenient, 'PUT')).status).toBe(200);
    expect((await call(lenient, 'DELETE')).status).toBe(200);
    expect(await call(lenient, 'POST', '/fapi/v1/order')).toEqual(refused);
    const { status } = await lenient.spot.call({ method: 'POST', path });
    expect(status).toBe(401);
  });

  test('listenKey: only with the permission to read, signed or not', async () => {
    const call = { method: 'POST', path: '/fapi/v1/listenKey', as: trader } as const;
    const { apiKey } = await lenient.addKey(trader, { permissions: ['trade'] });
    const headers = { 'x-mbx-apikey': apiKey };
    const unsigned = await lenient.spot.call({ method: call.method, path: call.path, headers });
    const signed = await lenient.spot.callSigned(call, ['trade']);
    for (const { status, body } of [unsigned, signed]) {
      expect({ status, body }).toEqual({ status: 403, body: envelope('PERMISSION_DENIED') });
    }
  });
});
