import { ConditionWatch } from '../../../src/cluster/condition-watch.ts';
import type { Activity } from './activity.ts';
import { type Answered, askProcess } from './ask.ts';
import { creditOf } from './client.ts';
import type { Faulty } from './faults.ts';
import { Violation } from './history.ts';
import type { Machine, RunningProcess } from './machine.ts';
import type { Actor } from './world.ts';

/** What a process reported to a balancer, and whether a read and a write succeeded there then. */
interface Sample {
  readonly machine: Machine;
  readonly atMs: number;
  readonly isReady: boolean;
  readonly hasServed: boolean;
}

const lookMs = 250;
const askMs = 400;
const withinMs = 1_000;
/** The longest delay for a balancer: a takeover takes 3 s, and silence is noticed in 1 s. */
const settleMs = 4_500;

/**
 * A balancer asks each process whether it is ready, and the answer is tested with requests. O10:
 * except around changes of a process or of its owner, it is ready exactly if requests succeed.
 */
export class BalancerActivity implements Activity {
  commands = 0;
  acknowledged = 0;
  readonly repeats = 0;
  readonly #faulty: Faulty;
  readonly #onViolation: (error: unknown) => void;
  readonly #actor: Actor;
  readonly #watches = new Map<Machine, ConditionWatch>();
  readonly #samples: Sample[] = [];
  /** When anything last changed that a balancer notices with a delay. */
  readonly #changes = new Map<Machine, number[]>();
  #isResting = false;

  constructor(faulty: Faulty, onViolation: (error: unknown) => void) {
    this.#faulty = faulty;
    this.#onViolation = onViolation;
    this.#actor = faulty.world.createActor();
  }

  attach(machine: Machine, { cluster, time }: RunningProcess): void {
    if (cluster === null) return;
    const watch = new ConditionWatch(cluster, time);
    this.#watches.set(machine, watch);
    this.#noteChange(machine);
    let before = '';
    time.every(lookMs, () => {
      const { state, canRead, canWrite, status } = watch.observe();
      const now = `${state} ${canRead} ${canWrite} ${status.epoch} ${status.hasOwner}`;
      if (now !== before) this.#noteChange(machine);
      before = now;
    });
  }

  hearEnd(machine: Machine): null {
    this.#noteChange(machine);
    return null;
  }

  start(): void {
    for (const machine of this.#faulty.machines) {
      void this.#watchOver(machine).catch(this.#onViolation);
    }
  }

  rest(): void {
    this.#isResting = true;
  }

  findUnfinished(): null {
    return null;
  }

  probe(): Promise<void> {
    return Promise.resolve();
  }

  replay(): void {}

  judge(): void {
    for (const { machine, atMs, isReady, hasServed } of this.#samples) {
      if (isReady === hasServed) continue;
      const changes = this.#changes.get(machine) ?? [];
      if (changes.some((changedAt) => Math.abs(changedAt - atMs) < settleMs)) continue;
      const said = isReady ? 'ready and serves nothing' : 'not ready and serves';
      throw new Violation('O10', `process ${machine.number} is ${said} at ${Math.round(atMs)} ms`);
    }
    if (this.acknowledged === 0) throw new Violation('O10', 'no process was ready');
  }

  async #watchOver(machine: Machine): Promise<void> {
    const { world } = this.#faulty;
    for (;;) {
      await world.wait(askMs, this.#actor);
      const { process } = machine;
      if (this.#isResting || process === null) continue;
      const { canWrite: isReady, state } = this.#watches.get(machine)!.observe();
      // A process that is unfit to own the exchange serves what it can, but attracts no clients.
      if (state === 'unfit') continue;
      const atMs = world.now;
      const hasServed = await this.#isServed(machine, process);
      this.#samples.push({ machine, atMs, isReady, hasServed });
    }
  }

  async #isServed(machine: Machine, process: RunningProcess): Promise<boolean> {
    const { world } = this.#faulty;
    const begun = world.now;
    this.commands += 1;
    const credit = creditOf(1, `balancer ${machine.number} ${this.commands}`);
    const written = await this.#ask(process, process.exchange.submit(credit));
    const read = await this.#ask(
      process,
      process.exchange.read((view) => view.sequence),
    );
    const isServed = isDone(written) && isDone(read) && world.now - begun < 2 * withinMs;
    if (isServed) this.acknowledged += 1;
    return isServed;
  }

  #ask<T>(process: RunningProcess, asked: Promise<T>): Promise<Answered<T> | null> {
    return askProcess(this.#faulty.world, this.#actor, process.actor, asked);
  }

  #noteChange(machine: Machine): void {
    const changes = this.#changes.get(machine) ?? [];
    changes.push(this.#faulty.world.now);
    this.#changes.set(machine, changes);
  }
}

function isDone<T>(answer: Answered<T> | null): boolean {
  return answer !== null && 'value' in answer;
}
