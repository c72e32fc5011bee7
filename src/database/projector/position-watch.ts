import type pg from 'pg';
import { projectedChannel } from './write-batch.ts';

// A notification can be lost with its connection, so the position is also polled.
const recheckMs = 1_000;

/** Detects that another process may have projected more. */
export class PositionWatch {
  readonly #client: pg.PoolClient;
  readonly #signal: AbortSignal;
  #isDue = false;
  #wake: () => void = () => undefined;

  constructor(client: pg.PoolClient, signal: AbortSignal) {
    this.#client = client;
    this.#signal = signal;
  }

  async begin(): Promise<void> {
    this.#client.on('notification', this.#note);
    this.#client.on('end', this.#note);
    this.#signal.addEventListener('abort', this.#note);
    await this.#client.query(`LISTEN ${projectedChannel}`);
  }

  /** Resolves at a notification, at `other`, or after a while. */
  async next(other: Promise<void> | undefined): Promise<void> {
    if (!this.#isDue) {
      let timer: NodeJS.Timeout | undefined;
      const noted = new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, recheckMs);
      });
      await Promise.race(other === undefined ? [noted] : [noted, other]);
      clearTimeout(timer);
    }
    this.#isDue = false;
  }

  async end(): Promise<void> {
    this.#client.off('notification', this.#note);
    this.#client.off('end', this.#note);
    this.#signal.removeEventListener('abort', this.#note);
    await this.#client.query(`UNLISTEN ${projectedChannel}`);
  }

  readonly #note = (): void => {
    this.#isDue = true;
    this.#wake();
  };
}
