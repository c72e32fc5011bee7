import type { Actor, World } from './world.ts';

/** What came of a question. */
export type Answered<T> = { readonly value: T } | { readonly error: unknown };

const answerTimeoutMs = 15_000;
const wayBackMs = 0.2;

/**
 * What the process answers to the one who asks; null where that takes too long, or where the
 * process has ended meanwhile: its answer reaches nobody.
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
