import {
  type BinanceSpotPorts,
  findSpotMarket,
} from '../../../application/trading/binance-spot-ports.ts';
import type { SpotMarket } from '../../../domain/spot-market.ts';
import type { FapiFields } from '../fapi/fapi-fields.ts';

/** The markets that a request names. */
export interface RequestedMarkets {
  /** True if the answer is one object instead of a list. */
  readonly isOne: boolean;
  readonly markets: readonly SpotMarket[];
}

/**
 * The markets of `symbol`, of the JSON list `symbols`, or all of them; null if a name is unknown.
 * @throws EngineBusyError, EngineRestartingError
 */
export async function readMarkets(
  ports: BinanceSpotPorts,
  fields: FapiFields,
): Promise<RequestedMarkets | null> {
  const symbol = fields.text('symbol');
  const symbols = fields.list('symbols');
  if (symbol !== null && symbols !== null) fields.fail('parameter_combination', 'symbols');
  if (symbols?.some((each) => typeof each !== 'string') === true) {
    fields.fail('parameter_malformed', 'symbols');
  }
  if (symbol === null && symbols === null) {
    const markets = await ports.exchange.read((view) => view.listSpotMarkets());
    return { isOne: false, markets };
  }
  const names = symbol === null ? (symbols ?? []).map(String) : [symbol];
  const markets = names.flatMap((name) => findSpotMarket(ports, name) ?? []);
  return markets.length < names.length ? null : { isOne: symbol !== null, markets };
}
