/** A separate controller that aborts with the signal, until it is unlinked. */
export interface LinkedAbort {
  readonly controller: AbortController;
  /** Releases the controller from the signal, which may live forever. */
  readonly unlink: () => void;
}

/** Like `AbortSignal.any`, but leaves nothing behind in a signal that outlives the controller. */
export function linkAbort(signal: AbortSignal): LinkedAbort {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return { controller, unlink: () => signal.removeEventListener('abort', abort) };
}
