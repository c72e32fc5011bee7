import { setTimeout as delay } from 'node:timers/promises';

/** Waits that long, or until the signal aborts. A pause alone does not keep the process alive. */
export async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  await delay(durationMs, undefined, { signal, ref: false }).catch(() => undefined);
}
