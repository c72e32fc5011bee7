import { describe, expect, it } from 'vitest';
import { toAmount } from '../domain/amount.ts';
import type { Decimal } from '../domain/decimal.ts';
import type { AccountId, Address, MarketId, Sequence, TimestampMs } from '../domain/identifiers.ts';
import type { Lots, Ticks } from '../domain/spot-market.ts';
import type { SpotOrder } from '../domain/spot-order.ts';
import type { EngineAudit } from './audit-view.ts';
import type { Command } from './commands.ts';
import { type Engine, engineFactory } from './engine.ts';
import { checkInvariants, findViolations } from './invariants.ts';

const address = `0x${'1'.repeat(40)}` as Address;

function exchange(): Engine {
  const engine = engineFactory.create();
  const order = {
    type: 'placeSpotOrder',
    accountId: 1 as AccountId,
    marketId: 0 as MarketId,
  } as const;
  const limit = { orderType: 'limit', timeInForce: 'gtc', quoteQuantity: null } as const;
  const terms = {
    symbol: 'BTCUSDT',
    baseToken: 'BTC',
    quoteToken: 'USDT',
    tickSize: (10n ** 18n) as Decimal,
    lotSize: (10n ** 18n) as Decimal,
    minNotional: toAmount(0n),
    makerFeeBps: 0,
    takerFeeBps: 0,
  };
  const credit = { actor: 'admin_api_key', reason: null, reference: null, address };
  const commands: Command[] = [
    { type: 'createSpotMarket', terms },
    { type: 'creditBalance', token: 'USDT', amount: toAmount(10n ** 12n), ...credit },
    ...[100, 99].map((price, at): Command => {
      const [side, clientOrderId] = ['buy' as const, `order ${at}`];
      const [ticks, quantity] = [price as Ticks, 1 as Lots];
      return { ...order, ...limit, side, clientOrderId, price: ticks, quantity };
    }),
  ];
  for (const command of commands) {
    const sequence = (engine.sequence + 1) as Sequence;
    engine.apply(command, { sequence, timestamp: 1 as TimestampMs });
  }
  return engine;
}

/** The engine as it would look to an audit with some of its answers changed. */
function doctored(changes: Partial<EngineAudit>): EngineAudit {
  return Object.assign(Object.create(exchange()) as EngineAudit, changes);
}

function changedOrders(change: Partial<SpotOrder>): Partial<EngineAudit> {
  const engine = exchange();
  return {
    listRestingOrders: (marketId, side) =>
      engine.listRestingOrders(marketId, side).map((order) => ({ ...order, ...change })),
  };
}

describe('findViolations', () => {
  it('findViolations: finds none in a sound exchange', () => {
    expect(findViolations(exchange())).toEqual([]);
    expect(() => checkInvariants(exchange())).not.toThrow();
  });

  const engine = exchange();
  it.each<[string, string, Partial<EngineAudit>]>([
    ['M1', 'money that nobody issued', { getIssued: () => toAmount(5n) }],
    ['M2', 'negative fees', { getFeesCollected: () => toAmount(-1n) }],
    ['M3', 'a lock without an order', { listRestingOrders: () => [] }],
    ['M4', 'an order filled beyond its quantity', changedOrders({ filledQuantity: 2 as Lots })],
    ['M4', 'a fill that cost more than the limit', changedOrders({ filledQuote: toAmount(1n) })],
    ['M4', 'an order without a whole price', changedOrders({ price: 0.5 as Ticks })],
    ['M4', 'a status that the fills do not give', changedOrders({ status: 'partially_filled' })],
    [
      'M10',
      'levels that are not the sums of their orders',
      {
        getDepth: () => ({ ...engine.getDepth(0 as MarketId, 1), asks: [] }),
      },
    ],
    [
      'M11',
      'orders out of turn',
      {
        listRestingOrders: (id, side) => [...engine.listRestingOrders(id, side)].reverse(),
      },
    ],
    ['M12', 'a resting market order', changedOrders({ type: 'market' })],
    ['M12', 'an order that cannot be found', { findOpenOrder: () => null }],
    ['M12', 'an order that its account does not list', { listOpenOrders: () => [] }],
    ['M12', 'a client order id twice', changedOrders({ clientOrderId: 'same' })],
  ])('findViolations: names %s for %s', (invariant, _name, changes) => {
    const names = findViolations(doctored(changes)).map((violation) => violation.invariant);
    expect(names).toContain(invariant);
    expect(() => checkInvariants(doctored(changes))).toThrow(`${invariant}: `);
  });
});
