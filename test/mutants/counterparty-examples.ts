import { formatAmount, toAmount } from '../../src/domain/amount.ts';
import type { FuturesMarketId } from '../../src/domain/futures-market.ts';
import type { AccountId } from '../../src/domain/identifiers.ts';
import { Ledger } from '../../src/engine/ledger/ledger.ts';
import { postingCodes } from '../../src/engine/ledger/postings.ts';
import { btcTerms, FuturesFixture, futuresMarketId } from '../support/futures-fixture.ts';
import { type Example, same, unit, walletOf } from './example.ts';

// Accounts with positions in two markets, of which one has to be closed by others, or closes others.

const ether = 1 as FuturesMarketId;

/** BTCUSDT at 30,000 and ETHUSDT at 1,000. */
class TwoMarkets extends FuturesFixture {
  constructor() {
    super();
    this.done({ type: 'createFuturesMarket', terms: { ...btcTerms, symbol: 'ETHUSDT' } });
    this.setIndex(30_000);
    this.setEther(1_000);
  }

  setEther(price: number): void {
    const symbol = 'ETHUSDT';
    this.done({ type: 'setIndexPrice', symbol, price: toAmount(BigInt(price) * unit) });
  }

  /** Trades between the two at the price. */
  trade(
    buyer: AccountId,
    seller: AccountId,
    terms: { price: number; quantity: number; marketId?: FuturesMarketId },
  ): void {
    this.place(seller, 'sell', terms);
    this.place(buyer, 'buy', terms);
  }

  etherOf(accountId: AccountId): number {
    return this.engine.futures.getPosition(accountId, ether).quantity;
  }
}

/**
 * BTC has fallen by nine percent, and of the bankrupt longs the last, of 10 BTC, waits until the
 * orders of the others have ended; the short of 10 BTC has an ETH position too.
 */
function waitBehind(others: number) {
  const futures = new TwoMarkets();
  const [rich, other, weak] = [
    futures.fund(1, 10_000_000),
    futures.fund(2, 10_000_000),
    futures.fund(3, 20_000),
  ];
  for (const marketId of [futuresMarketId, ether]) {
    futures.done({ type: 'setLeverage', accountId: weak, marketId, leverage: 100 });
  }
  const bankrupt = Array.from({ length: others }, (_, at) => futures.fund(4 + at, 2_000));
  for (const each of bankrupt) futures.trade(each, rich, { price: 30_000, quantity: 0.9 });
  const poor = futures.fund(4 + others, 15_500);
  futures.trade(poor, weak, { price: 30_000, quantity: 10 });
  futures.trade(weak, other, { price: 1_000, quantity: 1_000, marketId: ether });
  for (const each of [...bankrupt, poor]) {
    for (let count = 0; count < 200; count += 1) {
      futures.place(each, 'buy', { price: 27_100, quantity: 0.001 });
    }
  }
  futures.setIndex(27_300);
  return { futures, other, weak, poor };
}

/** Nobody is deleveraged below the own margin; what then has no payer is paid by the house. */
function closeAgainstTheWeak(): void {
  const { futures, weak, poor } = waitBehind(1);
  same('who waits', futures.position(poor).quantity, 10_000);
  futures.setEther(960);
  futures.advance(0);
  const { equity, maintenanceMargin } = futures.wallet(weak);
  same('equity and margin', [equity, maintenanceMargin].map(formatAmount).join(), '4713.815,3840');
  same('the closed wallet', walletOf(futures, poor), '0');
  same('bad debt', formatAmount(futures.engine.futures.badDebt), '-8389.915');
}

/** With less than nothing, profit of a settling market aside, no position is reduced in parts. */
function reduceBelowZero(): void {
  const { futures, other, weak } = waitBehind(2);
  futures.setEther(975);
  futures.place(other, 'buy', { price: 1_010, quantity: 30, marketId: ether });
  futures.apply(futures.order(weak, 'sell', { price: 1_010, quantity: 30, marketId: ether }));
  same('what is left of the ETH', futures.etherOf(weak), 1_000_000);
}

/** Of two shorts at a loss the one with the higher leverage is closed first. */
function rankLosers(): void {
  const futures = new FuturesFixture();
  const [keen, calm, buyer, stays, poor] = [
    futures.fund(1, 40_000),
    futures.fund(2, 2_000_000),
    futures.fund(3, 2_000_000),
    futures.fund(4, 2_000_000),
    futures.fund(5, 15_500),
  ];
  futures.setIndex(28_000);
  const trade = (long: AccountId, short: AccountId, price: number): void => {
    futures.place(short, 'sell', { price, quantity: 10 });
    futures.place(long, 'buy', { price, quantity: 10 });
  };
  trade(buyer, keen, 28_000);
  trade(stays, calm, 28_000);
  futures.setIndex(30_000);
  futures.advance(0);
  trade(poor, buyer, 30_000);
  futures.setIndex(28_400);
  futures.advance(0);
  const left = [poor, keen, calm].map((each) => futures.position(each).quantity);
  same('who is left', left.join(), '0,0,-10000');
}

/** An amount below zero would move money from the receiver. */
function postBackwards(): void {
  const ledger = new Ledger();
  const [one, other] = [ledger.open(1, 0), ledger.open(2, 0)];
  let words = '';
  try {
    ledger.post(one, other, -1n, postingCodes.transferToPerp);
  } catch (error) {
    words = String(error);
  }
  same('what the ledger says', words, 'AssertionError: posting-positive: a posting of -1');
}

export const counterpartyExamples: readonly Example[] = [
  { name: 'a counterparty that is too weak', run: closeAgainstTheWeak },
  { name: 'no part of a position is sold below zero', run: reduceBelowZero },
  { name: 'losers in turn', run: rankLosers },
  { name: 'a posting below zero', run: postBackwards },
];
