import { formatAmount, toAmount } from '../../src/domain/amount.ts';
import { btcTerms, FuturesFixture } from '../support/futures-fixture.ts';
import { postBadDebt } from '../support/post-bad-debt.ts';

import { counterpartyExamples } from './counterparty-examples.ts';
import { type Example, hourMs, opposite, reserve, same, topUp, unit, walletOf } from './example.ts';

import { liquidationExamples } from './liquidation-examples.ts';
import { marginExamples } from './margin-examples.ts';
import { settlingExamples } from './settling-examples.ts';
import { spotExamples } from './spot-examples.ts';

function payFunding(): void {
  const futures = new FuturesFixture();
  futures.now = Math.ceil(futures.now / hourMs) * hourMs - 1_870_000;
  const maker = futures.fund(9, 1_000_000);
  const payer = futures.fund(1, 10_000);
  futures.now += 69_000;
  futures.setIndex(30_000);
  futures.place(maker, 'sell', { price: 30_000, quantity: 1 });
  futures.place(payer, 'buy', { price: 30_000, quantity: 1 });
  futures.place(maker, 'buy', { price: 30_000, quantity: 1 });
  futures.watch(1_800);
  futures.now += 1_000;
  const told = futures.done({
    type: 'transferFunds',
    accountId: maker,
    direction: 'perp_to_spot',
    amount: toAmount(1n),
    clientTransferId: null,
  });
  same(
    'funding ahead of a transfer',
    told.some(({ type }) => type === 'fundingPaid'),
    true,
  );
  futures.place(payer, 'sell', { price: 30_000, quantity: 1 });
  same('the wallet after the hour', walletOf(futures, payer), '9969.625');
}

/** For one hour the long pays what the short gets, once, whatever they do afterwards. */
function payOnce(): void {
  const futures = new FuturesFixture();
  futures.now = Math.ceil(futures.now / hourMs) * hourMs - 1_801_000;
  const [long, short] = [futures.fund(1, 10_000), futures.fund(2, 10_000)];
  futures.setIndex(30_000);
  futures.place(short, 'sell', { price: 30_000, quantity: 1 });
  futures.place(long, 'buy', { price: 30_000, quantity: 1 });
  futures.watch(1_800);
  futures.advance(1_000);
  const wallets = (): string => [long, short].map((each) => walletOf(futures, each)).join();
  same('the wallets after the hour', wallets(), '9984.625,9994.375');
  futures.place(long, 'sell', { price: 30_000, quantity: 0.5 });
  futures.place(short, 'buy', { price: 30_000, quantity: 0.5 });
  same('the wallets after a trade', wallets(), '9981.625,9986.875');
}

/** A lot at 30,001 is due 37,501.25 units: the long pays one more than the short gets. */
function roundFunding(): void {
  const futures = new FuturesFixture();
  futures.now = Math.ceil(futures.now / hourMs) * hourMs - 1_801_000;
  const [long, short] = [futures.fund(1, 10_000), futures.fund(2, 10_000)];
  futures.setIndex(30_001);
  futures.place(short, 'sell', { price: 30_001, quantity: 0.001 });
  futures.place(long, 'buy', { price: 30_001, quantity: 0.001 });
  futures.watch(1_800);
  futures.advance(1_000);
  const wallets = [long, short].map((each) => walletOf(futures, each));
  same('the wallets after the hour', wallets.join(), '9999.98462448,9999.99437481');
}

/** A position that begins after an hour owes nothing of it. */
function openAfterAnHour(): void {
  const futures = new FuturesFixture();
  futures.now = Math.ceil(futures.now / hourMs) * hourMs - 1_801_000;
  const [long, short, late] = [
    futures.fund(1, 10_000),
    futures.fund(2, 10_000),
    futures.fund(3, 10_000),
  ];
  futures.setIndex(30_000);
  futures.place(short, 'sell', { price: 30_000, quantity: 0.1 });
  futures.place(long, 'buy', { quantity: 0.1 });
  futures.watch(1_800);
  futures.advance(1_000);
  futures.setIndex(30_000);
  futures.place(short, 'sell', { price: 30_000, quantity: 0.1 });
  futures.place(late, 'buy', { quantity: 0.1 });
  const before = [long, late].map((each) => futures.wallet(each).walletBalance);
  futures.watch(1_800);
  futures.advance(1_800_000);
  const paid = [long, late].map(
    (each, at) => futures.wallet(each).walletBalance - (before[at] ?? 0n),
  );
  same('what both pay in the next hour', paid[1], paid[0]);
  same('that it is something', (paid[1] ?? 0n) < 0n, true);
}

/** Neither trades nor the book move the mark of a market whose index is old. */
function freezeTheMark(): void {
  const { futures, alice, bob } = opposite();
  const markOf = () => futures.engine.futures.getFuturesPrices(0 as never).markPrice;
  futures.advance(61_000);
  const mark = markOf();
  futures.place(bob, 'buy', { price: 29_400, quantity: 0.1 });
  futures.place(alice, 'sell', { price: 29_400, quantity: 0.1 });
  futures.place(bob, 'buy', { price: 29_300, quantity: 0.1 });
  futures.place(alice, 'sell', { price: 29_500, quantity: 0.1 });
  for (let second = 0; second < 40; second += 1) futures.advance(1_000);
  same('what alice has left', futures.position(alice).quantity, 800);
  same('the mark', markOf(), mark);
}

function judgeByOwnFunding(): void {
  const { futures, alice } = opposite();
  const { equity, walletBalance, unrealizedProfit } = futures.wallet(alice);
  same('equity', equity, walletBalance + unrealizedProfit);
  futures.now = Math.ceil(futures.now / hourMs) * hourMs;
  futures.setIndex(30_000);
  futures.watch(1_800);
  futures.now = Math.ceil(futures.now / hourMs) * hourMs;
  futures.setIndex(30_000);
  const after = futures.wallet(alice);
  const pending = futures.engine.futures.getPendingFunding(alice);
  same('equity at the hour', after.equity, after.walletBalance + after.unrealizedProfit + pending);
  futures.advance(0);
  const later = futures.advance(1_000).filter(({ type }) => type === 'fundingSettled');
  same('hours in the next second', later.length, 0);
  const settlementPrice = toAmount(30_000n * unit);
  const delist = { type: 'setFuturesMarketStatus', symbol: 'BTCUSDT', status: 'delisted' } as const;
  futures.done({ ...delist, settlementPrice });
  futures.advance(0);
  const hours = futures.advance(hourMs).filter(({ type }) => type === 'fundingSettled');
  same('hours of a delisted market', hours.length, 0);
  const listed = { type: 'setFuturesMarketStatus', symbol: 'BTCUSDT', status: 'listed' } as const;
  same('a delisted market', futures.refusal(listed), 'market_status_final');
}

function shutTheGate(): void {
  const { futures, bob } = opposite();
  const idle = futures.fund(3, 100);
  same('the gate', reserve(futures, idle), null);
  postBadDebt(futures.engine, 100n * unit);
  same('the gate with bad debt', reserve(futures, idle), 'withdrawals_gated');
  same('more fees than there are', topUp(futures, 1_000n, 'fees'), 'insufficient_balance');
  topUp(futures, 150n, 'treasury');
  same('the debt', futures.engine.futures.badDebt, 0n);
  same('the fund', formatAmount(futures.engine.futures.insuranceFund), '150');
  futures.advance(60_000);
  same('the gate after a minute', reserve(futures, idle), null);
  const more = futures.wallet(bob).withdrawable + 1n;
  const transfer = { type: 'transferFunds', accountId: bob, direction: 'perp_to_spot' } as const;
  const tooMuch = { ...transfer, amount: toAmount(more), clientTransferId: null };
  same('a unit too much', futures.refusal(tooMuch), 'insufficient_balance');
  futures.advance(300_001);
  same('the gate after a pause', reserve(futures, idle), 'withdrawals_gated');
}

/** Later fees first repay losses that nobody has paid. */
function repayByFees(): void {
  const { futures } = opposite();
  postBadDebt(futures.engine, 100n * unit);
  const carol = futures.fund(3, 10_000);
  futures.setIndex(28_460);
  futures.place(carol, 'buy', { price: 28_460, quantity: 0.9 });
  futures.advance(1_000);
  same('the debt', formatAmount(futures.engine.futures.badDebt), '-93.08422');
}

function guardAgainstJumps(): void {
  const { futures, alice } = opposite({ ...btcTerms, indexJumpBps: 1_000 });
  const index = (): unknown => futures.engine.futures.getFuturesPrices(0 as never).indexPrice;
  futures.setIndex(20_000);
  same('the index after a slip', index(), 30_000n * unit);
  const adds = futures.order(alice, 'buy', { price: 29_900, quantity: 0.001 });
  same('an order at a held price', futures.refusal(adds), 'index_price_stale');
  futures.now += 500;
  futures.setIndex(20_050);
  same('the index half a second later', index(), 30_000n * unit);
  futures.now += 500;
  futures.setIndex(20_050);
  same('the index a second later', index(), 20_050n * unit);
}

function keepMargins(): void {
  const futures = new FuturesFixture();
  const [alice, bob] = [futures.fund(1, 1_500), futures.fund(2, 10_000)];
  futures.setIndex(30_000);
  const order = { price: 30_000, quantity: 1 };
  futures.place(alice, 'buy', { price: 29_900, quantity: 0.9 });
  same('margin of a bid', formatAmount(futures.wallet(alice).orderMargin), '1345.5');
  const both = futures.refusal(futures.order(alice, 'sell', { ...order, quantity: 2 }));
  same('asks beyond the margin', both, 'insufficient_margin');
  futures.setIndex(28_000);
  futures.place(bob, 'sell', { price: 29_900, quantity: 0.9 });
  same('a bid that would lose all', futures.position(alice).quantity, 0);
}

function judgeTerms(): void {
  const futures = new FuturesFixture();
  const rate = 34_000_000n as typeof btcTerms.maintenanceMarginRate;
  const terms = { ...btcTerms, symbol: 'NEWUSDT', maxLeverage: 20, maintenanceMarginRate: rate };
  const refusal = futures.refusal({ type: 'createFuturesMarket', terms });
  same('terms of 20 times 3.4 %', refusal, 'market_terms_invalid');
}

/** A transfer has its money, counts once by its id, and what is set aside ends once. */
function transfer(): void {
  const futures = new FuturesFixture();
  const accountId = futures.fund(1, 100);
  const terms = { type: 'transferFunds', accountId, clientTransferId: null } as const;
  const back = { ...terms, direction: 'perp_to_spot', amount: toAmount(40n * unit) } as const;
  futures.done({ ...back, clientTransferId: 'once' });
  futures.done({ ...back, clientTransferId: 'once' });
  same('the wallet after a transfer', walletOf(futures, accountId), '60');
  const more = { ...terms, direction: 'spot_to_perp', amount: toAmount(41n * unit) } as const;
  same('more than spot has', futures.refusal(more), 'insufficient_balance');
  const set = { type: 'reservePerpFunds', accountId, amount: toAmount(10n * unit) } as const;
  futures.done({ ...set, step: 'reserve', reference: 'w' });
  same('what is set aside', formatAmount(futures.wallet(accountId).reserved), '10');
  same('the wallet meanwhile', walletOf(futures, accountId), '50');
  futures.done({ ...set, step: 'release', reference: 'w' });
  const again = futures.refusal({ ...set, step: 'pay_out', reference: 'w' });
  same('a withdrawal that has ended', again, 'withdrawal_not_under_way');
  same('the wallet after all', walletOf(futures, accountId), '60');
}

/** At an old price an order that rests does not become a position. */
function growNothingOld(): void {
  const { futures, alice } = opposite();
  const carol = futures.fund(3, 10_000);
  futures.place(carol, 'buy', { price: 30_000, quantity: 0.1 });
  futures.advance(61_000);
  futures.place(alice, 'sell', { price: 30_000, quantity: 0.1 });
  same('who bid before the price was old', futures.position(carol).quantity, 0);
}

/** No part is sold at so bad a price that the rest is covered worse. */
function reduceWell(): void {
  const { futures, alice, bob } = opposite();
  futures.setIndex(28_500);
  futures.place(bob, 'buy', { price: 28_300, quantity: 0.45 });
  futures.place(alice, 'sell', { price: 28_300, quantity: 0.45 });
  same('a part sold far below the mark', futures.position(alice).quantity, 900);
  futures.place(bob, 'buy', { price: 28_400, quantity: 0.1 });
  futures.place(alice, 'sell', { price: 28_400, quantity: 0.1 });
  same('a part sold near the mark', futures.position(alice).quantity, 800);
}

/** A stop of the last price waits while the index is old, and fires when it is fresh. */
function waitWithTriggers(): void {
  const { futures, alice, bob } = opposite();
  const carol = futures.fund(3, 10_000);
  futures.place(bob, 'sell', { price: 30_000, quantity: 0.1 });
  futures.place(carol, 'buy', { price: 30_000, quantity: 0.1 });
  futures.place(carol, 'sell', { orderType: 'stop_market', stopPrice: 29_900, quantity: 0.1 });
  futures.advance(61_000);
  futures.place(bob, 'buy', { price: 29_900, quantity: 0.3 });
  futures.place(alice, 'sell', { price: 29_900, quantity: 0.1 });
  same('a stop at an old price', futures.position(carol).quantity, 100);
  futures.setIndex(30_000);
  futures.advance(0);
  same('a stop at a fresh price', futures.position(carol).quantity, 0);
}

/** A protected stop does not fire while last and mark price are far apart. */
function protectPrices(): void {
  const { futures, alice, bob } = opposite();
  const [carol, dave] = [futures.fund(3, 10_000), futures.fund(4, 10_000)];
  const stop = { orderType: 'stop_market', stopPrice: 29_000, triggerPriceKind: 'mark' } as const;
  futures.place(alice, 'sell', { ...stop, quantity: 0.5, isPriceProtected: true });
  futures.place(dave, 'sell', { price: 32_000, quantity: 0.01 });
  futures.place(carol, 'buy', { price: 32_000, quantity: 0.01 });
  futures.place(bob, 'buy', { price: 28_950, quantity: 0.5 });
  futures.setIndex(28_990);
  futures.advance(0);
  same('a protected stop', futures.position(alice).quantity, 900);
}

/** An order that may only close shrinks with the position. */
function shrink(): void {
  const { futures, alice, bob } = opposite();
  const exit = futures.place(alice, 'sell', { price: 31_000, quantity: 0.9, isReduceOnly: true });
  futures.place(bob, 'buy', { price: 30_000, quantity: 0.4 });
  futures.place(alice, 'sell', { price: 30_000, quantity: 0.4, isReduceOnly: true });
  const { quantity } = futures.engine.futures.findOpenFuturesOrder(exit) ?? {};
  same('the order that closes the rest', quantity, 500);
}

function keepBackAtOldPrices(): void {
  const { futures, bob } = opposite();
  futures.setIndex(28_800);
  const shown = (): string => {
    const { available, withdrawable } = futures.wallet(bob);
    return [available, withdrawable].map(formatAmount).join();
  };
  same('what is free at a fresh price', shown(), '9778.6,8698.6');
  futures.advance(61_000);
  same('what is free at an old price', shown(), '7402.6,7402.6');
}

/** The hour's rate is at most three quarters of the maintenance rate; all pay it. */
function limitFunding(): void {
  const futures = new FuturesFixture();
  futures.now = Math.ceil(futures.now / hourMs) * hourMs - 1_820_000;
  for (let number = 1; number <= 2_000; number += 1) futures.fund(number, 1);
  const [payer, rich] = [futures.fund(2_001, 10_000), futures.fund(2_002, 100_000)];
  same('the number of the payer', payer, 2_001);
  futures.setIndex(30_000);
  futures.place(rich, 'sell', { price: 30_000, quantity: 1 });
  futures.place(payer, 'buy', { price: 30_000, quantity: 1 });
  futures.place(rich, 'buy', { price: 32_900, quantity: 0.1 });
  futures.watch(1_810);
  const { fundingRate } = futures.engine.futures.getFuturesPrices(0 as never);
  same('the rate', fundingRate, 3_000_000n);
  const before = futures.wallet(payer).walletBalance;
  futures.advance(11_000);
  same('what the payer has paid', futures.wallet(payer).walletBalance < before, true);
}

export const examples: readonly Example[] = [
  ...liquidationExamples,
  ...spotExamples,
  { name: 'funding of an hour is paid at its first moment', run: payFunding },
  {
    name: 'equity holds the funding that is due; a delisted market has no hours',
    run: judgeByOwnFunding,
  },
  { name: 'the gate of withdrawals', run: shutTheGate },
  { name: 'fees of close-outs repay bad debt', run: repayByFees },
  { name: 'the jump guard', run: guardAgainstJumps },
  { name: 'margin of orders, and a bid deep in loss', run: keepMargins },
  { name: 'terms that carry nobody', run: judgeTerms },
  { name: 'transfers and withdrawals', run: transfer },
  { name: 'an old price opens nothing', run: growNothingOld },
  { name: 'parts that are sold badly', run: reduceWell },
  { name: 'triggers wait at an old price', run: waitWithTriggers },
  { name: 'price protection', run: protectPrices },
  { name: 'reduce-only orders shrink', run: shrink },
  { name: 'free money at old prices', run: keepBackAtOldPrices },
  { name: 'funding has its limit and passes nobody over', run: limitFunding },
  ...marginExamples,
  { name: 'an hour is paid once, by the long to the short', run: payOnce },
  { name: 'payers pay up, and receivers get down', run: roundFunding },
  { name: 'a position begins after an hour', run: openAfterAnHour },
  { name: 'the mark at an old index', run: freezeTheMark },
  ...counterpartyExamples,
  ...settlingExamples,
];
