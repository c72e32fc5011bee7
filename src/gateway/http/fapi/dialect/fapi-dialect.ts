import type { FuturesPorts } from '../../../../application/futures/futures-trading-ports.ts';
import type { FuturesMarket } from '../../../../domain/futures-market.ts';
import type { ErrorRow } from '../../../errors/error-row.ts';
import type { Surface } from '../../../errors/surface.ts';
import type { FapiFields } from '../fapi-fields.ts';

/** What /fapi does otherwise than the interface has it; absent: nothing. */
export interface FapiDialect {
  readonly surface: Surface;
  /** The calls about listen keys come with the API key's header alone. */
  readonly isListenKeyUnsigned: boolean;
  /** Orders that wait for a price are seen, and canceled together, by the algo endpoints only. */
  readonly areConditionalsApart: boolean;
  /** What exchangeInfo tells of a market besides the filters that the interface names. */
  filtersOf(market: FuturesMarket): readonly object[];
  /** The number that a client gives an amendment is kept, and shown with it. */
  readonly areAmendmentsNamed: boolean;
  /** Makes the rows that Binance answers of those of the interface; by method and path. */
  readonly rows: ReadonlyMap<string, (row: object) => object>;
  /** An order that is only tested is answered as the order that it would have been. */
  readonly areTestOrdersDescribed: boolean;
  /** Why an order of these fields is refused before the endpoint judges it; null: it is not. */
  refuseOrder(fields: FapiFields, market: FuturesMarket, isAlgo: boolean): ErrorRow | null;
  /** The rows of such refusals. */
  readonly orderRows: readonly ErrorRow[];
}

export interface FapiPorts extends FuturesPorts {
  readonly dialect?: FapiDialect | null;
}
