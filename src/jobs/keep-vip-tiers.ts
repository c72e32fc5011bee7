import { setTimeout as delay } from 'node:timers/promises';
import type { AppliedCommand } from '../application/ports.ts';
import { reviewVipTiers, type VipReviewPorts } from '../application/vip/review-vip-tiers.ts';
import { missingVipVolume, nextVipReview } from '../application/vip/vip-schedule.ts';
import type { AccountId, TimestampMs } from '../domain/identifiers.ts';
import type { JobTurn, TimedJob } from './timed-job.ts';

export type VipKeeperPorts = VipReviewPorts;

// How late the full hour may be noticed, and how soon a failed review is made again; a look without
// anything due asks nothing of anybody.
const intervalMs = 1_000;
// Trades of one account come in bursts; one review serves them all.
const pauseMs = 50;
const accountsKeptMax = 200_000;

/**
 * Keeps every account's VIP tier what its volume is worth: it is looked at as soon as its trades
 * may have reached the next tier, and all are looked at each full hour, when volumes can fall and
 * downgrades fall due.
 *
 * A late run does no harm: what an account's tier becomes is decided anew from its volume while its
 * row is locked, and to be told the same fees twice changes nothing in the engine. What was traded
 * while another process held the lease is not known here, so the first run looks at all accounts.
 */
export function keepVipTiersJob(ports: VipKeeperPorts): TimedJob {
  const name = 'keep-vip-tiers';
  const keeper = new VipTierKeeper(ports);
  return {
    name,
    keptLease: name,
    intervalMs,
    isReady: () => ports.exchange.state === 'ready',
    untilWoken: (signal) => keeper.untilDue(signal),
    run: (turn) => keeper.run(turn),
  };
}

class VipTierKeeper {
  readonly #ports: VipKeeperPorts;
  /** What an account may still trade before it has to be looked at again. */
  readonly #missing = new Map<AccountId, bigint>();
  readonly #due = new Set<AccountId>();
  #tenure: AbortSignal | null = null;
  #allDueAt = 0 as TimestampMs;
  #wake: () => void = () => undefined;

  constructor(ports: VipKeeperPorts) {
    this.#ports = ports;
  }

  async run({ signal }: JobTurn): Promise<void> {
    if (this.#tenure !== signal) this.#begin(signal);
    const now = this.#ports.now();
    if (now >= this.#allDueAt) {
      await reviewVipTiers(this.#ports, null);
      this.#allDueAt = nextVipReview(now);
    }
    if (this.#due.size > 0) await this.#reviewDue();
  }

  /** Resolves when an account is to be looked at, or with the signal. */
  async untilDue(signal: AbortSignal): Promise<void> {
    if (this.#due.size > 0) return pause(pauseMs, signal);
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  // From here on no trade is missed; all that were before are in the review of all accounts.
  #begin(signal: AbortSignal): void {
    this.#tenure = signal;
    this.#allDueAt = 0 as TimestampMs;
    this.#missing.clear();
    const unsubscribe = this.#ports.exchange.subscribe((batch) => this.#takeUp(batch));
    signal.addEventListener('abort', unsubscribe, { once: true });
  }

  #takeUp(batch: readonly AppliedCommand[]): void {
    for (const { events } of batch) {
      for (const event of events) {
        if (event.type !== 'futuresTradeExecuted') continue;
        const { maker, taker, quoteAmount } = event.trade;
        this.#addVolume(maker.accountId, quoteAmount);
        this.#addVolume(taker.accountId, quoteAmount);
      }
    }
    if (this.#due.size > 0) this.#wake();
  }

  #addVolume(accountId: AccountId, volume: bigint): void {
    const missing = this.#missing.get(accountId);
    if (missing !== undefined && volume < missing) {
      this.#missing.set(accountId, missing - volume);
      return;
    }
    this.#missing.delete(accountId);
    this.#due.add(accountId);
  }

  async #reviewDue(): Promise<void> {
    const due = [...this.#due];
    // What is traded from here on marks an account anew, since the review may not see it.
    this.#due.clear();
    try {
      this.#remember(await reviewVipTiers(this.#ports, due));
    } catch (error) {
      for (const accountId of due) this.#due.add(accountId);
      throw error;
    }
  }

  #remember(accounts: Awaited<ReturnType<typeof reviewVipTiers>>): void {
    if (this.#missing.size > accountsKeptMax) this.#missing.clear();
    for (const account of accounts) {
      const { accountId } = account;
      if (!this.#due.has(accountId)) this.#missing.set(accountId, missingVipVolume(account));
    }
  }
}

async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  await delay(durationMs, undefined, { signal }).catch(() => undefined);
}
