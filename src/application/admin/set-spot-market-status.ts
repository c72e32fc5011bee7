import { done, type Outcome, refused } from '../../domain/outcome.ts';
import type { SpotMarketStatus } from '../../domain/spot-market.ts';
import { submitUntilDone } from '../submit-until-done.ts';
import { type AdminWritePorts, awaitCommit, requireDatabase } from './admin-write.ts';

const statuses: readonly SpotMarketStatus[] = ['listed', 'halted', 'delisted'];

/**
 * Halts, relists or delists a market; delisting cancels its resting orders and is final. Setting
 * the current status succeeds.
 * @throws DatabaseError, EngineBusyError, EngineRestartingError: nothing changed.
 */
export async function setSpotMarketStatus(
  ports: AdminWritePorts,
  symbol: string,
  statusText: string,
): Promise<Outcome<SpotMarketStatus>> {
  const status = statuses.find((known) => known === statusText);
  if (status === undefined) return refused({ reason: 'market_status_not_allowed' });
  const { exchange } = ports;
  const market = exchange.peek((view) => view.findSpotMarket(symbol));
  if (market === null) return refused({ reason: 'market_not_found' });
  await requireDatabase(ports);
  const ended = await submitUntilDone(exchange, { type: 'setSpotMarketStatus', symbol, status });
  if (ended.kind === 'refused') return ended;
  await awaitCommit(ports, ended.value);
  return done(status);
}
