import type { Actor, World } from './world.ts';

/** The outcome of a question. */
export type Answered<T> = { readonly value: T } | { readonly error: unknown };

const answerTimeoutMs = 15_000;
const wayBackMs = 0.2;

/**
 * The answer of a process to the actor that asks; null if it takes longer than 15 s or the process
 * ends first, because then no answer arrives.
 */
export function askProcess<T>(
  world: World,
  asking: Actor,
  process: Actor,
  asked: Promise<T>,
): Promise<Answered<T> | null> {
  return new Promise((resolve) => {
    const cancel = world.schedule(answerTimeoutMs, asking, () => resolve(null));
    const answer = (found: Answered<T>): void => {
      if (!process.isAlive) return;
      cancel();
      world.schedule(wayBackMs, asking, () => resolve(found));
    };
    asked.then(
      (value) => answer({ value }),
      (error: unknown) => answer({ error }),
    );
  });
}
