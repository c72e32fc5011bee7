import {
  type AppliedCommand,
  EngineBusyError,
  EngineRestartingError,
  type EngineView,
  type Exchange,
} from '../../application/ports/exchange.ts';
import type { Sequence } from '../../domain/identifiers.ts';
import type { StreamClock } from './stream-clock.ts';
import type { StreamLog } from './stream-ports.ts';

export interface DurableFeedParts<State> {
  readonly exchange: Exchange;
  readonly clock: StreamClock;
  readonly log: StreamLog;
  /** Reads the followers' initial state, at one sequence. */
  readonly readState: (view: EngineView) => State;
  /** Starts from the state; every later command follows through `take`. */
  readonly begin: (state: State) => void;
  readonly take: (applied: AppliedCommand) => void;
  /** Discards everything: what was built is wrong, and is rebuilt. */
  readonly reset: () => void;
}

const reloadDelayMs = 100;

/**
 * Follows the durable commands from the engine's state at one sequence on, so that nothing is
 * missed or seen twice.
 */
export class DurableFeed<State> {
  readonly #parts: DurableFeedParts<State>;
  /** Commands that arrived before the state was read; null once the feed runs. */
  #waiting: AppliedCommand[] | null = [];
  #sequence = 0 as Sequence;
  #end: (() => void) | null = null;
  #cancelReload: (() => void) | null = null;
  #isStopped = false;

  constructor(parts: DurableFeedParts<State>) {
    this.#parts = parts;
  }

  /** False until the state is loaded, for example while the journal is replayed. */
  get isReady(): boolean {
    return this.#waiting === null;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** The last command that was processed. */
  get sequence(): Sequence {
    return this.#sequence;
  }

  async start(): Promise<void> {
    this.#end = this.#parts.exchange.subscribe((batch) => this.#take(batch));
    await this.#load();
  }

  stop(): void {
    this.#isStopped = true;
    this.#end?.();
    this.#cancelReload?.();
  }

  async #load(): Promise<void> {
    const read = await this.#readState();
    if (this.#isStopped) return;
    if (read === null) {
      // The next state is read after everything that has arrived so far.
      this.#waiting = [];
      this.#scheduleReload();
      return;
    }
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    this.#sequence = read.sequence;
    this.#parts.begin(read.state);
    this.#take(waiting);
  }

  async #readState(): Promise<{ readonly sequence: Sequence; readonly state: State } | null> {
    const { exchange, readState } = this.#parts;
    try {
      return await exchange.read((view) => ({ sequence: view.sequence, state: readState(view) }));
    } catch (error) {
      if (error instanceof EngineBusyError || error instanceof EngineRestartingError) return null;
      throw error;
    }
  }

  #take(batch: readonly AppliedCommand[]): void {
    if (this.#waiting !== null) {
      this.#waiting.push(...batch);
      return;
    }
    try {
      for (const applied of batch) {
        if (applied.sequence <= this.#sequence) continue;
        this.#sequence = applied.sequence;
        this.#parts.take(applied);
      }
    } catch (error) {
      this.#startOver(error);
    }
  }

  // The caller is the writer of the journal: trading must continue although its streams are broken,
  // so only the streams are taken down, with an error in the log, and rebuilt from the engine.
  #startOver(error: unknown): void {
    this.#parts.log.error({ err: error }, 'the streams failed and are rebuilt');
    this.#waiting = [];
    this.#parts.reset();
    this.#scheduleReload();
  }

  #scheduleReload(): void {
    this.#cancelReload = this.#parts.clock.after(reloadDelayMs, () => void this.#load());
  }
}
