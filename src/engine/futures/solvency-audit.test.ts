import { describe, expect, it } from 'vitest';
import { FuturesFixture } from '../../../test/support/futures-fixture.ts';
import { type Amount, toAmount } from '../../domain/amount.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import { engineFactory } from '../engine.ts';
import { findViolations } from '../invariants.ts';
import { findFuturesViolations } from './futures-invariants.ts';
import type { FuturesReader } from './futures-reader.ts';
import { findSolvencyViolations, findUnjudged } from './solvency-audit.ts';

const unit = 10n ** 8n;

/** Two accounts with a position each, and an order of a third that rests with a stop-loss. */
function begin(): FuturesFixture {
  const futures = new FuturesFixture();
  const [alice, bob, carol] = [
    futures.fund(1, 1_500),
    futures.fund(2, 10_000),
    futures.fund(3, 10_000),
  ];
  futures.setIndex(30_000);
  futures.place(bob, 'sell', { price: 30_000, quantity: 0.9 });
  futures.place(alice, 'buy', { quantity: 0.9 });
  const stopLoss = { stopPrice: 280_000, triggerPriceKind: 'mark' } as never;
  futures.place(carol, 'buy', { price: 29_900, quantity: 0.1, stopLoss });
  return futures;
}

/** The present state with the given changes. */
function tampered(futures: FuturesFixture, change: Partial<FuturesReader>): FuturesReader {
  const reader = futures.engine.futures;
  return new Proxy(reader, {
    get(target, name): unknown {
      const value: unknown = name in change ? Reflect.get(change, name) : Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function audited(reader: FuturesReader): string[] {
  return [
    ...findFuturesViolations(reader),
    ...findSolvencyViolations(reader),
    ...findUnjudged(reader, (accountId) => reader.findCloseOut(accountId) !== null),
  ].map(({ invariant }) => invariant);
}

function changeWallet(
  futures: FuturesFixture,
  accountId: AccountId,
  change: Partial<{
    walletBalance: Amount;
    equity: Amount;
    withdrawable: Amount;
  }>,
): FuturesReader {
  return tampered(futures, {
    getPerpAccount: (id) => {
      const account = futures.engine.futures.getPerpAccount(id);
      return id === accountId ? { ...account, ...change } : account;
    },
  });
}

const [alice, , carol] = [1, 2, 3] as [AccountId, AccountId, AccountId];

/** What each fault would leave in the state, and the rule that finds it. */
const faults: readonly (readonly [string, string, (futures: FuturesFixture) => FuturesReader])[] = [
  [
    'a stale market keeps its whole account from being closed',
    'watch-sound',
    (futures) => {
      const { equity } = futures.wallet(alice);
      const maintenanceMargin = toAmount(equity + 1n);
      return changeWallet(futures, alice, { maintenanceMargin } as never);
    },
  ],
  [
    'accounts trade in a market that never had a price',
    'positions-are-priced',
    (futures) =>
      tampered(futures, {
        getFuturesPrices: (marketId) => ({
          ...futures.engine.futures.getFuturesPrices(marketId),
          markPrice: null,
        }),
      }),
  ],
  [
    'a delisting leaves a wallet below zero that has no position',
    'flat-wallet-not-negative',
    (futures) => changeWallet(futures, carol, { walletBalance: toAmount(-1n) }),
  ],
  [
    'a promise of the fund is counted twice',
    'M1',
    (futures) => tampered(futures, { insuranceHeld: toAmount(460n * unit) }),
  ],
  [
    'an account is judged before its own funding',
    'M3',
    (futures) => tampered(futures, { getPendingFunding: () => toAmount(1n) }),
  ],
  [
    'a stop of an order that expired outlives its position',
    'children-have-position-or-parent',
    (futures) => tampered(futures, { findOpenFuturesOrder: () => null }),
  ],
  [
    'a stop watches for a position that is over',
    'children-have-position-or-parent',
    (futures) =>
      tampered(futures, {
        findProtection: () => ({ positionNumber: 1, coveredQuantity: 100 }),
      }),
  ],
  [
    'a transfer out passes by the funding that is due',
    'gate-holds',
    (futures) => {
      const { walletBalance } = futures.wallet(carol);
      return changeWallet(futures, carol, { withdrawable: toAmount(walletBalance + 1n) });
    },
  ],
  [
    'money leaves while a loss is unpaid',
    'gate-holds',
    (futures) => tampered(futures, { badDebt: toAmount(-1n) }),
  ],
  [
    'funding is paid out that nobody has paid in',
    'funding-rest',
    (futures) => tampered(futures, { getFundingHeld: () => toAmount(-1n) }),
  ],
  [
    'terms reach the initial margin with the maintenance margin',
    'terms-carry',
    (futures) =>
      tampered(futures, {
        listFuturesMarkets: () =>
          futures.engine.futures.listFuturesMarkets().map((market) => ({
            ...market,
            brackets: market.brackets.map((each) => ({ ...each, maxLeverage: 200 })),
          })),
      }),
  ],
  [
    'an order rests above the prices that tell sides apart',
    'levels-in-range',
    (futures) =>
      tampered(futures, {
        listRestingFuturesOrders: (marketId, side) =>
          futures.engine.futures
            .listRestingFuturesOrders(marketId, side)
            .map((order) => ({ ...order, price: (2 ** 52) as never })),
      }),
  ],
  [
    'a wallet has money that came from nowhere',
    'equities-sum',
    (futures) => {
      const { equity } = futures.wallet(carol);
      return changeWallet(futures, carol, { equity: toAmount(equity + 1n) });
    },
  ],
  [
    'profit appears on one side only',
    'equities-sum',
    (futures) => {
      const { equity } = futures.wallet(alice);
      return changeWallet(futures, alice, { equity: toAmount(equity - 3n) });
    },
  ],
];

describe('audit of solvency', () => {
  it('audit: finds nothing in a sound state, at any moment of an hour and a crash', () => {
    const futures = begin();
    expect(audited(futures.engine.futures)).toEqual([]);
    for (const price of [30_100, 29_000, 28_460, 28_430, 20_000, 30_000]) {
      futures.setIndex(price);
      futures.advance(1_000);
      expect(audited(futures.engine.futures)).toEqual([]);
      expect(findViolations(futures.engine)).toEqual([]);
    }
    futures.advance(3_600_000);
    expect(audited(futures.engine.futures)).toEqual([]);
  });

  it.each(faults)('audit: %s: %s', (_fault, invariant, plant) => {
    const futures = begin();
    futures.advance(0);
    expect(audited(futures.engine.futures)).toEqual([]);
    expect(audited(plant(futures))).toContain(invariant);
  });

  it('audit: commitments of the fund are known again after a restore', () => {
    const futures = new FuturesFixture();
    futures.setIndex(30_000);
    const other = futures.fund(1, 50_000_000);
    const rest = { source: 'treasury', reason: null, reference: null } as const;
    futures.done({ type: 'moveHouseFunds', amount: toAmount(100_000n * unit), ...rest });
    // More bankrupt accounts than one command closes, so that promises stand between commands.
    for (let number = 2; number <= 200; number += 1) {
      const poor = futures.fund(number, 1_500);
      futures.place(other, 'sell', { price: 30_000, quantity: 0.9 });
      futures.place(poor, 'buy', { quantity: 0.9 });
    }
    futures.setIndex(28_000);
    let promised = 0n;
    for (let at = 0; at < 100; at += 1) {
      const restored = engineFactory.restore(futures.engine.encodeState());
      const { insuranceHeld } = futures.engine.futures;
      if (insuranceHeld > promised) promised = insuranceHeld;
      expect(restored.futures.insuranceHeld).toBe(insuranceHeld);
      futures.done({ type: 'advanceTime' });
    }
    expect(futures.engine.futures.insuranceHeld).toBe(0n);
    expect(promised).toBeGreaterThan(0n);
  });
});
