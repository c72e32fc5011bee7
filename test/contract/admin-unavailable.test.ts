import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { adminFuturesRoutes } from '../../src/gateway/http/admin/futures-routes.ts';
import { DerivativesService, derivativePorts } from '../support/derivatives-service.ts';
import { error } from '../support/plain-replies.ts';
import { outcomeOf } from '../support/spot-fixtures.ts';
import { SpotService } from '../support/spot-service.ts';
import { WalletRig } from '../support/wallet/wallet-rig.ts';

// Writes of the administration besides those of spot while the storage is down.

let derivatives: DerivativesService;
let rig: WalletRig;
let symbol: string;

beforeAll(async () => {
  let spot: SpotService | null = null;
  spot = await SpotService.start({
    routes: (parts) => {
      const database = { isReachable: async () => spot?.isDatabaseDown !== true };
      const ports = { ...derivativePorts(parts), database, indexPriceSource: 'admin' as const };
      return [adminFuturesRoutes(ports)];
    },
  });
  derivatives = new DerivativesService(spot);
  symbol = await derivatives.nextMarket();
  rig = await WalletRig.start();
});
afterEach(() => {
  derivatives.spot.isDatabaseDown = false;
  rig.service.isDatabaseDown = false;
});
afterAll(async () => {
  await derivatives.close();
  await rig.close();
});

const markets = '/api/v1/admin/futures/markets';
const terms = {
  symbol: 'LATEUSDT',
  base_asset: 'LATE',
  tick_size: '0.1',
  lot_size: '0.001',
  min_notional: '5',
  max_notional: '1000000',
  max_leverage: 50,
  maintenance_margin_rate: '0.005',
  maker_fee_bps: 2,
  taker_fee_bps: 5,
};

test('administration: storage error on a futures market is 500 DB_ERROR, and none is created', async () => {
  derivatives.spot.isDatabaseDown = true;
  expect(await outcomeOf(derivatives.admin('POST', markets, terms))).toEqual(
    error(500, 'DB_ERROR'),
  );
  const { futures } = derivatives.spot.exchange.engine;
  expect(futures.findFuturesMarket('LATEUSDT')).toBeNull();
});

test.each([
  ['status', { status: 'halted' }],
  ['index-price', { price: '7' }],
])(
  'administration: storage error on %s is 500 DB_ERROR, and nothing changes',
  async (name, body) => {
    const { futures } = derivatives.spot.exchange.engine;
    const before = futures.findFuturesMarket(symbol);
    derivatives.spot.isDatabaseDown = true;
    const path = `${markets}/${symbol}/${name}`;
    expect(await outcomeOf(derivatives.admin('PUT', path, body))).toEqual(error(500, 'DB_ERROR'));
    expect(futures.findFuturesMarket(symbol)).toEqual(before);
  },
);

test('administration: storage error on the pause switch is 500 DB_ERROR', async () => {
  rig.service.isDatabaseDown = true;
  const path = '/api/v1/admin/withdrawals/pause';
  const call = { method: 'PUT', path, isAdmin: true, body: { paused: true } } as const;
  expect(await outcomeOf(rig.service.call(call))).toEqual(error(500, 'DB_ERROR'));
});
