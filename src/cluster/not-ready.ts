import { EngineRestartingError } from '../application/ports.ts';

/** What was asked for was not taken: nobody may do it now. */
export function notReady(cause?: unknown): EngineRestartingError {
  return new EngineRestartingError('no process owns the exchange at present', { cause });
}
