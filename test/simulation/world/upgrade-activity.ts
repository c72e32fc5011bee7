import { rulesVersion, rulesVersionMin } from '../../../src/engine/rules.ts';
import { RulesVersionError } from '../../../src/journal/rules-version.ts';
import type { Activity } from './activity.ts';
import { Draws } from './draws.ts';
import type { Faulty } from './faults.ts';
import { Violation } from './history.ts';
import type { Machine, Program } from './machine.ts';

export interface UpgradeActivityOptions {
  readonly faulty: Faulty;
  readonly onViolation: (error: unknown) => void;
}

/** How long a program may take to stop before it is killed. */
const stopMs = 10_000;

/**
 * Upgrades all processes, one after the other, while clients trade: from the previous version to
 * this one with the rules held back, then to this one without.
 */
export class UpgradeActivity implements Activity {
  readonly commands = 0;
  readonly acknowledged = 0;
  readonly repeats = 0;
  readonly firstRules = rulesVersionMin;
  readonly #options: UpgradeActivityOptions;
  readonly #draws: Draws;
  readonly #pauseMs: number;
  #isOver = false;

  constructor(options: UpgradeActivityOptions) {
    this.#options = options;
    const { world, machines } = options.faulty;
    this.#draws = new Draws(world.seed, 'upgrade');
    this.#pauseMs = this.#draws.pick([200, 1_000, 3_000]);
    for (const machine of machines) machine.program = 'previous';
  }

  attach(): void {}

  /** O12: while processes of the previous version run, every command uses rules that they know. */
  hearEnd({ number, program }: Machine, error: unknown): Violation | null {
    if (program !== 'previous' || !(error instanceof RulesVersionError)) return null;
    return new Violation('O12', `process ${number} cannot continue: ${error.message}`);
  }

  start(): void {
    void this.#replaceAll().catch(this.#options.onViolation);
  }

  rest(): void {}

  findUnfinished(): string | null {
    if (!this.#isOver) return 'processes are still being replaced';
    const rules = this.#options.faulty.machines.map(({ process }) => process?.sequencer.rules);
    const isRaised = rules.every((version) => version === rulesVersion);
    return isRaised ? null : `the rules are ${rules.join(', ')}`;
  }

  probe(): Promise<void> {
    return Promise.resolve();
  }

  replay(): void {}

  /** O12: an upgrade needs no more than starting the programs. */
  judge(): void {
    const unfinished = this.findUnfinished();
    if (unfinished !== null) throw new Violation('O12', unfinished);
  }

  async #replaceAll(): Promise<void> {
    const { world, machines } = this.#options.faulty;
    for (const program of ['held', 'new'] as const) {
      for (const machine of machines) {
        await world.wait(this.#draws.between(0, 2 * this.#pauseMs), world.outside);
        await this.#replace(machine, program);
      }
    }
    this.#isOver = true;
  }

  async #replace(machine: Machine, program: Program): Promise<void> {
    const { world } = this.#options.faulty;
    machine.program = program;
    world.note(`machine ${machine.number} is switched to the program ${program}`);
    const isStopped = machine.stop();
    await Promise.race([isStopped, world.wait(stopMs, world.outside)]);
    machine.kill(false);
    machine.start();
    await this.#untilReady(machine);
  }

  // Like an operator, continues with the next process only once this one serves again.
  async #untilReady(machine: Machine): Promise<void> {
    const { world } = this.#options.faulty;
    while (!machine.isReady) await world.wait(100, world.outside);
  }
}
