import { expect, it } from 'vitest';
import { limitOrder } from '../../../test/support/limit-order.ts';
import { SpotFlow } from '../../../test/support/spot-flow.ts';
import { toAmount } from '../../domain/amount.ts';
import { parseDecimal } from '../../domain/decimal.ts';
import type { AccountId, MarketId } from '../../domain/identifiers.ts';
import type { Lots, Ticks } from '../../domain/spot-market.ts';
import { type Command, canceledMax } from '../commands.ts';
import type { AppliedCommand } from '../events.ts';

const symbol = 'MANYUSDT';
const delist: Command = { type: 'setSpotMarketStatus', symbol, status: 'delisted' };

/** A separate market with that many bids of one account. */
function marketWith(orders: number): { flow: SpotFlow; marketId: MarketId } {
  const flow = new SpotFlow({ seed: 3, accounts: 1 });
  flow.open();
  const [tickSize, lotSize] = [parseDecimal('0.01'), parseDecimal('0.001')];
  if (tickSize === null || lotSize === null) throw new Error('the sizes are decimals');
  flow.apply({
    type: 'createSpotMarket',
    terms: {
      symbol,
      baseToken: 'MANY',
      quoteToken: 'USDT',
      tickSize,
      lotSize,
      minNotional: toAmount(0n),
      makerFeeBps: 10,
      takerFeeBps: 20,
    },
  });
  const marketId = flow.engine.findSpotMarket(symbol)?.marketId;
  if (marketId === undefined) throw new Error('the market was refused');
  for (let at = 0; at < orders; at += 1) {
    const { rejection } = flow.apply(
      limitOrder({ marketId, price: (1 + (at % 50)) as Ticks, quantity: 1 as Lots }),
    );
    expect(rejection).toBeNull();
  }
  return { flow, marketId };
}

function ended({ events }: AppliedCommand): number {
  return events.filter((event) => event.type === 'spotOrderUpdated').length;
}

function hasEvent(applied: AppliedCommand, name: string): boolean {
  return applied.events.some(({ type }) => type === name);
}

it('delisting: one command ends at most 256 orders, and repeating it continues', () => {
  const { flow, marketId } = marketWith(600);
  const pieces = [flow.apply(delist), flow.apply(delist), flow.apply(delist), flow.apply(delist)];
  expect(pieces.map(ended)).toEqual([canceledMax, canceledMax, 600 - 2 * canceledMax, 0]);
  expect(pieces.map((piece) => hasEvent(piece, 'workDue'))).toEqual([true, true, false, false]);
  expect(pieces.map((piece) => hasEvent(piece, 'spotMarketStatusChanged'))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(flow.engine.listOpenOrders(1 as AccountId, marketId)).toEqual([]);
  for (const { locked } of flow.engine.listBalances(1 as AccountId)) expect(locked).toBe(0n);
});

it('delisting: the market accepts no order from the first piece on', () => {
  const { flow, marketId } = marketWith(300);
  flow.apply(delist);
  const [order] = flow.engine.listOpenOrders(1 as AccountId, marketId);
  const { rejection } = flow.apply(
    limitOrder({ marketId, side: 'sell', price: 1 as Ticks, quantity: 1 as Lots }),
  );
  expect(rejection?.reason).toBe('market_delisted');
  const orderNumber = order?.orderNumber;
  if (orderNumber === undefined) throw new Error('44 orders are left');
  const canceled = flow.apply({ type: 'cancelSpotOrder', accountId: 1 as AccountId, orderNumber });
  expect(canceled.rejection).toBeNull();
});

it('delisting: without a repeated command the rest ends as time advances', () => {
  const { flow, marketId } = marketWith(600);
  flow.apply(delist);
  const first = flow.apply({ type: 'advanceTime' });
  expect([ended(first), hasEvent(first, 'timedWorkDue')]).toEqual([canceledMax, true]);
  const second = flow.apply({ type: 'advanceTime' });
  expect([ended(second), hasEvent(second, 'timedWorkDue')]).toEqual([600 - 2 * canceledMax, false]);
  expect(flow.engine.listOpenOrders(1 as AccountId, marketId)).toEqual([]);
});
