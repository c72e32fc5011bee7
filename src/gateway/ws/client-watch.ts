import type { Connection } from './connection.ts';
import { closeCodes } from './protocol/stream-error.ts';
import { RateLimiter } from './rate-limiter.ts';
import type { StreamClock } from './stream-clock.ts';
import type { StreamLimits } from './stream-limits.ts';

/** One client's connection, in whichever protocol it uses. */
export interface ClientSession {
  /** Handles a text or binary message. */
  takeMessage(data: Buffer, isBinary: boolean): void;
  /** Handles a ping frame; pongs need no answer. */
  takePing(): void;
  takePong(): void;
  /** To be called every second. */
  tick(): void;
  /** Cleans up after the connection has closed. */
  end(): void;
}

export interface ClientWatchParts {
  readonly clock: StreamClock;
  readonly limits: StreamLimits;
}

/** Pings a client, and closes it if it stays silent, sends too much or does not read. */
export class ClientWatch {
  readonly #connection: Connection;
  readonly #parts: ClientWatchParts;
  readonly #refuse: (message: string) => void;
  readonly #rate: RateLimiter;
  /** How often the rate can be exceeded before the client is considered hostile. */
  readonly #refusals: RateLimiter;
  #lastMessageAt: number;
  #pingedAt: number;
  #takenBytes = 0;
  #readAt: number;

  constructor(connection: Connection, parts: ClientWatchParts, refuse: (message: string) => void) {
    const { clock, limits } = parts;
    const now = clock.elapsed();
    this.#connection = connection;
    this.#parts = parts;
    this.#refuse = refuse;
    this.#rate = new RateLimiter(
      { burst: limits.messagesBurst, perSecond: limits.messagesPerSecond },
      now,
    );
    this.#refusals = new RateLimiter({ burst: limits.messagesBurst, perSecond: 1 }, now);
    this.#lastMessageAt = now;
    this.#pingedAt = now;
    this.#readAt = now;
  }

  /** True if the message can be processed. */
  takeMessage(): boolean {
    const now = this.#parts.clock.elapsed();
    this.#lastMessageAt = now;
    this.#rate.charge(now, this.#connection.takeCharges());
    const isInTime = this.#rate.take(now);
    if (isInTime && this.#connection.affords(1)) return true;
    const { messagesPerSecond } = this.#parts.limits;
    const message = isInTime
      ? 'too many messages from this address'
      : `at most ${messagesPerSecond} messages a second`;
    if (this.#refusals.take(now)) this.#refuse(message);
    else this.#connection.close(closeCodes.policyViolation, message);
    return false;
  }

  takePong(): void {
    this.#lastMessageAt = this.#parts.clock.elapsed();
  }

  /** Sends pings, and detects silence and clients that do not read. */
  tick(): void {
    const { clock, limits } = this.#parts;
    const now = clock.elapsed();
    if (now - this.#lastMessageAt >= limits.silenceMaxMs) {
      const seconds = limits.silenceMaxMs / 1000;
      this.#connection.close(closeCodes.policyViolation, `silent for ${seconds} s`);
    } else if (this.#isStuck(now)) {
      this.#connection.closeAsTooSlow();
    } else if (now - this.#pingedAt >= limits.pingIntervalMs) {
      this.#pingedAt = now;
      this.#connection.ping();
    }
  }
  // What waits for a client that never reads would otherwise stay in memory, below every limit.
  #isStuck(now: number): boolean {
    const { backlogBytes, takenBytes } = this.#connection;
    if (backlogBytes === 0 || takenBytes > this.#takenBytes) {
      this.#takenBytes = takenBytes;
      this.#readAt = now;
    }
    return now - this.#readAt >= this.#parts.limits.behindMaxMs;
  }
}
