import type { Sequence } from '../domain/identifiers.ts';
import { done, type Outcome, refused } from '../domain/outcome.ts';
import type { Command, EngineEvent, Exchange } from './ports/exchange.ts';

/**
 * Repeats a command that does a bounded part each time until nothing is left to do.
 * @returns the sequence of the last part, or why it was refused.
 * @param seen gets the events of each part once they are durable.
 * @throws EngineBusyError, EngineRestartingError: what was not seen was not done.
 */
export async function submitUntilDone(
  exchange: Exchange,
  command: Command,
  seen: (event: EngineEvent) => void = () => {},
): Promise<Outcome<Sequence>> {
  for (;;) {
    const { rejection, events, sequence } = await exchange.submit(command);
    if (rejection !== null) return refused(rejection);
    for (const event of events) seen(event);
    if (!events.some(({ type }) => type === 'workDue')) return done(sequence);
  }
}
