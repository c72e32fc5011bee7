import { sleepWith, type Time } from './time.ts';

function after(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}

/** The machine's own clocks and timers. */
export const systemTime: Time = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (delayMs, signal) => sleepWith(after, delayMs, signal),
  after,
  every: (periodMs, callback) => {
    const timer = setInterval(callback, periodMs);
    timer.unref();
    return () => clearInterval(timer);
  },
  afterTurn: (callback) => {
    setImmediate(callback);
  },
  yieldTurn: () => new Promise((resolve) => setImmediate(resolve)),
};
