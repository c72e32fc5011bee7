import { expect, it } from 'vitest';
import { toAmount } from '../../src/domain/amount.ts';
import { parseDecimal } from '../../src/domain/decimal.ts';
import type { AccountId, Address } from '../../src/domain/identifiers.ts';
import { type Lots, spotOrdersMax, type Ticks } from '../../src/domain/spot-market.ts';
import type { PlaceSpotOrder } from '../../src/engine/commands.ts';
import { limitOrder } from '../support/limit-order.ts';
import { Simulation } from './simulation.ts';

function decimal(text: string) {
  const value = parseDecimal(text);
  if (value === null) throw new Error(text);
  return value;
}

it('twin: engine and twin refuse the same orders of an account at its limit', () => {
  const simulation = new Simulation({ auditEvery: 500 });
  const minNotional = toAmount(0n);
  simulation.apply({
    type: 'createSpotMarket',
    terms: {
      symbol: 'BTCUSDT',
      baseToken: 'BTC',
      quoteToken: 'USDT',
      minNotional,
      tickSize: decimal('1'),
      lotSize: decimal('1'),
      makerFeeBps: 0,
      takerFeeBps: 0,
    },
  });
  for (const account of [1, 2]) {
    for (const token of ['BTC', 'USDT']) {
      const address = `0x${String(account).repeat(40)}` as Address;
      const money = { token, amount: toAmount(10n ** 15n), actor: 'admin_api_key' };
      simulation.apply({ type: 'creditBalance', address, ...money, reason: null, reference: null });
    }
  }
  const place = (change: Partial<PlaceSpotOrder> = {}) =>
    simulation.apply(limitOrder({ quantity: 2 as Lots, ...change })).rejection?.reason ?? null;
  for (let at = 0; at < spotOrdersMax; at += 1) expect(place()).toBeNull();
  place({ accountId: 2 as AccountId, side: 'sell', price: 110 as Ticks });
  const price = 110 as Ticks;
  const answers = [
    place(),
    place({ timeInForce: 'post_only' }),
    place({ timeInForce: 'ioc' }),
    place({ price, quantity: 3 as Lots }),
    place({ price, timeInForce: 'post_only' }),
    place({ price, side: 'sell' }),
    place({ price: 90 as Ticks, side: 'sell' }),
    place({ price }),
    place({ accountId: 2 as AccountId, side: 'sell', quantity: 1 as Lots }),
    place(),
    place({ accountId: 2 as AccountId, side: 'sell', quantity: 1 as Lots }),
    place(),
  ];
  expect(answers).toEqual([
    'too_many_orders',
    'too_many_orders',
    null,
    'too_many_orders',
    'post_only_would_cross',
    'too_many_orders',
    'self_trade',
    null,
    null,
    'too_many_orders',
    null,
    null,
  ]);
  simulation.audit();
}, 60_000);
