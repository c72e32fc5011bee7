import type { JetStreamManager, StreamInfo } from '@nats-io/jetstream';
import type { Time } from '../system/time.ts';

const accountMs = 10_000;

/** How much of its space the stream of the shared log has used. */
export class LogSpace {
  readonly #manager: Pick<JetStreamManager, 'getAccountInfo'>;
  readonly #time: Pick<Time, 'monotonicMs'>;
  #ofStream: number | null = null;
  #ofAccount: number | null = null;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(manager: Pick<JetStreamManager, 'getAccountInfo'>, time: Pick<Time, 'monotonicMs'>) {
    this.#manager = manager;
    this.#time = time;
  }

  /** Of the nearest limit; null if neither the stream nor its account has one. */
  get usedRatio(): number | null {
    if (this.#ofStream === null || this.#ofAccount === null) {
      return this.#ofStream ?? this.#ofAccount;
    }
    return Math.max(this.#ofStream, this.#ofAccount);
  }

  note({ state, config }: StreamInfo): void {
    this.#ofStream = ratioOf(state.bytes, config.max_bytes);
    const now = this.#time.monotonicMs();
    if (now - this.#askedAt < accountMs) return;
    this.#askedAt = now;
    this.#manager.getAccountInfo().then(
      ({ storage, limits }) => {
        this.#ofAccount = ratioOf(storage, limits.max_storage);
      },
      // The next request follows in ten seconds.
      () => undefined,
    );
  }
}

// Without a limit the server says -1, or nothing.
function ratioOf(used: number, max = -1): number | null {
  return max > 0 ? used / max : null;
}
