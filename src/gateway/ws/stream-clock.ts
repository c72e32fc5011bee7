/** The streams' source of time; tests replace it with their own. */
export interface StreamClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds since an arbitrary start; never decreases, whatever happens to the wall clock. */
  elapsed(): number;
  /** Calls back once; returns a function that cancels the call. */
  after(delayMs: number, callback: () => void): () => void;
  /** Calls back once this turn of the event loop has ended. */
  afterTurn(callback: () => void): void;
}

/** The machine's clock. */
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
