import type { ReadBarrier } from './ports/database.ts';
import type { Exchange } from './ports/exchange.ts';

/**
 * Waits until the database holds everything that is durable now, and so everything that any caller
 * has been answered.
 * @throws DatabaseError if that does not happen in time
 */
export function waitForDatabase({
  exchange,
  barrier,
}: {
  readonly exchange: Pick<Exchange, 'durableSequence'>;
  readonly barrier: ReadBarrier;
}): Promise<void> {
  return barrier.waitFor(exchange.durableSequence);
}
