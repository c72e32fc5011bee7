import { sleepWith, type Time } from '../../../src/system/time.ts';
import type { Actor, World } from './world.ts';

const epochMs = 1_750_000_000_000;
/** How long one turn of an event loop takes, in milliseconds. */
const turnMs = 0.002;

/** A machine's clocks, as differences from the world's time. */
export class MachineClock {
  /** Of the wall clock, which may be set. */
  offsetMs = 0;
  /** How much too fast both clocks run, in millionths. */
  driftPpm = 0;
  #standsAt: number | null = null;

  /** Stops the wall clock, or lets it continue. */
  stand(at: number | null): void {
    this.#standsAt = at;
  }

  wallMs(now: number): number {
    return Math.floor(epochMs + this.offsetMs + this.#passed(this.#standsAt ?? now));
  }

  monotonicMs(now: number): number {
    return this.#passed(now);
  }

  #passed(now: number): number {
    return now * (1 + this.driftPpm / 1_000_000);
  }
}

/** What a correct clock shows. */
export function trueWallMs(world: World): number {
  return Math.floor(epochMs + world.now);
}

/** The time of one process: its timers end with the process and wait while it is paused. */
export function simTime(world: World, actor: Actor, clock: MachineClock): Time {
  const after: Time['after'] = (delayMs, callback) => world.schedule(delayMs, actor, callback);
  return {
    wallMs: () => clock.wallMs(world.now),
    monotonicMs: () => clock.monotonicMs(world.now),
    sleep: (delayMs, signal) => sleepWith(after, delayMs, signal),
    after,
    every: (periodMs, callback) => {
      let cancel = (): void => undefined;
      const next = (): void => {
        cancel = after(periodMs, () => {
          next();
          callback();
        });
      };
      next();
      return () => cancel();
    },
    afterTurn: (callback) => void after(turnMs, callback),
    yieldTurn: () => sleepWith(after, turnMs),
  };
}
