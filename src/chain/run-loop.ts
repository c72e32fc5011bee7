import type { Logger } from '../observability/log.ts';

export interface LoopOptions {
  readonly name: string;
  /** From the end of one run to the beginning of the next. */
  readonly intervalMs: number;
  readonly log: Logger;
}

/**
 * Runs work repeatedly, never twice at a time; a failed run is logged and the next one starts as
 * usual. Returns a function that ends the loop and waits for a run in progress.
 */
export function startLoop(
  { name, intervalMs, log }: LoopOptions,
  work: () => Promise<void>,
): () => Promise<void> {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const run = (): void => {
    running = work()
      .catch((error: unknown) => log.warn({ err: error, loop: name }, `could not ${name}`))
      .then(() => {
        if (!isStopped) timer = setTimeout(run, intervalMs);
      });
  };
  run();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await running;
  };
}
