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

const levelsDiffer = 'M10: the buy levels of BTCUSDT are not the sums of their orders';

describe('findViolations', () => {
  it('findViolations: finds none in a sound exchange', () => {
    expect(findViolations(exchange())).toEqual([]);
    expect(() => checkInvariants(exchange())).not.toThrow();
  });

  const engine = exchange();
  it.each<[string, Partial<EngineAudit>, string[]]>([
    [
      'money that nobody issued',
      { getIssued: () => toAmount(5n) },
      [
        'M1: BTC: 0 held, 0 of fees and 0 in perp wallets are not the 5 issued',
        'M1: USDT: 1000000000000 held, 0 of fees and 0 in perp wallets are not the 5 issued',
      ],
    ],
    [
      'negative fees',
      { getFeesCollected: () => toAmount(-1n) },
      [
        'M2: fees of -1 BTC',
        'M1: BTC: 0 held, -1 of fees and 0 in perp wallets are not the 0 issued',
        'M2: fees of -1 USDT',
        'M1: USDT: 1000000000000 held, -1 of fees and 0 in perp wallets are not the 1000000000000 issued',
      ],
    ],
    [
      'a lock without an order',
      { listRestingOrders: () => [] },
      [
        'M3: account 1 has 19900000000 USDT locked, orders need 0',
        levelsDiffer,
        'M12: account 1 lists orders 1,2,  rest',
      ],
    ],
    [
      'an order filled beyond its quantity',
      changedOrders({ filledQuantity: 2 as Lots }),
      [
        'M3: account 1 has 19900000000 USDT locked, orders need -19900000000',
        'M4: order 1: 2 of 1 filled for 0, new',
        'M4: order 2: 2 of 1 filled for 0, new',
        levelsDiffer,
      ],
    ],
    [
      'a fill that cost more than the limit',
      changedOrders({ filledQuote: toAmount(1n) }),
      ['M4: order 1: 0 of 1 filled for 1, new', 'M4: order 2: 0 of 1 filled for 1, new'],
    ],
    [
      'an order without a whole price',
      changedOrders({ price: 0.5 as Ticks }),
      [
        'M3: account 1 has 19900000000 USDT locked, orders need 0',
        'M4: order 1 has no whole terms',
        'M4: order 2 has no whole terms',
        levelsDiffer,
      ],
    ],
    [
      'a status that the fills do not give',
      changedOrders({ status: 'partially_filled' }),
      [
        'M4: order 1: 0 of 1 filled for 0, partially_filled',
        'M4: order 2: 0 of 1 filled for 0, partially_filled',
      ],
    ],
    [
      'levels that are not the sums of their orders',
      { getDepth: () => ({ ...engine.getDepth(0 as MarketId, 1), asks: [] }) },
      [levelsDiffer],
    ],
    [
      'orders out of turn',
      { listRestingOrders: (id, side) => [...engine.listRestingOrders(id, side)].reverse() },
      [levelsDiffer, 'M11: order 1 is queued behind 2'],
    ],
    [
      'a resting market order',
      changedOrders({ type: 'market' }),
      ['M12: market gtc order 1 rests in BTCUSDT', 'M12: market gtc order 2 rests in BTCUSDT'],
    ],
    [
      'orders that cannot be found',
      { findOpenOrder: () => null },
      ['M12: order 1 cannot be found', 'M12: order 2 cannot be found'],
    ],
    [
      'orders that their account does not list',
      { listOpenOrders: () => [] },
      ['M12: account 1 lists orders , 1,2 rest'],
    ],
    [
      'a client order id twice',
      changedOrders({ clientOrderId: 'same' }),
      ['M12: client order id 1:same is there twice'],
    ],
  ])('findViolations: names %s', (_name, changes, violations) => {
    const found = findViolations(doctored(changes));
    const words = found.map(({ invariant, detail }) => `${invariant}: ${detail}`);
    expect(words).toEqual(violations);
    expect(() => checkInvariants(doctored(changes))).toThrow(words.join('; '));
  });
});
