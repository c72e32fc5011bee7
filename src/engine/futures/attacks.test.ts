import { describe, expect, it } from 'vitest';
import { btcTerms, FuturesFixture } from '../../../test/support/futures-fixture.ts';
import { formatAmount, toAmount } from '../../domain/amount.ts';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import { findViolations } from '../invariants.ts';
import { findFuturesViolations } from './futures-invariants.ts';
import { findSolvencyViolations } from './solvency-audit.ts';

// Two accounts of one person, with 1,500 and 10,000 USDT, and a third with 100,000 that trades with
// them. Each attack would take out more than the 11,500 that the person put in if a rule of
// valuation, settling or insurance were missing; the comments give how much.

const unit = 10n ** 8n;
const hourMs = 3_600_000;
const newMarketId = 1 as FuturesMarketId;

/** The person's two accounts, a stranger, and a price of 30,000. */
class Attack {
  readonly futures = new FuturesFixture();
  readonly long: AccountId;
  readonly short: AccountId;
  readonly stranger: AccountId;

  constructor() {
    const { futures } = this;
    this.long = futures.fund(1, 1_500);
    this.short = futures.fund(2, 10_000);
    this.stranger = futures.fund(3, 100_000);
    futures.setIndex(30_000);
    const terms = { ...btcTerms, symbol: 'NEWUSDT', baseAsset: 'NEW' };
    futures.done({ type: 'createFuturesMarket', terms });
  }

  push(symbol: string, price: number): void {
    const index = toAmount(BigInt(price) * unit);
    this.futures.done({ type: 'setIndexPrice', symbol, price: index });
  }

  /** 0.9 BTC at 30,000 between the two accounts. */
  open(): void {
    this.futures.place(this.short, 'sell', { price: 30_000, quantity: 0.9 });
    this.futures.place(this.long, 'buy', { price: 30_000, quantity: 0.9 });
  }

  /** What the two accounts take out after everything has been settled; whole units. */
  takeOut(): bigint {
    let out = 0n;
    // The gate stays shut for a minute after a large loss.
    for (let minute = 0; minute < 3; minute += 1) {
      for (const accountId of [this.long, this.short]) out += this.withdraw(accountId);
      this.futures.advance(60_000);
      this.futures.setIndex(20_000);
    }
    return out;
  }

  withdraw(accountId: AccountId): bigint {
    const amount = this.futures.wallet(accountId).withdrawable;
    const direction = 'perp_to_spot';
    const transfer = { type: 'transferFunds', accountId, direction, amount } as const;
    if (amount > 0n) this.futures.done({ ...transfer, clientTransferId: null });
    return amount;
  }

  /** Nobody has been robbed: what is left covers what the stranger is owed, and all rules hold. */
  expectSound(out: bigint): void {
    const { futures } = this;
    expect(out).toBeLessThanOrEqual(11_500n * unit);
    const left = 111_500n * unit - out;
    expect(left).toBeGreaterThanOrEqual(futures.wallet(this.stranger).equity);
    expect(this.audit()).toEqual([]);
  }

  audit(): readonly unknown[] {
    const { engine } = this.futures;
    return [
      ...findViolations(engine),
      ...findFuturesViolations(engine.futures),
      ...findSolvencyViolations(engine.futures),
    ];
  }
}

describe('attacks', () => {
  // 18,985 out, and 92,515 left for the 99,996 of the stranger.
  it('attack: a lot in a market without a fresh price keeps no account from being closed', () => {
    const attack = new Attack();
    const { futures, long, short, stranger } = attack;
    attack.push('NEWUSDT', 10_000);
    const lot = { marketId: newMarketId, price: 10_000, quantity: 0.001 };
    futures.place(short, 'sell', lot);
    futures.place(long, 'buy', lot);
    futures.advance(60_001);
    attack.push('BTCUSDT', 30_000);
    expect(futures.engine.futures.getFuturesPrices(newMarketId).priceState).toBe('stale');
    attack.open();
    attack.push('BTCUSDT', 20_000);
    expect(futures.position(long).quantity).toBe(0);
    expect(futures.position(short).quantity).toBe(0);
    futures.place(stranger, 'sell', { price: 20_000, quantity: 0.9 });
    // The short has nothing left that it could close against the stranger.
    const close = futures.order(short, 'buy', { price: 20_000, quantity: 0.9, isReduceOnly: true });
    expect(futures.refusal(close)).toBe('nothing_to_reduce');
    attack.expectSound(attack.takeOut());
  });

  // 36,967 out.
  it('attack: in a market that has never had a price two accounts cannot trade with each other at 1', () => {
    const attack = new Attack();
    const { futures, long, short } = attack;
    const order = { marketId: newMarketId, price: 1, quantity: 1_000 };
    for (const [accountId, side] of [
      [short, 'sell'],
      [long, 'buy'],
    ] as const) {
      expect(futures.refusal(futures.order(accountId, side, order))).toBe('index_price_missing');
    }
    const out = attack.takeOut();
    expect(out).toBe(11_500n * unit);
    attack.expectSound(out);
  });

  // 18,976 out.
  it('attack: a gain cannot be sold in the second after a shock', () => {
    const attack = new Attack();
    const { futures, short, stranger } = attack;
    attack.open();
    futures.place(stranger, 'sell', { price: 27_500, quantity: 0.9 });
    attack.push('BTCUSDT', 25_000);
    // No time has passed: the command that moved the price has settled it.
    expect(futures.position(short).quantity).toBe(0);
    const close = { price: 27_500, quantity: 0.9, isReduceOnly: true };
    expect(futures.refusal(futures.order(short, 'buy', close))).toBe('nothing_to_reduce');
    attack.expectSound(attack.takeOut());
  });

  // 13,832 out: the fund would pay for bids far below the mark.
  it('attack: an own bid far below the mark takes nothing from the fund', () => {
    const attack = new Attack();
    const { futures, long, short, stranger } = attack;
    const source = 'treasury';
    const amount = toAmount(3_400n * unit);
    futures.done({ type: 'moveHouseFunds', amount, source, reason: null, reference: null });
    futures.place(stranger, 'sell', { price: 30_000, quantity: 0.9 });
    futures.place(long, 'buy', { price: 30_000, quantity: 0.9 });
    futures.place(short, 'buy', { price: 27_500, quantity: 0.9 });
    const before = futures.wallet(stranger).walletBalance;
    // E 64.5 over M 102.312: solvent at the mark, and below two thirds of what it has to keep.
    attack.push('BTCUSDT', 28_420);
    expect(futures.position(long).quantity).toBe(0);
    expect(futures.position(short).quantity).toBe(0);
    // Closed against the stranger at the mark: 0.9 x (30,000 - 28,420).
    expect(futures.wallet(stranger).walletBalance - before).toBe(1_422n * unit);
    expect(futures.engine.futures.insuranceFund).toBeGreaterThanOrEqual(3_400n * unit);
    const out = attack.takeOut();
    expect(out).toBeLessThanOrEqual((11_500n - 1_422n) * unit);
    expect(attack.audit()).toEqual([]);
  });

  // Without a close-out first: one wallet at -1,501.5, 3,499.4 for the other, and -1,499.4 left in
  // the perp wallets; or one at -509 and 2,496.4 for the other.
  it.each([
    { quantity: 0.1, index: 5_000, settled: 5_000, short: '1997.9', fees: '2.1', fund: '0' },
    { quantity: 0.6, index: 30_000, settled: 27_500, short: '1987.36', fees: '12.6', fund: '0.04' },
  ])(
    'attack: a delisting at $settled closes bankrupt accounts first, and perp wallets hold what was paid in',
    ({ quantity, index, settled, short, fees, fund }) => {
      const futures = new FuturesFixture();
      const [alice, bob] = [futures.fund(1, 1_000), futures.fund(2, 1_000)];
      futures.setIndex(30_000);
      futures.place(bob, 'sell', { price: 30_000, quantity });
      futures.place(alice, 'buy', { price: 30_000, quantity });
      futures.setIndex(index);
      const settlementPrice = toAmount(BigInt(settled) * unit);
      const symbol = 'BTCUSDT';
      const delist = { type: 'setFuturesMarketStatus', symbol, status: 'delisted' } as const;
      futures.done({ ...delist, settlementPrice });
      futures.advance(1_000);
      const { futuresFees, insuranceFund, perpFunds } = futures.engine.futures;
      const wallets = [alice, bob].map((each) => formatAmount(futures.wallet(each).walletBalance));
      expect(wallets).toEqual(['0', short]);
      expect([futuresFees, insuranceFund, perpFunds].map(formatAmount)).toEqual([
        fees,
        fund,
        '2000',
      ]);
      expect([alice, bob].map((each) => futures.position(each).quantity)).toEqual([0, 0]);
      expect(findFuturesViolations(futures.engine.futures)).toEqual([]);
      expect(findSolvencyViolations(futures.engine.futures)).toEqual([]);
    },
  );

  it('funding: none of 2,500 accounts is judged before its own funding, whatever its number', () => {
    const futures = new FuturesFixture();
    const maker = futures.fund(1, 1_000_000);
    futures.setIndex(30_000);
    const judged: AccountId[] = [];
    for (let number = 2; number <= 2_500; number += 1) {
      const accountId = futures.fund(number, 2_000);
      // At the beginning, in the middle and at the end of what a command books.
      if (![2, 1_000, 2_001, 2_499].includes(number)) continue;
      futures.place(maker, 'buy', { price: 30_000, quantity: 1 });
      futures.place(accountId, 'sell', { price: 30_000, quantity: 1 });
      judged.push(accountId);
    }
    const hour = Math.ceil(futures.now / hourMs) * hourMs;
    futures.now = hour - 1_900_000;
    futures.watch(1_899);
    futures.now = hour;
    futures.setIndex(30_000);
    const due = futures.engine.futures.getPendingFunding(judged[0]!);
    expect(due).toBeGreaterThan(0n);
    const { equity, walletBalance, unrealizedProfit } = futures.wallet(judged[0]!);
    expect(equity).toBe(walletBalance + unrealizedProfit + due);
    // 127.3 under the 127.4308 that it has to keep, and 127.675 with the 0.375 that is due to it.
    const price = toAmount(3_185_770_000_000n);
    futures.done({ type: 'setIndexPrice', symbol: 'BTCUSDT', price });
    for (let step = 0; step < 5; step += 1) {
      for (const accountId of judged) {
        const account = futures.wallet(accountId);
        const pending = futures.engine.futures.getPendingFunding(accountId);
        const booked = pending > 0n ? pending : due;
        expect(account.equity - booked).toBeLessThan(account.maintenanceMargin);
        expect(account.equity).toBeGreaterThan(account.maintenanceMargin);
        expect(futures.engine.futures.findCloseOut(accountId)).toBeNull();
        expect(futures.position(accountId).quantity).toBe(-1_000);
      }
      futures.done({ type: 'advanceTime' });
    }
  });
});
