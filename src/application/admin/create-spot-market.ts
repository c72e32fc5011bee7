import { done, type Outcome, refused } from '../../domain/outcome.ts';
import { isSpotSymbol, type SpotMarketTerms } from '../../domain/spot-market.ts';
import { type AdminWritePorts, submitWrite } from './admin-write.ts';

const badId =
  'id: 1 to 32 letters, digits and . _ : / - are accepted, starting with a letter or digit';

/**
 * Creates a market, listed and tradeable at once; returns its symbol.
 * @throws DatabaseError, EngineBusyError, EngineRestartingError: nothing was created.
 */
export async function createSpotMarket(
  ports: AdminWritePorts,
  terms: SpotMarketTerms,
): Promise<Outcome<string>> {
  if (!isSpotSymbol(terms.symbol)) return refused({ reason: 'parameter_invalid', detail: badId });
  const isTaken = ports.exchange.peek((view) => view.findSpotMarket(terms.symbol)) !== null;
  if (isTaken) return refused({ reason: 'market_exists' });
  const applied = await submitWrite(ports, { type: 'createSpotMarket', terms });
  return applied.kind === 'refused' ? applied : done(terms.symbol);
}
