import { isDeepStrictEqual } from 'node:util';
import { formatAmount, toAmount } from '../../src/domain/amount.ts';
import type { AccountId } from '../../src/domain/identifiers.ts';
import type { MoveHouseFunds } from '../../src/engine/futures-commands.ts';
import { btcTerms, FuturesFixture } from '../support/futures-fixture.ts';

// The worked examples of docs/futures.md, short enough to be run against every mutant. Amounts are
// USDT, quantities BTC.

export interface Example {
  readonly name: string;
  /** @throws Error if the figures differ. */
  readonly run: () => void;
}

export const unit = 10n ** 8n;

export const hourMs = 3_600_000;

export function same(what: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return;
  throw new Error(`${what} is ${String(found)}, not ${String(expected)}`);
}

export function walletOf(futures: FuturesFixture, accountId: AccountId): string {
  return formatAmount(futures.wallet(accountId).walletBalance);
}

export function topUp(futures: FuturesFixture, usdt: bigint, source: MoveHouseFunds['source']) {
  const rest = { reason: null, reference: null };
  return futures.refusal({
    type: 'moveHouseFunds',
    amount: toAmount(usdt * unit),
    source,
    ...rest,
  });
}

export function reserve(futures: FuturesFixture, accountId: AccountId): string | null {
  return futures.refusal({
    type: 'reservePerpFunds',
    accountId,
    amount: toAmount(unit),
    step: 'reserve',
    reference: `of ${futures.engine.sequence}`,
  });
}

/** Both sides of 0.9 BTC at 30,000: 1,500 of the long, 10,000 of the short. */
export function opposite(terms = btcTerms): {
  futures: FuturesFixture;
  alice: AccountId;
  bob: AccountId;
} {
  const futures = new FuturesFixture(terms);
  const [alice, bob] = [futures.fund(1, 1_500), futures.fund(2, 10_000)];
  futures.setIndex(30_000);
  futures.place(bob, 'sell', { price: 30_000, quantity: 0.9 });
  futures.place(alice, 'buy', { quantity: 0.9 });
  return { futures, alice, bob };
}
