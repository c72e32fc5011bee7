import type { AppliedCommand } from '../../../src/application/ports.ts';
import type { Stamp } from '../../../src/engine/state-machine.ts';
import { Violation } from './history.ts';
import type { Machine } from './machine.ts';
import { trueWallMs } from './sim-time.ts';
import type { World } from './world.ts';

// What the exchange's clock promises of a wall clock that is ahead.
const aheadMaxMs = 2_100;
const slowestPace = 0.5;

/** O11: what the stamps of commands must be. */
export class TimeOracle {
  readonly #world: World;
  readonly #stamps = new Map<Machine, Stamp>();
  #watched = { trueMs: 0, stampedAt: 0 };

  constructor(world: World) {
    this.#world = world;
  }

  /** No stamp falls, and none is further ahead of true time than promised. @throws Violation */
  judge(machine: Machine, outcomes: readonly AppliedCommand[]): void {
    const trueMs = trueWallMs(this.#world);
    for (const { sequence, timestamp } of outcomes) {
      const before = this.#stamps.get(machine);
      this.#stamps.set(machine, { sequence, timestamp });
      this.#world.record(timestamp);
      // A disk that lied makes a process receive a command once more.
      const isLater = before !== undefined && sequence > before.sequence;
      if (isLater && timestamp < before.timestamp && machine.process !== null) {
        throw new Violation('O11', `time falls at ${sequence} of process ${machine.number}`);
      }
      if (timestamp > trueMs + aheadMaxMs) {
        const aheadMs = timestamp - trueMs;
        throw new Violation('O11', `command ${sequence} is ${aheadMs} ms ahead of true time`);
      }
    }
  }

  /** Begins to watch, long after the faults, how fast the exchange's time passes there. */
  watch(machine: Machine): void {
    const stampedAt = this.#stamps.get(machine)?.timestamp ?? 0;
    this.#watched = { trueMs: trueWallMs(this.#world), stampedAt };
  }

  /** The process has just stamped another command: its time has not stood still. @throws Violation */
  requirePassing(machine: Machine): void {
    const { trueMs, stampedAt } = this.#watched;
    const passedMs = trueWallMs(this.#world) - trueMs;
    const stampedMs = (this.#stamps.get(machine)?.timestamp ?? 0) - stampedAt;
    if (stampedMs >= slowestPace * passedMs) return;
    const text = `${Math.round(passedMs)} ms are ${stampedMs} ms at process ${machine.number}`;
    throw new Violation('O11', text);
  }
}
