import type { AppliedCommand } from '../../../src/application/ports/exchange.ts';
import type { Stamp } from '../../../src/engine/state-machine.ts';
import { Violation } from './history.ts';
import type { Machine } from './machine.ts';
import { trueWallMs } from './sim-time.ts';
import type { World } from './world.ts';

// The exchange's clock guarantees this even if a wall clock is ahead.
const aheadMaxMs = 2_100;
const slowestPace = 0.5;

/** O11: checks the timestamps of commands. */
export class TimeOracle {
  readonly #world: World;
  readonly #stamps = new Map<Machine, Stamp>();
  #watched = { trueMs: 0, stampedAt: 0 };

  constructor(world: World) {
    this.#world = world;
  }

  /** No timestamp decreases or is further ahead of true time than allowed. @throws Violation */
  judge(machine: Machine, outcomes: readonly AppliedCommand[]): void {
    const trueMs = trueWallMs(this.#world);
    for (const { sequence, timestamp } of outcomes) {
      const before = this.#stamps.get(machine);
      this.#stamps.set(machine, { sequence, timestamp });
      this.#world.record(timestamp);
      // After a disk has lied about a sync, a process receives commands a second time.
      const isLater = before !== undefined && sequence > before.sequence;
      if (isLater && timestamp < before.timestamp && machine.process !== null) {
        throw new Violation('O11', `time decreases at ${sequence} of process ${machine.number}`);
      }
      if (timestamp > trueMs + aheadMaxMs) {
        const aheadMs = timestamp - trueMs;
        throw new Violation('O11', `command ${sequence} is ${aheadMs} ms ahead of true time`);
      }
    }
  }

  /** Starts to measure, long after the faults, how fast time passes at that process. */
  watch(machine: Machine): void {
    const stampedAt = this.#stamps.get(machine)?.timestamp ?? 0;
    this.#watched = { trueMs: trueWallMs(this.#world), stampedAt };
  }

  /** Call after another command has been stamped: time must have passed. @throws Violation */
  requirePassing(machine: Machine): void {
    const { trueMs, stampedAt } = this.#watched;
    const passedMs = trueWallMs(this.#world) - trueMs;
    const stampedMs = (this.#stamps.get(machine)?.timestamp ?? 0) - stampedAt;
    if (stampedMs >= slowestPace * passedMs) return;
    const text = `${Math.round(passedMs)} ms were ${stampedMs} ms at process ${machine.number}`;
    throw new Violation('O11', text);
  }
}
