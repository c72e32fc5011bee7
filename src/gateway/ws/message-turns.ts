import type { StreamClock } from './stream-clock.ts';

/** Messages of one client that are served per turn of the event loop. */
const messagesPerTurn = 8;

interface Message {
  readonly data: Buffer;
  readonly isBinary: boolean;
}

export interface MessageTurnsParts {
  readonly clock: StreamClock;
  take(this: void, data: Buffer, isBinary: boolean): void;
  /** Stops reading from the client. */
  pause(this: void): void;
  resume(this: void): void;
}

/**
 * Delivers a client's messages in order, some in each turn of the event loop. One read can return
 * hundreds of them; other work of the service gets turns in between.
 */
export class MessageTurns {
  readonly #parts: MessageTurnsParts;
  #waiting: Message[] = [];
  #takenInTurn = 0;

  constructor(parts: MessageTurnsParts) {
    this.#parts = parts;
  }

  push(data: Buffer, isBinary: boolean): void {
    if (this.#waiting.length > 0 || this.#takenInTurn === messagesPerTurn) {
      if (this.#waiting.length === 0) this.#parts.pause();
      this.#waiting.push({ data, isBinary });
      return;
    }
    if (this.#takenInTurn === 0) this.#parts.clock.afterTurn(this.#nextTurn);
    this.#takenInTurn += 1;
    this.#parts.take(data, isBinary);
  }

  /** Drops the waiting messages: the client is gone. */
  end(): void {
    this.#waiting = [];
  }

  readonly #nextTurn = (): void => {
    this.#takenInTurn = 0;
    if (this.#waiting.length === 0) return;
    this.#parts.clock.afterTurn(this.#nextTurn);
    while (this.#takenInTurn < messagesPerTurn) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      this.#takenInTurn += 1;
      this.#parts.take(next.data, next.isBinary);
    }
    if (this.#waiting.length === 0) this.#parts.resume();
  };
}
