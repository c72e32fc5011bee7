import { setTimeout as delay } from 'node:timers/promises';
import {
  EngineBusyError,
  EngineRestartingError,
  type Exchange,
  type OperatorLog,
} from '../application/ports.ts';

export interface FuturesClockPorts {
  readonly exchange: Exchange;
  readonly log: OperatorLog;
  /** Between two looks at the time; what one command leaves over follows at once. */
  readonly intervalMs: number;
}

/**
 * Tells the engine that time passes, so that it marks prices, pays funding, fires triggers and
 * looks for accounts to liquidate. Nothing is sent while there is no futures market.
 */
export class FuturesClock {
  readonly #ports: FuturesClockPorts;
  readonly #stop = new AbortController();
  #running: Promise<void> | null = null;

  constructor(ports: FuturesClockPorts) {
    this.#ports = ports;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Resolves once no command is under way any more. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const isDone = await this.#advance();
      if (!isDone) continue;
      // An abort ends the pause early, and the loop with it.
      await delay(this.#ports.intervalMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Whether nothing is left to do for now. */
  async #advance(): Promise<boolean> {
    const { exchange, log } = this.#ports;
    try {
      const count = exchange.peek(({ futures }) => futures.listFuturesMarkets().length);
      if (count === 0) return true;
      const { events } = await exchange.submit({ type: 'advanceTime' });
      return !events.some(({ type }) => type === 'timedWorkDue');
    } catch (error) {
      if (!(error instanceof EngineBusyError || error instanceof EngineRestartingError))
        throw error;
      log.warn({ err: error }, 'the futures clock waits for the engine');
      return true;
    }
  }
}
