import { expect, it } from 'vitest';
import { limitOrder } from '../../../test/support/limit-order.ts';
import { SpotFlow } from '../../../test/support/spot-flow.ts';
import { toAmount } from '../../domain/amount.ts';
import { parseDecimal } from '../../domain/decimal.ts';
import type { AccountId, MarketId } from '../../domain/identifiers.ts';
import { type Lots, spotOrdersMax, type Ticks } from '../../domain/spot-market.ts';
import type { CancelAllSpotOrders, PlaceSpotOrder } from '../commands.ts';
import type { AppliedCommand } from '../events.ts';

const accountId = 1 as AccountId;

function flowWith(markets: number, ordersEach: number): SpotFlow {
  const flow = new SpotFlow({ seed: 1, accounts: 1 });
  flow.open();
  const [tickSize, lotSize] = [parseDecimal('0.01'), parseDecimal('0.001')];
  if (tickSize === null || lotSize === null) throw new Error('the sizes are decimals');
  for (let marketId = 0; marketId < markets; marketId += 1) {
    const [symbol, baseToken] = [`M${marketId}USDT`, `M${marketId}`];
    const fees = { minNotional: toAmount(0n), makerFeeBps: 10, takerFeeBps: 20 };
    const terms = { symbol, baseToken, quoteToken: 'USDT', tickSize, lotSize, ...fees };
    flow.apply({ type: 'createSpotMarket', terms });
  }
  for (let at = 0; at < ordersEach; at += 1) {
    for (let marketId = 2; marketId < markets + 2; marketId += 1) {
      const { rejection } = flow.apply(buy(marketId, 1 + (at % 50)));
      if (rejection !== null) throw new Error(rejection.reason);
    }
  }
  return flow;
}

function buy(marketId: number, price: number): PlaceSpotOrder {
  return limitOrder({
    accountId,
    marketId: marketId as MarketId,
    price: price as Ticks,
    quantity: 1 as Lots,
  });
}

function endedBy({ events }: AppliedCommand): number[] {
  return events.flatMap((event) =>
    event.type === 'spotOrderUpdated' && event.order.status === 'canceled'
      ? [event.order.orderNumber]
      : [],
  );
}

/** The pieces of a cancel-all that is sent again while it has work due. */
function cancelAll(flow: SpotFlow, marketId: MarketId | null): AppliedCommand[] {
  const command: CancelAllSpotOrders = { type: 'cancelAllSpotOrders', accountId, marketId };
  const pieces: AppliedCommand[] = [];
  for (let isDue = true; isDue; ) {
    const piece = flow.apply(command);
    pieces.push(piece);
    isDue = piece.events.some(({ type }) => type === 'workDue');
  }
  return pieces;
}

it('orders ended by a cancel-all: at most 256 in one command; the outcome says `workDue`', () => {
  const flow = flowWith(3, 300);
  const numbers = flow.engine.listOpenOrders(accountId, null).map((each) => each.orderNumber);
  expect(numbers).toHaveLength(900);
  expect(numbers).toEqual([...numbers].sort((left, right) => left - right));
  const one = cancelAll(flow, 3 as MarketId).map(endedBy);
  expect(one.map((ended) => ended.length)).toEqual([256, 44]);
  expect(one.flat()).toEqual([...one.flat()].sort((left, right) => left - right));
  const rest = cancelAll(flow, null).map(endedBy);
  expect(rest.map((ended) => ended.length)).toEqual([256, 256, 88]);
  expect(new Set([...one.flat(), ...rest.flat()])).toEqual(new Set(numbers));
  expect(flow.engine.listOpenOrders(accountId, null)).toEqual([]);
});

it('a cancel-all of exactly 256 orders leaves no work due, and neither does one of none', () => {
  const flow = flowWith(2, 128);
  expect(cancelAll(flow, null).map((piece) => endedBy(piece).length)).toEqual([256]);
  expect(cancelAll(flow, null).map((piece) => endedBy(piece).length)).toEqual([0]);
});

it('200,000 orders of one account in 200 markets end in pieces, and its money is available again', () => {
  const flow = flowWith(200, spotOrdersMax);
  const before = flow.engine.listBalances(accountId);
  expect(flow.apply(buy(2, 1)).rejection).toEqual({ reason: 'too_many_orders' });
  const pieces = cancelAll(flow, null);
  expect(pieces).toHaveLength(Math.ceil(200_000 / 256));
  let ended = 0;
  for (const piece of pieces) {
    const count = endedBy(piece).length;
    expect(count).toBeLessThanOrEqual(256);
    // Each order has one event; levels, the balance and the rest come on top.
    expect(piece.events.length).toBeLessThanOrEqual(2 * 256 + 2);
    ended += count;
  }
  expect(ended).toBe(200_000);
  expect(before.some(({ locked }) => locked > 0n)).toBe(true);
  expect(flow.engine.listBalances(accountId).every(({ locked }) => locked === 0n)).toBe(true);
});
