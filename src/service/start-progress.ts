import type { Logger } from '../observability/log.ts';

const tellEveryMs = 10_000;

/** What a start is still waiting for; logged every 10 s until the start is over. */
export class StartProgress {
  readonly #begunAt = performance.now();
  readonly #waiting = new Set<string>();
  readonly #timer: NodeJS.Timeout;

  constructor(log: Logger) {
    this.#timer = setInterval(() => {
      const seconds = Math.round((performance.now() - this.#begunAt) / 1_000);
      log.warn({ waitsFor: this.waitsFor, seconds }, 'the service is still starting');
    }, tellEveryMs);
    this.#timer.unref();
  }

  get waitsFor(): readonly string[] {
    return [...this.#waiting];
  }

  /** Returns the result of the work; until then it is listed under that name as waited for. */
  async waitFor<T>(what: string, work: Promise<T>): Promise<T> {
    this.#waiting.add(what);
    try {
      return await work;
    } finally {
      this.#waiting.delete(what);
    }
  }

  end(): void {
    clearInterval(this.#timer);
  }
}
