/** A controller of its own that aborts with the signal, until it is let go. */
export interface LinkedAbort {
  readonly controller: AbortController;
  /** The signal, which may live for ever, keeps nothing of the controller. */
  readonly unlink: () => void;
}

/** What `AbortSignal.any` does, without leaving anything behind in a signal that lives on. */
export function linkAbort(signal: AbortSignal): LinkedAbort {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return { controller, unlink: () => signal.removeEventListener('abort', abort) };
}
