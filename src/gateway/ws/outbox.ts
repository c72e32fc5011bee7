import type { Connection } from './connection.ts';
import type { StreamClock } from './stream-clock.ts';
import type { StreamMetrics } from './stream-metrics.ts';

export interface OutboxParts {
  readonly clock: StreamClock;
  readonly metrics: StreamMetrics;
}

/**
 * Sends the private messages of one turn of the event loop together, with one write per connection.
 */
export class Outbox {
  readonly #clock: StreamClock;
  readonly #metrics: StreamMetrics;
  readonly #waiting = new Map<Connection, Buffer[]>();

  constructor({ clock, metrics }: OutboxParts) {
    this.#clock = clock;
    this.#metrics = metrics;
  }

  /** Nothing is dropped: a connection that cannot keep up is closed. */
  push(connection: Connection, frame: Buffer): void {
    if (this.#waiting.size === 0) this.#clock.afterTurn(() => this.#flush());
    const frames = this.#waiting.get(connection);
    if (frames === undefined) this.#waiting.set(connection, [frame]);
    else frames.push(frame);
  }

  #flush(): void {
    const entries = [...this.#waiting];
    this.#waiting.clear();
    for (const [connection, frames] of entries) {
      if (connection.write(Buffer.concat(frames))) this.#metrics.messagesSent(frames.length);
    }
  }
}
