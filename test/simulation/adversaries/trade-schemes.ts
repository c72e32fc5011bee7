import { expectSame, expectThat, type Scheme, takeOut, usdt } from './scheme.ts';

// What groups do with orders, funding and limits while no price jumps. A lot is a thousandth of a
// coin.

const price = 30_000;
const hourMs = 3_600_000;

/** Withdrawing one command before the hour and one after it escapes no funding. */
const hourStrikes: Scheme = function* (world) {
  const market = world.open(price);
  const [long, short] = world.colluders(1_500, 3_000);
  const stranger = world.fund(3_000);
  if (long === undefined || short === undefined) return;
  world.cross(market, [long, stranger], price, 500);
  for (let each = 0; each < 3; each += 1) {
    const toHour = hourMs - (world.time % hourMs);
    if (toHour > 1_000) world.pass(toHour - 1);
    takeOut(world, long, short);
    world.time += 1;
    const funded = world.engine.futures.getPerpAccount(long);
    expectThat(funded.withdrawable <= funded.walletBalance, 'more than the wallet leaves');
    takeOut(world, long, short);
    yield;
    world.pass(1_000);
    world.move(long, usdt(10), 'spot_to_perp');
    yield;
  }
  world.flatten(long, market);
};

/** A resting bid that has become a loss is hit by a second account of the same owner. */
const deepBid: Scheme = function* (world) {
  const market = world.open(price);
  const [bidder, seller] = world.colluders(1_500, 10_000);
  if (bidder === undefined || seller === undefined) return;
  expectSame('bid', world.place(bidder, market, 'buy', { price, lots: 900 }), null);
  yield;
  world.push(market.symbol, 28_000);
  world.pass(1_000);
  world.place(seller, market, 'sell', { price: 28_000, lots: 900 });
  expectSame('lots that the bid has bought', world.lotsOf(bidder, market), 0);
  takeOut(world, seller, bidder);
  yield;
};

/** Trades among the group far off the mark, to move profit; the last price and book walked up. */
const washTrades: Scheme = function* (world) {
  const market = world.open(price);
  const [one, two] = world.colluders(2_000, 2_000);
  if (one === undefined || two === undefined) return;
  for (const off of [39_000, 21_000, 32_900, 27_100, 33_000, 27_000]) {
    world.cross(market, world.draw(2) === 0 ? [one, two] : [two, one], off, 20);
    for (const each of [one, two]) {
      world.do({ type: 'cancelAllFuturesOrders', accountId: each, marketId: null, kind: 'all' });
    }
    takeOut(world, one, two);
    yield;
    world.pass(30_000);
    const { markPrice } = world.engine.futures.getFuturesPrices(market.marketId);
    const isNear = markPrice !== null && markPrice <= usdt(30_600) && markPrice >= usdt(29_400);
    expectThat(isNear, 'the mark stays within 2 % of the index');
  }
  world.flatten(one, market);
  takeOut(world, one, two);
};

/** All the leverage there is, in three markets at once, raised while positions are open. */
const allLeverage: Scheme = function* (world) {
  const [one, two] = world.colluders(300, 300);
  if (one === undefined || two === undefined) return;
  const markets = [world.open(price), world.open(price), world.open(price)];
  for (const market of markets) {
    for (const each of [one, two]) world.leverage(each, market, 125);
    world.cross(market, [one, two], price, 300);
    world.cross(market, [two, one], price, 50);
    for (const each of [one, two]) world.leverage(each, market, world.pick([1, 20, 75, 125]));
    takeOut(world, one, two);
    yield;
  }
  world.pass(1_000);
  for (const each of [one, two]) {
    const { equity, maintenanceMargin } = world.engine.futures.getPerpAccount(each);
    expectThat(equity > maintenanceMargin, 'nobody is in danger while no price moves');
  }
};

/** Two colluders push the open interest of a thin market to its maximum. */
const openInterest: Scheme = function* (world) {
  const most = usdt(200_000);
  const market = world.open(price, { maxNotional: most, maxOpenInterest: most });
  const [one, two] = world.colluders(60_000, 60_000);
  if (one === undefined || two === undefined) return;
  for (let each = 0; each < 12; each += 1) {
    world.cross(market, [one, two], price, 1_000);
    world.do({ type: 'cancelAllFuturesOrders', accountId: two, marketId: null, kind: 'all' });
    const lots = world.engine.futures.getOpenInterest(market.marketId);
    expectThat(lots * price <= 200_000 * 1_000, 'open interest stays under its largest');
  }
  yield;
  world.push(market.symbol, 27_000);
  takeOut(world, two, one);
  yield;
  world.pass(1_000);
  takeOut(world, two, one);
};

/** Small accounts are bankrupt one after the other, to hold up what others take out. */
const holdUp: Scheme = function* (world) {
  const market = world.open(price);
  const [rich] = world.colluders(5_000);
  if (rich === undefined) return;
  let index = price;
  for (let each = 0; each < 6; each += 1) {
    const [small] = world.colluders(7);
    if (small === undefined) return;
    world.leverage(small, market, 50);
    world.cross(market, [small, rich], index, 10);
    index -= 700;
    world.push(market.symbol, index);
    world.pass(1_000);
    expectSame('lots of the small account', world.lotsOf(small, market), 0);
    const isSettling = world.engine.futures.isFuturesMarketSettling(market.marketId);
    expectThat(!isSettling, 'the market is settled');
    takeOut(world, small);
    yield;
  }
};

export const tradeSchemes: Readonly<Record<string, Scheme>> = {
  'out around the hour': hourStrikes,
  'a bid deep in loss': deepBid,
  'trades off the mark': washTrades,
  'all the leverage there is': allLeverage,
  'open interest at its largest': openInterest,
  'small accounts that hold up': holdUp,
};
