import { type TSchema, Type } from 'typebox';
import {
  type BinanceSpotPorts,
  findSpotMarket,
} from '../../../application/trading/binance-spot-ports.ts';
import type { SpotMarket } from '../../../domain/spot-market.ts';
import type { ErrorRow } from '../../errors/error-row.ts';
import type { Reason, ReasonRows } from '../../errors/surface.ts';
import type {
  AccountAuth,
  Answer,
  AuthNeed,
  Caller,
  Endpoint,
  EndpointRequest,
  NoAuth,
  Weighs,
} from '../endpoint.ts';
import { querySchema } from '../fapi/fapi-endpoint.ts';
import { FapiFields } from '../fapi/fapi-fields.ts';
import type { OrderUnits } from '../request-limiter.ts';
import { describeSpotParameters } from './reference/spot-parameters.ts';

// An endpoint of /api/v3: its parameters are read as those of /fapi are, from the query, a form or
// both, and what is unknown among them is ignored.

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
  /** The form of the answer. */
  readonly answer: TSchema;
  readonly reasons?: readonly Reason[];
  readonly namedRows?: readonly ErrorRow[];
  readonly errorRows?: Partial<ReasonRows>;
  readonly isOrderEntry?: boolean;
  readonly orderUnits?: OrderUnits;
}

type Answered = Answer<unknown> | Promise<Answer<unknown>>;

export const spotReads: AccountAuth = { kind: 'account', permission: 'read', isKeyOnly: true };
export const spotTrades: AccountAuth = { kind: 'account', permission: 'trade', isKeyOnly: true };

/** A market data endpoint: credentials are not looked at. */
export function publicSpot(
  definition: SpotText & { handle(this: void, fields: FapiFields): Answered },
): Endpoint {
  const { handle, ...text } = definition;
  return make(text, { kind: 'none' }, 'Binance spot market data', ({ query, body }) =>
    handle(new FapiFields(query, body)),
  );
}

/** An endpoint for an account, by a request that its API key signed. */
export function accountSpot(
  auth: AccountAuth,
  definition: SpotText & { handle(this: void, fields: FapiFields, caller: Caller): Answered },
): Endpoint {
  const { handle, ...text } = definition;
  return make(text, auth, 'Binance spot account and trading', ({ query, body, caller }) =>
    handle(new FapiFields(query, body), caller as Caller),
  );
}

type Request = EndpointRequest<unknown, unknown, unknown, Caller | null>;

function make(
  { fields, required = [], answer, description, ...text }: SpotText,
  auth: AuthNeed | NoAuth,
  tag: string,
  handle: (request: Request) => Answered,
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

export { badSymbol, failed } from '../fapi/fapi-answers.ts';

/** The market that `symbol` names; null, with a failure of the fields where it is missing. */
export function requireMarket(ports: BinanceSpotPorts, fields: FapiFields): SpotMarket | null {
  const symbol = fields.requiredText('symbol');
  return symbol === '' ? null : findSpotMarket(ports, symbol);
}
