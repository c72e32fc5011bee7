import { type TSchema, Type } from 'typebox';
import {
  type BinanceSpotPorts,
  findSpotMarket,
} from '../../../application/trading/binance-spot-ports.ts';
import type { SpotMarket } from '../../../domain/spot-market.ts';
import type { Caller } from '../../auth/caller.ts';
import type { ErrorRow } from '../../errors/error-row.ts';
import type { Reason, ReasonRows } from '../../errors/surface.ts';
import type { AccountAuth, AuthNeed, Endpoint, NoAuth, Weighs } from '../endpoint.ts';
import {
  type Answered,
  type FieldHandler,
  handleAccount,
  handlePublic,
  querySchema,
} from '../fapi/fapi-endpoint.ts';
import type { FapiFields } from '../fapi/fapi-fields.ts';
import type { OrderUnits } from '../request-limiter.ts';
import { describeSpotParameters } from './reference/spot-parameters.ts';

// An endpoint of /api/v3. Its parameters are read like those of /fapi, from the query, a form or
// both, and unknown ones are ignored.

interface SpotText {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** Binance's weight of the call. */
  readonly weight: number;
  readonly weighs?: Weighs;
  /** Each parameter's description, by its name. */
  readonly fields: Readonly<Record<string, string>>;
  readonly required?: readonly string[];
  /** The schema of the answer. */
  readonly answer: TSchema;
  readonly reasons?: readonly Reason[];
  readonly namedRows?: readonly ErrorRow[];
  readonly errorRows?: Partial<ReasonRows>;
  readonly isOrderEntry?: boolean;
  readonly orderUnits?: OrderUnits;
}

export const spotReads: AccountAuth = { kind: 'account', permission: 'read', isKeyOnly: true };
export const spotTrades: AccountAuth = { kind: 'account', permission: 'trade', isKeyOnly: true };

/** A market data endpoint: credentials are ignored. */
export function publicSpot(
  definition: SpotText & { handle(this: void, fields: FapiFields): Answered },
): Endpoint {
  const { handle, ...text } = definition;
  return make(text, { kind: 'none' }, 'Binance spot market data', handlePublic(handle));
}

/** An account endpoint: requests must be signed by the account's API key. */
export function accountSpot(
  auth: AccountAuth,
  definition: SpotText & { handle(this: void, fields: FapiFields, caller: Caller): Answered },
): Endpoint {
  const { handle, ...text } = definition;
  return make(text, auth, 'Binance spot account and trading', handleAccount(handle));
}

function make(
  { fields, required = [], answer, description, ...text }: SpotText,
  auth: AuthNeed | NoAuth,
  tag: string,
  handle: FieldHandler,
): Endpoint {
  return {
    ...text,
    tag,
    auth,
    description: `${description ?? text.summary}.`.replace(/\.\.$/, '.'),
    params: null,
    query: querySchema(fields),
    body: null,
    answer: Type.Unsafe<unknown>({ description: text.summary }),
    documented: { query: describeSpotParameters(fields, required), answer },
    handle,
  };
}

/**
 * The market that `symbol` names; null, and recorded as a failure of the fields, if it is missing.
 */
export function requireMarket(ports: BinanceSpotPorts, fields: FapiFields): SpotMarket | null {
  const symbol = fields.requiredText('symbol');
  return symbol === '' ? null : findSpotMarket(ports, symbol);
}
