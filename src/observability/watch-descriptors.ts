import { open } from 'node:fs/promises';
import { devNull } from 'node:os';
import type { Logger } from './log.ts';

const checkEveryMs = 1_000;
const lineEveryMs = 60_000;
const shortageCodes: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE']);

/**
 * Logs when the process cannot open any more files or connections: the runtime then drops new
 * connections silently. Returns the stop function.
 */
export function watchDescriptors(log: Logger, tryOpen: () => Promise<void> = openNull): () => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  const check = async (): Promise<void> => {
    try {
      await tryOpen();
    } catch (error) {
      const now = performance.now();
      const isShort = shortageCodes.has((error as NodeJS.ErrnoException).code);
      if (!isShort || now - loggedAt < lineEveryMs) return;
      loggedAt = now;
      log.error({ err: error }, 'no file descriptors are left, new connections are dropped');
    }
  };
  const timer = setInterval(() => void check(), checkEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}

async function openNull(): Promise<void> {
  await (await open(devNull)).close();
}
