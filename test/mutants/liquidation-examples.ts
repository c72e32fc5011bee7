import { formatAmount, toAmount } from '../../src/domain/amount.ts';
import { engineFactory } from '../../src/engine/engine.ts';
import { btcTerms, FuturesFixture } from '../support/futures-fixture.ts';

import { type Example, opposite, reserve, same, topUp, unit, walletOf } from './example.ts';

/** A fund of 3,400; three accounts go bankrupt by 1,150, minutes apart. */
function drain(): void {
  const futures = new FuturesFixture();
  const [bob, carol] = [futures.fund(1, 1_000_000), futures.fund(2, 1_000_000)];
  futures.setIndex(30_000);
  topUp(futures, 3_400n, 'treasury');
  const funds: string[] = [];
  for (let number = 3; number <= 5; number += 1) {
    futures.advance(61_000);
    futures.setIndex(30_000);
    const poor = futures.fund(number, 15_000);
    futures.place(bob, 'sell', { price: 30_000, quantity: 10 });
    futures.place(poor, 'buy', { price: 30_000, quantity: 10 });
    if (number === 3) futures.place(carol, 'buy', { price: 28_400, quantity: 4 });
    // Under the insured band, which ends at 28,380.2.
    if (number === 4) futures.place(carol, 'buy', { price: 28_370, quantity: 1 });
    futures.setIndex(28_400);
    futures.advance(0);
    same('the closed position', futures.position(poor).quantity, 0);
    same('the closed wallet', walletOf(futures, poor), '0');
    funds.push(formatAmount(futures.engine.futures.insuranceFund));
  }
  same('the fund', funds.join(), '2550,1913,1913');
  same('bids that the fund pays', futures.position(carol).quantity, 4_000);
}

function collude(): void {
  const { futures, alice, bob } = opposite();
  same('the wallet of the long', walletOf(futures, alice), '1486.5');
  futures.setIndex(20_000);
  same(
    'both positions',
    [futures.position(alice).quantity, futures.position(bob).quantity],
    [0, 0],
  );
  same('the wallet of the winner', walletOf(futures, bob), '11481.04');
  const { lastPrice } = futures.engine.futures.getFuturesPrices(0 as never);
  same('the last price', lastPrice, 30_000n * unit);
  same('the gate', reserve(futures, bob), 'withdrawals_gated');
  futures.advance(60_000);
  same('the gate after a minute', reserve(futures, bob), null);
}

function sellOneSlice(): void {
  const { futures, alice } = opposite();
  const carol = futures.fund(3, 10_000);
  futures.setIndex(28_460);
  futures.place(carol, 'buy', { price: 28_460, quantity: 0.9 });
  futures.advance(1_000);
  same('what is left after a slice', futures.position(alice).quantity, 657);
  same('the fund after a slice', formatAmount(futures.engine.futures.insuranceFund), '6.91578');
  same('the close-out', futures.engine.futures.findCloseOut(alice), null);
}

function waitForABook(): void {
  const { futures, alice } = opposite();
  futures.setIndex(28_460);
  same('the stage', futures.engine.futures.findCloseOut(alice)?.stage, 'book');
  same('what leaves meanwhile', futures.wallet(alice).withdrawable, 0n);
  same('the position', futures.position(alice).quantity, 900);
  const before = futures.engine.sequence;
  const slices = futures.advance(500).filter(({ type }) => type === 'liquidationProgressed');
  same('slices within a second', [slices.length, futures.engine.sequence > before], [0, true]);
  futures.setIndex(28_470);
  same('a little over the margin', futures.engine.futures.findCloseOut(alice)?.stage, 'book');
}

/** An account with no equity left at the settlement price is closed first, at its bankruptcy price. */
function settleBeforeDelisting(): void {
  const { futures, alice, bob } = opposite();
  for (let number = 3; number <= 150; number += 1) futures.fund(number, 10);
  const settlementPrice = toAmount(28_300n * unit);
  const symbol = 'BTCUSDT';
  futures.done({ type: 'setFuturesMarketStatus', symbol, status: 'delisted', settlementPrice });
  futures.advance(0);
  same('both wallets', [alice, bob].map((each) => walletOf(futures, each)).join(), '0,11481.04');
  same('the fees', formatAmount(futures.engine.futures.futuresFees), '18.9');
}

/** The position with the most profit for its account's equity is deleveraged first. */
function rankWinners(): void {
  const futures = new FuturesFixture();
  const [poor, calm, keen, carol] = [
    futures.fund(1, 16_000),
    futures.fund(2, 2_000_000),
    futures.fund(3, 200_000),
    futures.fund(4, 200_000),
  ];
  futures.setIndex(30_000);
  for (const winner of [calm, keen]) {
    futures.place(winner, 'sell', { price: 30_000, quantity: 5 });
    futures.place(poor, 'buy', { price: 30_000, quantity: 5 });
  }
  const restored = engineFactory.restore(futures.engine.encodeState());
  same('the restored hash', restored.stateHash(), futures.engine.stateHash());
  futures.setIndex(28_600);
  futures.advance(0);
  futures.place(carol, 'buy', { price: 28_420, quantity: 5 });
  futures.setIndex(28_400);
  futures.advance(0);
  same('the poor one', futures.position(poor).quantity, 0);
  const left = [futures.position(calm).quantity, futures.position(keen).quantity];
  same('who is left', left.join(), '-5000,0');
}

/** A fall in one market is not paid by those who won in another one long before. */
function shareByLoss(): void {
  const futures = new FuturesFixture();
  futures.done({ type: 'createFuturesMarket', terms: { ...btcTerms, symbol: 'ETHUSDT' } });
  const setOther = (price: bigint) =>
    futures.done({ type: 'setIndexPrice', symbol: 'ETHUSDT', price: toAmount(price * unit) });
  const marketId = 1 as never;
  const [poor, first, second] = [
    futures.fund(1, 250_000),
    futures.fund(2, 10_000_000),
    futures.fund(3, 10_000_000),
  ];
  futures.setIndex(40_000);
  setOther(1_000n);
  futures.place(first, 'sell', { price: 40_000, quantity: 10 });
  futures.place(poor, 'buy', { price: 40_000, quantity: 10 });
  futures.place(second, 'sell', { price: 1_000, quantity: 400, marketId });
  futures.place(poor, 'buy', { price: 1_000, quantity: 400, marketId });
  for (const price of [36_000, 33_000, 30_000]) {
    futures.now += 1_000;
    futures.setIndex(price);
    futures.advance(0);
  }
  const before = futures.wallet(first).walletBalance;
  setOther(500n);
  futures.advance(0);
  same('the loser', futures.engine.futures.getPosition(poor, marketId).quantity, 0);
  same('the older winner', futures.wallet(first).walletBalance - before, 100_000n * unit);
}

/** A position that the price would turn into a loss is closed last, whatever its score. */
function spareLosers(): void {
  const futures = new FuturesFixture();
  const [keen, rich] = [futures.fund(1, 3_200), futures.fund(2, 1_000_000)];
  futures.setIndex(28_300);
  futures.place(keen, 'sell', { price: 28_300, quantity: 1 });
  futures.place(rich, 'buy', { price: 28_300, quantity: 1 });
  futures.setIndex(30_000);
  futures.advance(0);
  const [calm, poor] = [futures.fund(3, 2_000_000), futures.fund(4, 1_515)];
  futures.place(calm, 'sell', { price: 30_000, quantity: 1 });
  futures.place(poor, 'buy', { price: 30_000, quantity: 1 });
  futures.setIndex(28_000);
  futures.advance(0);
  const left = [poor, keen, calm].map((each) => futures.position(each).quantity);
  same('who is left', left.join(), '0,-1000,0');
}

/** A solvent account is closed at the mark price, and pays the fee from what is left. */
function closeSolvent(): void {
  const { futures, alice, bob } = opposite();
  futures.setIndex(28_420);
  futures.advance(0);
  same('both', [futures.position(alice).quantity, futures.position(bob).quantity].join(), '0,0');
  same('the fund', formatAmount(futures.engine.futures.insuranceFund), '64.5');
}

/** An account is closed at its maintenance margin, not only under it. */
function closeAtTheMargin(): void {
  const futures = new FuturesFixture();
  const [alice, bob] = [futures.fund(1, 2_118), futures.fund(2, 10_000)];
  futures.setIndex(30_000);
  futures.place(alice, 'buy', { price: 30_000, quantity: 1 });
  futures.place(bob, 'sell', { price: 30_000, quantity: 1 });
  futures.setIndex(28_000);
  const { equity, maintenanceMargin } = futures.wallet(alice);
  same('equity and margin', [equity, maintenanceMargin].map(formatAmount).join(), '112,112');
  same('the stage', futures.engine.futures.findCloseOut(alice)?.stage, 'book');
}

/** The same as a collusion of longs, mirrored. */
function closeShort(): void {
  const futures = new FuturesFixture();
  const [poor, rich] = [futures.fund(1, 1_500), futures.fund(2, 10_000)];
  futures.setIndex(30_000);
  futures.place(rich, 'buy', { price: 30_000, quantity: 0.9 });
  futures.place(poor, 'sell', { quantity: 0.9 });
  futures.setIndex(40_000);
  // 0.9 at 31,651.6, the price at which the 1,486.5 of the loser are used up.
  same('both wallets', [poor, rich].map((each) => walletOf(futures, each)).join(), '0,11481.04');
}

/** Examples of closing accounts. */
/** Of two bankrupt accounts with 200 orders each, one still has 144 of them after a command. */
function waitForOrders(): void {
  const futures = new FuturesFixture();
  const rich = futures.fund(1, 1_000_000);
  futures.setIndex(30_000);
  for (const number of [2, 3]) {
    const poor = futures.fund(number, 2_000);
    futures.place(rich, 'sell', { price: 30_000, quantity: 0.9 });
    futures.place(poor, 'buy', { quantity: 0.9 });
    for (let each = 0; each < 200; each += 1) {
      futures.place(poor, 'buy', { price: 27_500, quantity: 0.001 });
    }
  }
  futures.setIndex(20_000);
  const order = futures.order(rich, 'sell', { price: 20_500, quantity: 0.001 });
  same('an order while orders end', futures.refusal(order), 'market_settling');
  futures.advance(0);
  same('an order after them', futures.refusal(order), null);
}

/** An account that is emptied leaves the same bytes, restored on the way or not. */
function emptyAfterRestore(): void {
  const hashes = [false, true].map((isRestored) => {
    const futures = new FuturesFixture();
    const alice = futures.fund(1, 1_000);
    if (isRestored) futures.engine = engineFactory.restore(futures.engine.encodeState());
    futures.done({
      type: 'transferFunds',
      accountId: alice,
      direction: 'perp_to_spot',
      amount: toAmount(1_000n * unit),
      clientTransferId: null,
    });
    return futures.engine.stateHash();
  });
  same('the hash', hashes[1], hashes[0]);
}

/** A margin call ends when equity is 3/2 of the maintenance margin, at 28,519.45. */
function callTwice(): void {
  const { futures } = opposite();
  const calls = [28_490, 28_519, 28_490, 28_520, 28_490].map(
    (price) => futures.setIndex(price).filter(({ type }) => type === 'marginCallRaised').length,
  );
  same('margin calls', calls.join(), '1,0,0,0,1');
}

/** Between two slices; at 28,423 equity is 67.2, and two thirds of the margin are 68.22. */
function closeBetweenSlices(): void {
  const { futures, alice } = opposite();
  futures.setIndex(28_460);
  same('the stage', futures.engine.futures.findCloseOut(alice)?.stage, 'book');
  futures.advance(0);
  futures.setIndex(28_423);
  same('what is left', futures.position(alice).quantity, 0);
}

export const liquidationExamples: readonly Example[] = [
  { name: 'a bankrupt short', run: closeShort },
  { name: 'a market settles while orders end', run: waitForOrders },
  { name: 'an emptied account, restored on the way or not', run: emptyAfterRestore },
  { name: 'deleveraging: the fund pays 850 of 3,400, then 637, then nothing', run: drain },
  { name: 'collusion: both together have what they put in', run: collude },
  { name: 'a slice of 0.243 BTC ends a close-out', run: sellOneSlice },
  { name: 'an account waits for a book', run: waitForABook },
  { name: 'a delisting settles bankrupt accounts first', run: settleBeforeDelisting },
  { name: 'who is deleveraged first', run: rankWinners },
  { name: 'a solvent account is closed at the mark', run: closeSolvent },
  { name: 'losers are spared', run: spareLosers },
  { name: 'closed at the margin', run: closeAtTheMargin },
  { name: 'losses are shared by what has moved', run: shareByLoss },
  { name: 'a margin call ends before the next one', run: callTwice },
  { name: 'a book stage ends between two slices', run: closeBetweenSlices },
];
