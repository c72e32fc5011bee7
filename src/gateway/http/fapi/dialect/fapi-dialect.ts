import type { FuturesPorts } from '../../../../application/futures/futures-ports.ts';
import type { FuturesMarket } from '../../../../domain/futures-market.ts';
import type { ErrorRow } from '../../../errors/error-row.ts';
import type { Surface } from '../../../errors/surface.ts';
import type { FapiFields } from '../fapi-fields.ts';

/** Where /fapi differs from the interface; absent: nowhere. */
export interface FapiDialect {
  readonly surface: Surface;
  /** Listen-key requests need only the API key's header. */
  readonly isListenKeyUnsigned: boolean;
  /** Only the algo endpoints list orders that wait for a trigger price, or cancel them together. */
  readonly areConditionalsApart: boolean;
  /** The filters of a market that exchangeInfo adds to those that the interface names. */
  filtersOf(market: FuturesMarket): readonly object[];
  /** The client's number for an amendment is kept and shown with it. */
  readonly areAmendmentsNamed: boolean;
  /** Converts the interface's rows to Binance's; by method and path. */
  readonly rows: ReadonlyMap<string, (row: object) => object>;
  /** A test order is answered with the order that it would have been. */
  readonly areTestOrdersDescribed: boolean;
  /** Why an order with these fields is refused before the endpoint checks it; null: it is not. */
  refuseOrder(fields: FapiFields, market: FuturesMarket, isAlgo: boolean): ErrorRow | null;
  /** The rows of such refusals. */
  readonly orderRows: readonly ErrorRow[];
}

export interface FapiPorts extends FuturesPorts {
  readonly dialect?: FapiDialect | null;
}
