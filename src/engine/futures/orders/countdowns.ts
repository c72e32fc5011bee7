import type { FuturesMarketId } from '../../../domain/futures-market.ts';
import type { AccountId, TimestampMs } from '../../../domain/identifiers.ts';
import type { CountdownKind } from '../../futures-commands.ts';
import { DueQueue } from '../../storage/due-queue.ts';

/** The time at which an account's orders in a market are canceled. */
export interface Countdown {
  readonly accountId: AccountId;
  readonly marketId: FuturesMarketId;
  readonly cancelAt: TimestampMs;
  readonly kind: CountdownKind;
}

/** At most one countdown per account and market, and which of them ends first. */
export class Countdowns {
  private readonly byKey = new Map<string, Countdown>();
  private readonly queue = new DueQueue<Countdown>(byEnd);

  /** Undefined without a countdown. */
  get(accountId: number, marketId: number): Countdown | undefined {
    return this.byKey.get(`${accountId}:${marketId}`);
  }

  /** Starts a countdown, replacing an existing one. */
  set(countdown: Countdown): void {
    const { accountId, marketId } = countdown;
    this.delete(accountId, marketId);
    this.byKey.set(`${accountId}:${marketId}`, countdown);
    this.queue.add(countdown);
  }

  /** Does nothing without a countdown. */
  delete(accountId: number, marketId: number): void {
    const known = this.get(accountId, marketId);
    if (known === undefined) return;
    this.byKey.delete(`${accountId}:${marketId}`);
    this.queue.remove(known);
  }

  /** The countdown that ends first. */
  first(): Countdown | undefined {
    return this.queue.first();
  }

  /** All countdowns, by account and market. */
  list(): readonly Countdown[] {
    return [...this.byKey.values()].sort(byOwner);
  }
}

function byEnd(first: Countdown, second: Countdown): number {
  return first.cancelAt - second.cancelAt || byOwner(first, second);
}

function byOwner(first: Countdown, second: Countdown): number {
  return first.accountId - second.accountId || first.marketId - second.marketId;
}
