import type { Sequence } from '../../../src/domain/identifiers.ts';
import type { DurableSignal } from '../../../src/sequencer/durable-signal.ts';
import type { Actor, World } from './world.ts';

/** Notifies followers in the same process of how far the journal is durable. */
export class SimSignal implements DurableSignal {
  readonly #world: World;
  readonly #actor: Actor;
  readonly #waiters = new Set<() => void>();
  #sequence: Sequence | null = null;

  constructor(world: World, actor: Actor) {
    this.#world = world;
    this.#actor = actor;
  }

  get sequence(): Sequence | null {
    return this.#sequence;
  }

  publish(sequence: Sequence): void {
    this.#sequence = sequence;
    this.wake();
  }

  changedFrom(sequence: Sequence | null): Promise<void> {
    if (sequence !== this.#sequence) return Promise.resolve();
    return new Promise((resolve) => {
      const finish = (): void => {
        cancel();
        this.#waiters.delete(finish);
        resolve();
      };
      const cancel = this.#world.schedule(1_000, this.#actor, finish);
      this.#waiters.add(finish);
    });
  }

  wake(): void {
    for (const waiter of this.#waiters) {
      this.#world.schedule(0.02, this.#actor, waiter);
    }
  }
}
