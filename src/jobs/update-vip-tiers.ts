import type { AppliedCommand } from '../application/ports/exchange.ts';
import { reviewVipTiers, type VipReviewPorts } from '../application/vip/review-vip-tiers.ts';
import { missingVipVolume, nextVipReview } from '../application/vip/vip-schedule.ts';
import type { AccountId, TimestampMs } from '../domain/identifiers.ts';
import { pause } from './pause.ts';
import type { JobTurn, TimedJob } from './timed-job.ts';

export type VipTierUpdatePorts = VipReviewPorts;

// Maximum delay after a full hour, and before a failed review is repeated; a check with nothing due
// causes no queries.
const intervalMs = 1_000;
// Trades of one account come in bursts; one review covers them all.
const pauseMs = 50;
const accountsKeptMax = 200_000;

/**
 * Keeps every account's VIP tier at what its volume gives: an account is reviewed as soon as its
 * trades may have reached the next tier, and all accounts are reviewed each full hour, when volumes
 * can fall and downgrades become due.
 *
 * A late run is harmless: an account's tier is decided from its volume while its row is locked, and
 * setting the same fees twice changes nothing in the engine. Trades made while another process held
 * the lease are unknown here, so the first run reviews all accounts.
 */
export function updateVipTiersJob(ports: VipTierUpdatePorts): TimedJob {
  const name = 'update-vip-tiers';
  const updater = new VipTierUpdater(ports);
  return {
    name,
    longLease: name,
    intervalMs,
    isReady: () => ports.exchange.state === 'ready',
    untilWoken: (signal) => updater.untilDue(signal),
    run: (turn) => updater.run(turn),
  };
}

class VipTierUpdater {
  readonly #ports: VipTierUpdatePorts;
  /** What an account can still trade before its next review. */
  readonly #missing = new Map<AccountId, bigint>();
  readonly #due = new Set<AccountId>();
  #tenure: AbortSignal | null = null;
  #allDueAt = 0 as TimestampMs;
  #wake: () => void = () => undefined;

  constructor(ports: VipTierUpdatePorts) {
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

  /** Resolves when an account is due for review, or when the signal aborts. */
  async untilDue(signal: AbortSignal): Promise<void> {
    if (this.#due.size > 0) return pause(pauseMs, signal);
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  // From here on no trade is missed; all earlier ones are covered by the review of all accounts.
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
    // Later trades mark an account again, since the review may not see them.
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
