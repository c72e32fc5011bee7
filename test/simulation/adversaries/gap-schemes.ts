import { expectSame, expectThat, type Scheme, takeOut, usdt } from './scheme.ts';
import type { World } from './world.ts';

// What groups do around prices that jump. A lot is a thousandth of a coin.

const price = 30_000;

/** Two accounts of one owner, 0.9 coins against each other: 1,500 and 10,000 USDT. */
function opposite(world: World) {
  const market = world.open(price);
  const [long, short] = world.colluders(1_500, 10_000);
  if (long === undefined || short === undefined) throw new Error('there are two');
  expectSame('opening', world.cross(market, [long, short], price, 900), null);
  return { market, long, short };
}

/** A lot in a market whose feed has stopped protects nobody. */
const staleShield: Scheme = function* (world) {
  const { market, long, short } = opposite(world);
  const other = world.open(10_000);
  expectSame('the lot', world.cross(other, [long, short], 10_000, 1), null);
  world.silent.add(other.symbol);
  for (let second = 0; second < 61; second += 20) {
    world.pass(20_000);
    yield;
  }
  expectSame('state', world.engine.futures.getFuturesPrices(other.marketId).priceState, 'stale');
  world.push(market.symbol, 28_300);
  world.pass(0);
  expectThat(world.lotsOf(long, market) < 900, 'a stale lot protects the account');
  yield;
  takeOut(world, long, short);
};

/** Nobody holds anything in a market that has no price. */
const unpriced: Scheme = function* (world) {
  const market = world.open(null);
  const [long, short] = world.colluders(1_500, 10_000);
  if (long === undefined || short === undefined) return;
  const refusal = world.cross(market, [long, short], 1, 1_000_000);
  expectSame('an order without a price', refusal, 'index_price_missing');
  yield;
  expectSame('position', world.lotsOf(long, market), 0);
  takeOut(world, long, short);
};

/** The gap makes the long's loss larger than its money; the short wants its profit at once. */
const gapAndRun: Scheme = function* (world) {
  const { market, long, short } = opposite(world);
  yield;
  world.push(market.symbol, 20_000);
  takeOut(world, short, long);
  yield;
  world.pass(1_000);
  takeOut(world, short, long);
  for (let each = 0; each < 4; each += 1) {
    yield;
    world.pass(30_000);
    takeOut(world, short, long);
  }
  expectThat(world.payers.gainOf(short) <= 0n || world.payers.housePaid > 0n, 'out of nothing');
};

/** The winner sells its gain to a stranger before anyone has been judged. */
const sellTheGap: Scheme = function* (world) {
  const { market, long, short } = opposite(world);
  const stranger = world.fund(50_000);
  expectSame('ask', world.place(stranger, market, 'sell', { price: 27_500, lots: 900 }), null);
  yield;
  world.push(market.symbol, 25_000);
  const side = 'buy';
  const refusal = world.place(short, market, side, { price: 27_500, lots: 900 });
  world.note(`gap sold: ${refusal ?? 'taken'}`);
  takeOut(world, short, long);
  yield;
  world.pass(1_000);
  takeOut(world, short, long);
};

/** Profit in one market, loss in another: what nobody has paid yet does not leave. */
const acrossMarkets: Scheme = function* (world) {
  const first = world.open(40_000);
  const second = world.open(1_000);
  const [long, short] = world.colluders(30_000, 60_000);
  const stranger = world.fund(60_000);
  if (long === undefined || short === undefined) return;
  world.cross(first, [long, stranger], 40_000, 5_000);
  world.cross(second, [long, short], 1_000, 200_000);
  for (const each of [38_000, 37_500]) {
    world.push(first.symbol, each);
    world.pass(1_000);
    yield;
  }
  world.push(second.symbol, 500);
  takeOut(world, short, long);
  yield;
  for (let each = 0; each < 4; each += 1) {
    world.pass(20_000);
    takeOut(world, short, long);
    yield;
  }
};

/** The group's bids far under the mark wait for the liquidation of its own account. */
const drainFund: Scheme = function* (world) {
  const market = world.open(price);
  const [long, short, bidder] = world.colluders(3_000, 30_000, 30_000);
  if (long === undefined || short === undefined || bidder === undefined) return;
  world.leverage(long, market, 50);
  expectSame('opening', world.cross(market, [long, short], price, 3_000), null);
  for (const bid of [27_900, 27_500, 28_300]) {
    world.place(bidder, market, 'buy', { price: bid, lots: 1_000 });
  }
  const before = world.payers.housePaid;
  for (const each of [29_700, 29_500, 29_300, 29_150]) {
    world.push(market.symbol, each);
    world.pass(1_000);
    yield;
  }
  world.note(world.payers.housePaid > before ? 'drain paid' : 'drain unpaid');
  for (const member of [long, short, bidder]) world.flatten(member, market);
  for (let each = 0; each < 4; each += 1) {
    takeOut(world, long, short, bidder);
    world.pass(20_000);
    yield;
  }
};

/** The same if the gap is large: bids close enough to the mark that the fund may pay for them. */
const insuredBids: Scheme = function* (world) {
  const { market, long, short } = opposite(world);
  world.place(short, market, 'buy', { price: 27_995, lots: 500 });
  const [fund, before] = [world.engine.futures.insuranceFund, world.payers.housePaid];
  yield;
  world.push(market.symbol, 28_000);
  world.pass(1_000);
  const paid = world.payers.housePaid - before;
  expectThat(paid * 4n <= fund || world.engine.futures.insuranceFund !== fund, 'a quarter at most');
  takeOut(world, short, long);
  yield;
  world.flatten(short, market);
  takeOut(world, short, long);
};

/** An index of ten times the last one: by a slip, then meant, then back. */
const tenfold: Scheme = function* (world) {
  const guarded = world.open(price, { indexJumpBps: 1_000 });
  const [long, short] = world.colluders(2_000, 2_000);
  if (long === undefined || short === undefined) return;
  expectSame('opening', world.cross(guarded, [long, short], price, 600), null);
  world.push(guarded.symbol, price * 10);
  expectSame(
    'mark',
    world.engine.futures.getFuturesPrices(guarded.marketId).markPrice,
    usdt(price),
  );
  takeOut(world, long, short);
  yield;
  world.push(guarded.symbol, price);
  yield;
  world.push(guarded.symbol, price * 10);
  takeOut(world, long, short);
  yield;
  world.pass(2_000);
  takeOut(world, long, short);
  yield;
  world.push(guarded.symbol, price);
  world.pass(2_000);
  takeOut(world, long, short);
};

/** Steps of nine percent a second, up and down, with new opposite positions in between. */
const steps: Scheme = function* (world) {
  const { market, long, short } = opposite(world);
  let index = price;
  for (let step = 0; step < 8; step += 1) {
    index = Math.round(index * (world.draw(2) === 0 ? 1.09 : 0.91));
    world.push(market.symbol, index);
    takeOut(world, long, short);
    world.cross(market, [long, short], index, 100 + world.draw(300));
    yield;
    world.pass(1_000);
    takeOut(world, short, long);
  }
};

/** Hundreds of small accounts are bankrupt at once, and more than 64 winners stand against them. */
const dust: Scheme = function* (world) {
  const market = world.open(price);
  const losers = world.colluders(...Array.from({ length: 60 }, () => 40));
  const winners = Array.from({ length: 80 }, () => world.fund(60));
  for (const [at, loser] of losers.entries()) {
    world.leverage(loser, market, 50);
    const winner = winners[at] ?? loser;
    world.leverage(winner, market, 50);
    world.cross(market, [loser, winner], price, 50);
  }
  const [whale] = world.colluders(2_000);
  if (whale === undefined) return;
  for (const winner of winners.slice(60)) world.cross(market, [whale, winner], price, 40);
  yield;
  world.push(market.symbol, 27_000);
  for (let each = 0; each < 40; each += 1) {
    world.tick(5);
    const winner = world.pick(winners);
    world.withdraw(winner);
    if (each % 8 === 0) yield;
  }
  world.pass(1_000);
  takeOut(world, ...losers);
  for (const winner of winners) world.withdraw(winner);
};

/** The feed stops, the group lets itself be closed at the old price, then the feed jumps. */
const staleGap: Scheme = function* (world) {
  const { market, long, short } = opposite(world);
  const third = world.fund(5_000);
  world.cross(market, [third, short], price, 10);
  world.silent.add(market.symbol);
  for (let each = 0; each < 4; each += 1) {
    world.pass(20_000);
    yield;
  }
  const refusal = world.place(third, market, 'buy', { price, lots: 10 });
  expectSame('an order that opens at a stale price', refusal, 'index_price_stale');
  takeOut(world, long, short);
  yield;
  world.silent.delete(market.symbol);
  world.push(market.symbol, 21_000);
  takeOut(world, short, long);
  yield;
  world.pass(2_000);
  takeOut(world, short, long);
  yield;
  world.pass(61_000);
  takeOut(world, short, long);
};

/** A market is delisted while one side is far below zero at its settlement price. */
const delistedBankrupt: Scheme = function* (world) {
  const { market, long, short } = opposite(world);
  yield;
  world.push(market.symbol, 29_500);
  for (let second = 0; second < 5; second += 1) world.pass(1_000);
  yield;
  const { symbol } = market;
  const status = 'delisted';
  const without = world.do({ type: 'setFuturesMarketStatus', symbol, status });
  expectSame('delisting without enough samples', without, 'settlement_price_required');
  const far = usdt(20_000);
  const refusal = world.do({
    type: 'setFuturesMarketStatus',
    symbol,
    status,
    settlementPrice: far,
  });
  expectSame('a price far off', refusal, 'parameter_invalid');
  world.indexes.delete(symbol);
  const near = usdt(27_000);
  world.do({ type: 'setFuturesMarketStatus', symbol, status, settlementPrice: near });
  takeOut(world, short, long);
  yield;
  world.restore();
  world.pass(1_000);
  expectSame('long', world.lotsOf(long, market), 0);
  expectSame('short', world.lotsOf(short, market), 0);
  takeOut(world, short, long);
};

/** A halted market gaps, and is listed again; money comes in while the account is closed. */
const haltedGap: Scheme = function* (world) {
  const { market, long, short } = opposite(world);
  const { symbol } = market;
  world.do({ type: 'setFuturesMarketStatus', symbol, status: 'halted' });
  yield;
  world.push(symbol, 28_450);
  world.do({
    type: 'creditBalance',
    address: world.engine.getAddress(long),
    token: 'USDT',
    amount: usdt(100),
    actor: 'test',
    reason: null,
    reference: null,
  });
  world.move(long, usdt(50), 'spot_to_perp');
  yield;
  world.push(symbol, 24_000);
  world.move(long, usdt(50), 'spot_to_perp');
  takeOut(world, short, long);
  world.do({ type: 'setFuturesMarketStatus', symbol, status: 'listed' });
  yield;
  world.pass(1_000);
  takeOut(world, short, long);
};

export const gapSchemes: Readonly<Record<string, Scheme>> = {
  'a stale lot as a shield': staleShield,
  'a market without a price': unpriced,
  'a gap, and out at once': gapAndRun,
  'a gap sold to a stranger': sellTheGap,
  'a gap across two markets': acrossMarkets,
  'own bids for the fund': drainFund,
  'own bids close to the mark': insuredBids,
  'an index ten times as high': tenfold,
  'steps of nine percent': steps,
  'dust, and more than 64 winners': dust,
  'a gap after silence': staleGap,
  'a delisting below zero': delistedBankrupt,
  'a gap of a halted market': haltedGap,
};
