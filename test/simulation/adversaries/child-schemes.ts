import type { FuturesMarket } from '../../../src/domain/futures-market.ts';
import type { TriggerPriceKind } from '../../../src/domain/futures-order.ts';
import type { AccountId, TimestampMs } from '../../../src/domain/identifiers.ts';
import { expectSame, type Scheme, takeOut, ticks } from './scheme.ts';
import type { World } from './world.ts';

// What groups try with take-profits and stop-losses that are attached to an order, the parent.

const price = 30_000;

function at(stop: number, triggerPriceKind: TriggerPriceKind = 'mark') {
  return { stopPrice: ticks(stop), triggerPriceKind };
}

/** The types of the account's live orders in the market. */
function openOf(world: World, accountId: AccountId, { marketId }: FuturesMarket): string {
  const open = world.engine.futures.listOpenFuturesOrders(accountId, marketId);
  return open.map(({ type }) => type).join();
}

/** What the last command has done to the account's orders, except for trades. */
function toldOf(world: World, accountId: AccountId): string {
  return world.events
    .flatMap((event) => {
      if (event.type !== 'futuresOrderUpdated' || event.order.accountId !== accountId) return [];
      if (event.cause === 'traded') return [];
      const { side, type } = event.order;
      return [`${side} ${type} ${event.cause} ${event.end ?? ''}`.trim()];
    })
    .join();
}

function cancelAll(world: World, accountId: AccountId): void {
  world.do({ type: 'cancelAllFuturesOrders', accountId, marketId: null, kind: 'all' });
}

/** Closes what the account holds to a better bid than the rest of its own order. */
function closeByHand(world: World, market: FuturesMarket, [one, two]: readonly AccountId[]): void {
  if (one === undefined || two === undefined) return;
  const lots = world.lotsOf(one, market);
  world.place(two, market, 'buy', { price: price + 1, lots });
  world.place(one, market, 'sell', { price: price + 1, lots, isReduceOnly: true });
  expectSame('closed', world.lotsOf(one, market), 0);
}

/** A parent that filled in part expires while the account is flat: its children are gone. */
const expiringParent: Scheme = function* (world) {
  const market = world.open(price);
  const [one, two] = world.colluders(5_000, 5_000);
  if (one === undefined || two === undefined) return;
  world.place(two, market, 'sell', { price, lots: 10 });
  world.place(one, market, 'buy', {
    price,
    lots: 20,
    takeProfit: at(31_000),
    stopLoss: at(29_000),
    timeInForce: 'gtd',
    goodTill: (world.time + 5_000) as TimestampMs,
  });
  expectSame('filled', world.lotsOf(one, market), 10);
  yield;
  closeByHand(world, market, [one, two]);
  world.pass(6_000);
  yield;
  world.cross(market, [one, two], price, 5);
  expectSame('orders that are left', openOf(world, one, market), '');
  world.push(market.symbol, 28_900);
  world.pass(1_000);
  expectSame('the new position', world.lotsOf(one, market), 5);
};

/** The same parent lives on: its children leave a new position alone until it fills again. */
const livingParent: Scheme = function* (world) {
  const market = world.open(price);
  const [one, two] = world.colluders(5_000, 5_000);
  if (one === undefined || two === undefined) return;
  world.place(two, market, 'sell', { price, lots: 10 });
  const terms = { price, lots: 20, takeProfit: at(31_000), stopLoss: at(29_000) };
  world.place(one, market, 'buy', terms);
  const waiting = 'limit,take_profit_market,stop_market';
  expectSame('with the parent', openOf(world, one, market), waiting);
  closeByHand(world, market, [one, two]);
  yield;
  world.cross(market, [one, two], price + 1, 5);
  for (const index of [31_200, price, 28_900, price]) {
    // A counterparty to close with, at a better price than the rest of the parent.
    world.place(two, market, 'buy', { price: price + 1, lots: 5 });
    world.push(market.symbol, index);
    world.pass(1_000);
    cancelAll(world, two);
    expectSame(`the new position at ${index}`, world.lotsOf(one, market), 5);
    expectSame(`orders at ${index}`, openOf(world, one, market), waiting);
    yield;
  }
  world.place(two, market, 'sell', { price, lots: 4, timeInForce: 'ioc' });
  expectSame('with more of the parent', world.lotsOf(one, market), 9);
  world.place(two, market, 'buy', { price: 31_100, lots: 20 });
  world.push(market.symbol, 31_200);
  world.pass(1_000);
  expectSame('what the parent has not filled', world.lotsOf(one, market), 5);
  expectSame('the parent', openOf(world, one, market), 'limit');
  takeOut(world, one, two);
};

/** One command turns a long with children, and the child of the new side fires in it. */
const turning: Scheme = function* (world) {
  const market = world.open(price);
  const [one, two] = world.colluders(5_000, 5_000);
  if (one === undefined || two === undefined) return;
  world.place(two, market, 'sell', { price, lots: 10 });
  const long = { price, lots: 10, takeProfit: at(30_400), stopLoss: at(29_900, 'contract') };
  world.place(one, market, 'buy', long);
  expectSame('the long', world.lotsOf(one, market), 10);
  yield;
  // At 29,850 both the stop of the long and the take-profit of the short are reached.
  world.place(two, market, 'sell', { price: 29_900, lots: 40 });
  world.place(two, market, 'buy', { price: 29_850, lots: 20 });
  const profit = { takeProfit: at(29_860, 'contract'), stopLoss: at(30_300) };
  world.place(one, market, 'sell', { price: 29_850, lots: 20, ...profit });
  const told = [
    'sell limit placed',
    'buy take_profit_market placed',
    'buy stop_market placed',
    'sell take_profit_market expired position_closed',
    'sell stop_market expired position_closed',
    'buy take_profit_market triggered',
    'buy stop_market canceled sibling_fired',
  ];
  expectSame('the command that turns', toldOf(world, one), told.join());
  expectSame('the turned position', world.lotsOf(one, market), 0);
  expectSame('orders that are left', openOf(world, one, market), '');
  yield;
  cancelAll(world, two);
  world.cross(market, [two, one], price, 10);
  world.push(market.symbol, price + 400);
  world.pass(1_000);
  expectSame('a new short', world.lotsOf(one, market), -10);
  takeOut(world, one, two);
};

/** Another stop of the account closes the position in the command in which a child is due. */
const ownStop: Scheme = function* (world) {
  const market = world.open(price);
  const [one, two] = world.colluders(5_000, 5_000);
  const [three] = world.colluders(5_000);
  if (one === undefined || two === undefined || three === undefined) return;
  const stop = (stopPrice: number) => ({
    orderType: 'stop_market' as const,
    ...at(stopPrice),
  });
  world.place(two, market, 'sell', { price, lots: 10 });
  const terms = { price, lots: 30, takeProfit: at(31_000), stopLoss: at(28_985) };
  world.place(one, market, 'buy', terms);
  world.place(one, market, 'sell', { lots: 10, isReduceOnly: true, ...stop(29_050) });
  world.place(three, market, 'sell', { lots: 4, ...stop(28_990) });
  world.place(two, market, 'buy', { price: price + 1, lots: 10 });
  world.push(market.symbol, 28_986);
  // A scan that began before may keep the market settling for a command.
  world.passSilently(0);
  // The stop closes 10; then the rest of the parent is met, which begins another position.
  expectSame('the new position', world.lotsOf(one, market), 4);
  const { futures } = world.engine;
  const child = futures
    .listOpenFuturesOrders(one, market.marketId)
    .find(({ type }) => type === 'stop_market');
  const { positionNumber, coveredQuantity } = futures.findProtection(child!.orderNumber) ?? {};
  expectSame('what is covered', `${coveredQuantity} of ${positionNumber}`, '4 of 2');
  yield;
  world.place(two, market, 'buy', { price: price + 1, lots: 4 });
  world.push(market.symbol, price);
  // Many close-outs elsewhere keep the market settling for a while, which refuses orders.
  world.passSilently(0);
  world.place(one, market, 'sell', { lots: 4, isReduceOnly: true, ...stop(28_995) });
  world.push(market.symbol, 28_984);
  expectSame('the command of both stops', toldOf(world, one), 'sell stop_market triggered');
  expectSame('closed by the first', world.lotsOf(one, market), 0);
  cancelAll(world, one);
  takeOut(world, one, two, three);
};

export const childSchemes: Readonly<Record<string, Scheme>> = {
  'a part-filled parent that expires': expiringParent,
  'a part-filled parent that lives on': livingParent,
  'children on both sides': turning,
  'a stop beside a child': ownStop,
};
