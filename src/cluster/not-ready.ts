import { EngineRestartingError } from '../application/ports/exchange.ts';

/** The request was not accepted: no process can serve it now. */
export function notReady(cause?: unknown): EngineRestartingError {
  return new EngineRestartingError('no process owns the exchange', { cause });
}
