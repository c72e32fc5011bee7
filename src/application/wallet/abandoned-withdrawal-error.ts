import { EngineBusyError } from '../ports/exchange.ts';

/**
 * This process took so long to create a withdrawal that another one has abandoned it. Nothing was
 * signed for its owner, and the settler returns what was set aside.
 */
export function abandonedWithdrawalError(id: string): EngineBusyError {
  return new EngineBusyError(`the withdrawal ${id} took too long to create and was abandoned`);
}
