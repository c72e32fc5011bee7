import type { Sequence } from '../domain/identifiers.ts';
import type { ClusterExchange } from './cluster-exchange.ts';

/**
 * The sequence up to which history shows everything that any process had acknowledged when this was
 * called. While NATS is away it is only what this process knows, so that history stays readable.
 * @throws EngineRestartingError if that cannot be determined
 */
export async function acknowledgedSequence(
  exchange: Pick<ClusterExchange, 'status' | 'durableSequence' | 'sequencer' | 'catchUp'>,
): Promise<Sequence> {
  const { role, isConnected } = exchange.status;
  if (!isConnected && role !== 'starting') return exchange.durableSequence;
  await exchange.catchUp();
  // Another process may have acknowledged what this one's journal does not hold yet. That applies
  // to the owner too, whose disk may be the slower one.
  return exchange.sequencer.appliedSequence;
}
