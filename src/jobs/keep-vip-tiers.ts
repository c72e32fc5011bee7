import { setTimeout as delay } from 'node:timers/promises';
import type { AppliedCommand, OperatorLog } from '../application/ports.ts';
import { reviewVipTiers, type VipReviewPorts } from '../application/vip/review-vip-tiers.ts';
import { missingVipVolume, nextVipReview } from '../application/vip/vip-schedule.ts';
import type { AccountId, TimestampMs } from '../domain/identifiers.ts';

export interface VipKeeperPorts extends VipReviewPorts {
  readonly log: OperatorLog;
}

// Trades of one account come in bursts; one review serves them all.
const pauseMs = 50;
const retryMs = 1_000;
const accountsKeptMax = 200_000;

/**
 * Keeps every account's VIP tier what its volume is worth: it is looked at as soon as its trades
 * may have reached the next tier, and all are looked at each full hour, when volumes can fall and
 * downgrades fall due.
 */
export class VipTierKeeper {
  readonly #ports: VipKeeperPorts;
  readonly #stop = new AbortController();
  /** What an account may still trade before it has to be looked at again. */
  readonly #missing = new Map<AccountId, bigint>();
  readonly #due = new Set<AccountId>();
  #isAllDue = true;
  #wake: () => void = () => undefined;
  #unsubscribe: () => void = () => undefined;
  #running: Promise<void> | null = null;

  constructor(ports: VipKeeperPorts) {
    this.#ports = ports;
  }

  start(): void {
    this.#unsubscribe = this.#ports.exchange.subscribe((batch) => this.#takeUp(batch));
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#stop.abort();
    this.#wake();
    await this.#running;
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

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    let allDueAt = nextVipReview(this.#ports.now());
    while (!signal.aborted) {
      if (this.#ports.now() >= allDueAt) {
        this.#isAllDue = true;
        allDueAt = nextVipReview(this.#ports.now());
      }
      if (this.#isAllDue || this.#due.size > 0) await this.#review();
      else await this.#sleepUntil(allDueAt);
    }
  }

  async #review(): Promise<void> {
    const { signal } = this.#stop;
    const due = [...this.#due];
    const isAllDue = this.#isAllDue;
    // What is traded from here on marks an account anew, since the review may not see it.
    this.#due.clear();
    this.#isAllDue = false;
    try {
      if (isAllDue) await reviewVipTiers(this.#ports, null);
      if (due.length > 0) this.#remember(await reviewVipTiers(this.#ports, due));
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    } catch (error) {
      for (const accountId of due) this.#due.add(accountId);
      this.#isAllDue ||= isAllDue;
      if (signal.aborted) return;
      this.#ports.log.warn({ error: String(error) }, 'VIP tiers could not be reviewed');
      await delay(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  #remember(accounts: Awaited<ReturnType<typeof reviewVipTiers>>): void {
    if (this.#missing.size > accountsKeptMax) this.#missing.clear();
    for (const account of accounts) {
      const { accountId } = account;
      if (!this.#due.has(accountId)) this.#missing.set(accountId, missingVipVolume(account));
    }
  }

  async #sleepUntil(moment: TimestampMs): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    const signal = AbortSignal.any([this.#stop.signal, woken.signal]);
    const durationMs = Math.max(0, moment - this.#ports.now());
    await delay(durationMs, undefined, { signal }).catch(() => undefined);
  }
}
