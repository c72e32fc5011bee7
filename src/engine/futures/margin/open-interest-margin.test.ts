import { describe, expect, it } from 'vitest';
import {
  btcTerms,
  FuturesFixture,
  futuresMarketId,
} from '../../../../test/support/futures-fixture.ts';
import { formatAmount, toAmount } from '../../../domain/amount.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import { Engine, engineFactory } from '../../engine.ts';
import { EngineState } from '../../engine-state.ts';

// All longs of the market together may be worth 40,000 USDT: 2,000 lots of 20 USDT.

const unit = 10n ** 8n;
const cap = toAmount(40_000n * unit);
const price = 20_000;

interface Scene {
  readonly futures: FuturesFixture;
  readonly others: readonly [AccountId, AccountId];
  readonly long: AccountId;
  readonly short: AccountId;
}

/** Others hold that many BTC; two accounts with these funds trade at 125 times. */
function begin(held: number, funds: number): Scene {
  const futures = new FuturesFixture({ ...btcTerms, maxNotional: cap, maxOpenInterest: cap });
  futures.setIndex(price);
  const others = [futures.fund(8, 100_000), futures.fund(9, 100_000)] as const;
  const [long, short] = [futures.fund(1, funds), futures.fund(2, funds)];
  for (const accountId of others) setLeverage(futures, accountId, 1);
  for (const accountId of [long, short]) setLeverage(futures, accountId, 125);
  if (held > 0) {
    futures.place(others[0], 'sell', { price, quantity: held });
    futures.place(others[1], 'buy', { price, quantity: held });
  }
  return { futures, others, long, short };
}

function setLeverage(futures: FuturesFixture, accountId: AccountId, leverage: number): void {
  futures.done({ type: 'setLeverage', accountId, marketId: futuresMarketId, leverage });
}

/** The part of its money that the account then needs for that many BTC, in USDT. */
function marginOf(held: number, added: number): string {
  const { futures, long, short } = begin(held, 100_000);
  futures.place(short, 'sell', { price, quantity: added });
  futures.place(long, 'buy', { price, quantity: added });
  const { initialMargin } = futures.position(long);
  expect(futures.position(short).initialMargin).toBe(initialMargin);
  return formatAmount(initialMargin);
}

describe('margin by open interest', () => {
  // 0.1 BTC are worth 2,000 USDT.
  it.each([
    ['0.8 % up to half of the largest open interest', 0.9, '16'],
    ['50.4 % at three quarters', 1.4, '1008'],
    ['25.6 % between them', 1.15, '512'],
    ['100 % at the largest', 1.9, '2000'],
  ])('rate: %s at 125 times', (_name, held, margin) => {
    expect(marginOf(held, 0.1)).toBe(margin);
  });

  it('rate: counts lots at the mark price, whatever they are traded at', () => {
    const { futures, long, short } = begin(1.4, 100_000);
    futures.place(short, 'sell', { price: 20_100, quantity: 0.1 });
    futures.place(long, 'buy', { price: 20_100, quantity: 0.1 });
    expect(formatAmount(futures.position(long).initialMargin)).toBe('1008');
  });

  it('position: keeps its margin requirement, which falls only with its lots', () => {
    const { futures, others, long, short } = begin(1.4, 100_000);
    futures.place(short, 'sell', { price, quantity: 0.1 });
    futures.place(long, 'buy', { price, quantity: 0.1 });
    const margin = () => formatAmount(futures.position(long).initialMargin);
    expect(margin()).toBe('1008');
    // Less open interest of others frees nothing; of 2,000 at a mark of 20,200, 1 / 125 is 16.16.
    futures.place(others[0], 'buy', { price, quantity: 1.4 });
    futures.place(others[1], 'sell', { price, quantity: 1.4 });
    expect(margin()).toBe('1008');
    futures.setIndex(20_200);
    expect(margin()).toBe('1008.16');
    futures.setIndex(price);
    futures.place(short, 'buy', { price, quantity: 0.05 });
    futures.place(long, 'sell', { price, quantity: 0.05 });
    expect(margin()).toBe('504');
    // Through zero, it starts over at the open interest of that moment.
    futures.place(short, 'buy', { price, quantity: 0.15 });
    futures.place(long, 'sell', { price, quantity: 0.15 });
    expect(margin()).toBe('16');
  });

  it('leverage: raised afterwards, it frees none of the margin for open interest', () => {
    const { futures, long, short } = begin(1.9, 10_000);
    setLeverage(futures, long, 1);
    futures.place(short, 'sell', { price, quantity: 0.1 });
    futures.place(long, 'buy', { price, quantity: 0.1 });
    setLeverage(futures, long, 125);
    expect(formatAmount(futures.position(long).initialMargin)).toBe('2000');
  });

  it('order: refused beyond its margin, even if the leverage alone would allow it', () => {
    const { futures, long, short } = begin(1.4, 1_010);
    futures.place(short, 'sell', { price, quantity: 0.1 });
    const buy = futures.order(long, 'buy', { price, quantity: 0.101 });
    expect(futures.refusal(buy)).toBe('insufficient_margin');
    // 50.4 % of 2,000 and the fee of 1 are 1,009.
    futures.place(long, 'buy', { price, quantity: 0.1 });
    expect(futures.position(long).quantity).toBe(100);
  });

  it('maker: a resting order placed at a lower rate expires if it cannot meet the higher one', () => {
    const { futures, long } = begin(0.9, 300);
    const poor = futures.place(long, 'buy', { price, quantity: 0.1 });
    // Others raise open interest to 0.1 BTC below its maximum.
    const [first, second, third] = [
      futures.fund(3, 100_000),
      futures.fund(4, 100_000),
      futures.fund(5, 100_000),
    ];
    for (const accountId of [first, second]) setLeverage(futures, accountId, 1);
    futures.place(first, 'sell', { price: price + 10, quantity: 1 });
    futures.place(second, 'buy', { price: price + 10, quantity: 1 });
    const events = futures.done(futures.order(third, 'sell', { price, quantity: 0.1 }));
    const ends = events.flatMap((event) =>
      event.type === 'futuresOrderUpdated' && event.order.orderNumber === poor ? [event.end] : [],
    );
    expect(ends).toEqual(['margin']);
  });

  it('pieces: the same margin does not cover one small piece after the other', () => {
    // Two colluders with 250 each, enough for 4,000 at 125 times, push a market at half of its
    // largest.
    const { futures, long, short } = begin(1, 250);
    for (let piece = 0; piece < 1_000; piece += 1) {
      const sell = futures.order(short, 'sell', { price, quantity: 0.001, timeInForce: 'gtc' });
      if (futures.refusal(sell) !== null) break;
      const { rejection } = futures.apply(
        futures.order(long, 'buy', { price, quantity: 0.001, timeInForce: 'ioc' }),
      );
      if (rejection !== null) break;
    }
    // The n-th lot needs 20 x (0.8 % + 99.2 % x n / 1,000), so n lots 0.16 n + 0.00992 n (n + 1),
    // and 0.01 n of fees: 149 lots of the 4,000 that the leverage alone would carry, 200 lots.
    const lots = futures.position(long).quantity;
    const needed = 0.16 * lots + 0.00992 * lots * (lots + 1);
    const { initialMargin } = futures.position(long);
    expect(Number(formatAmount(initialMargin))).toBeCloseTo(needed, 4);
    expect(lots).toBe(149);
    expect(futures.engine.futures.getOpenInterest(futuresMarketId)).toBe(1_000 + lots);
  });

  it('state: the margin requirements of positions are saved', () => {
    const { futures, long, short } = begin(1.4, 10_000);
    futures.place(short, 'sell', { price, quantity: 0.1 });
    futures.place(long, 'buy', { price, quantity: 0.1 });
    const restored = engineFactory.restore(futures.engine.encodeState());
    expect(restored.futures.getPosition(long, futuresMarketId)).toEqual(futures.position(long));
    expect(restored.stateHash()).toBe(futures.engine.stateHash());
  });

  it('rules 11: the rate does not depend on open interest', () => {
    const futures = new FuturesFixture();
    futures.engine = new Engine(new EngineState(11));
    const terms = { ...btcTerms, maxNotional: cap, maxOpenInterest: cap };
    futures.done({ type: 'createFuturesMarket', terms });
    const [long, short] = [futures.fund(1, 10_000), futures.fund(2, 10_000)];
    futures.setIndex(price);
    for (const accountId of [long, short]) setLeverage(futures, accountId, 10);
    futures.place(short, 'sell', { price, quantity: 2 });
    futures.place(long, 'buy', { price, quantity: 2 });
    expect(formatAmount(futures.position(long).initialMargin)).toBe('4000');
  });
});
