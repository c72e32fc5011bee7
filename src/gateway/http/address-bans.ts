import { NewestEntries } from '../auth/newest-entries.ts';

const minuteMs = 60_000;
const banFirstMs = 2 * minuteMs;
const banLongestMs = 3 * 24 * 60 * minuteMs;
const refusalsMin = 100;
// Above this number the oldest are evicted, so that memory stays bounded.
const offendersMax = 100_000;

interface Offender {
  minute: number;
  refusals: number;
  bans: number;
  bannedUntil: number;
}

/**
 * Bans addresses that continue sending although they are refused for their weight. As on Binance
 * they get 418 for two minutes, and twice as long each further time, up to three days.
 */
export class AddressBans {
  readonly #refusalsMax: number;
  readonly #offenders = new NewestEntries<Offender>(offendersMax);
  /** Bans that the other processes do not know; null if there are none to report to. */
  #unshared: (readonly [address: string, until: number])[] | null = null;

  /** An address is banned once it is refused this often within a minute: a tenth of its limit. */
  constructor(requestWeightPerMinute: number) {
    this.#refusalsMax = Math.max(refusalsMin, Math.floor(requestWeightPerMinute / 10));
  }

  /** Whole seconds until the ban ends; null if there is none. */
  retryAfterSeconds(address: string, nowMs: number): number | null {
    if (this.#offenders.size === 0) return null;
    const until = this.#offenders.get(address)?.bannedUntil ?? 0;
    return until > nowMs ? Math.ceil((until - nowMs) / 1000) : null;
  }

  /** Records that a request was refused. */
  refuse(address: string, nowMs: number): void {
    const offender = this.#offenderOf(address, nowMs);
    const minute = Math.floor(nowMs / minuteMs);
    if (offender.minute !== minute) offender.refusals = 0;
    offender.minute = minute;
    offender.refusals += 1;
    if (offender.refusals <= this.#refusalsMax) return;
    offender.refusals = 0;
    offender.bannedUntil = nowMs + Math.min(banLongestMs, banFirstMs * 2 ** offender.bans);
    offender.bans += 1;
    this.#unshared?.push([address, offender.bannedUntil]);
  }

  /** From now on there are other processes to report to. */
  share(): void {
    this.#unshared ??= [];
  }

  /** The bans since the last call. */
  takeNew(): readonly (readonly [address: string, until: number])[] {
    return this.#unshared?.splice(0) ?? [];
  }

  /** Another process has banned the address. */
  note(address: string, until: number, nowMs: number): void {
    const offender = this.#offenderOf(address, nowMs);
    if (until <= offender.bannedUntil) return;
    offender.minute = Math.floor(nowMs / minuteMs);
    offender.refusals = 0;
    // Processes that ban it at the same time do so for the same requests.
    if (offender.bannedUntil <= nowMs) offender.bans += 1;
    offender.bannedUntil = until;
  }

  #offenderOf(address: string, nowMs: number): Offender {
    const known = this.#offenders.get(address);
    // After three days without a refusal an address starts afresh.
    const isRemembered = known !== undefined && known.minute * minuteMs > nowMs - banLongestMs;
    if (isRemembered) return known;
    const offender = { minute: 0, refusals: 0, bans: 0, bannedUntil: 0 };
    this.#offenders.set(address, offender);
    return offender;
  }
}
