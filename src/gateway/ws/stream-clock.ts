/** What the streams know of time; tests put a clock of their own in its place. */
export interface StreamClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds from an unknown start; never falls, whatever happens to the wall clock. */
  elapsed(): number;
  /** Calls back once; returns how to prevent it. */
  after(delayMs: number, callback: () => void): () => void;
  /** Calls back once this turn of the event loop is over. */
  afterTurn(callback: () => void): void;
}

/** The machine's own clock. */
export const systemStreamClock: StreamClock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  afterTurn: (callback) => {
    setImmediate(callback);
  },
};
