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
  const given = fields.list('symbols');
  const symbols = given?.filter((each) => typeof each === 'string') ?? null;
  if (symbol !== null && symbols !== null) fields.fail('parameter_combination', 'symbols');
  // Each name costs a separate query, whatever the weight of the call.
  if (new Set(symbols).size < (given?.length ?? 0)) fields.fail('parameter_malformed', 'symbols');
  if (symbol === null && symbols === null) {
    const markets = await ports.exchange.read((view) => view.listSpotMarkets());
    return { isOne: false, markets };
  }
  const names = symbol === null ? (symbols ?? []) : [symbol];
  const markets = names.flatMap((name) => findSpotMarket(ports, name) ?? []);
  return markets.length < names.length ? null : { isOne: symbol !== null, markets };
}
