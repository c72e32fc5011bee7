import type { RequestDigest } from '../../../application/ports/exchange.ts';
import {
  type BinanceSpotPorts,
  readSpotAccount,
} from '../../../application/trading/binance-spot-ports.ts';
import {
  cancelEnteredOrder,
  enterSpotOrder,
} from '../../../application/trading/enter-spot-order.ts';
import type { SpotOrderTerms } from '../../../application/trading/validate-spot-order.ts';
import { waitForDatabase } from '../../../application/wait-for-database.ts';
import type { Address, OrderNumber } from '../../../domain/identifiers.ts';
import { done, refused } from '../../../domain/outcome.ts';
import type { SpotMarket } from '../../../domain/spot-market.ts';
import type { SpotOrder } from '../../../domain/spot-order.ts';
import { binanceSpotErrors } from '../../errors/binance-spot-errors.ts';
import { type Answer, namedError } from '../endpoint.ts';
import { badSymbol, failed } from '../fapi/fapi-answers.ts';
import type { FapiFields } from '../fapi/fapi-fields.ts';
import { canceledObject, placedObject, type ResponseType } from './order-objects.ts';
import { readSpotOrder } from './read-spot-order.ts';
import { requireMarket } from './spot-endpoint.ts';

// Placing, canceling and finding one order: shared by the single endpoints and cancel-replace.

const responseWords = { ACK: 'ACK', RESULT: 'RESULT', FULL: 'FULL' } as const;
const selfTradeWords = { NONE: true, EXPIRE_TAKER: true } as const;

/** A new order whose fields are valid in form. */
export interface ParsedOrder {
  readonly market: SpotMarket;
  readonly terms: SpotOrderTerms;
  readonly clientOrderId: string;
  readonly responseType: ResponseType;
}

/** The order that the fields describe, or the answer that refuses it. */
export function readNewOrder(
  ports: BinanceSpotPorts,
  fields: FapiFields,
): ParsedOrder | Answer<never> {
  const market = requireMarket(ports, fields);
  if (market === null) return failed(fields) ?? badSymbol;
  const read = readSpotOrder(fields, market);
  const clientOrderId = fields.clientId('newClientOrderId');
  const responseType = fields.member('newOrderRespType', responseWords);
  fields.member('selfTradePreventionMode', selfTradeWords);
  const failure = failed(fields);
  if (failure !== null) return failure;
  if (read.kind === 'row') {
    return namedError(read.row, { parameter: 'quantity', other: 'quoteOrderQty' });
  }
  if (!ports.isSpotTradingEnabled) return refused({ reason: 'spot_trading_disabled' });
  if (read.kind === 'rejection') return refused({ reason: read.reason });
  const isFull = read.terms.timeInForce !== 'post_only';
  return {
    market,
    terms: read.terms,
    clientOrderId: clientOrderId ?? ports.newClientOrderId(),
    responseType: responseType ?? (isFull ? 'FULL' : 'ACK'),
  };
}

export function placeParsedOrder(
  { exchange }: BinanceSpotPorts,
  caller: Address,
  { market, terms, clientOrderId, responseType }: ParsedOrder,
  digest: RequestDigest | null,
): Promise<Answer<object>> {
  const entry = { market, terms, clientOrderId, digest };
  return enterSpotOrder(exchange, caller, entry, (entered) =>
    placedObject(market, entered, responseType),
  );
}

/** How a request identifies an order: by its number or, if there is none, by its client's id. */
export interface OrderReference {
  readonly orderNumber: OrderNumber | null;
  readonly clientOrderId: string | null;
}

export function readReference(
  fields: FapiFields,
  numberName = 'orderId',
  clientName = 'origClientOrderId',
): OrderReference | Answer<never> {
  const orderNumber = fields.integer(numberName, 1) as OrderNumber | null;
  const clientOrderId = fields.clientId(clientName);
  const failure = failed(fields);
  if (failure !== null) return failure;
  if (orderNumber === null && clientOrderId === null) {
    const values = { parameter: clientName, other: numberName };
    return namedError(binanceSpotErrors.eitherParameter, values);
  }
  return { orderNumber, clientOrderId };
}

/** The caller's live order in the market; if both ids are given, both must match. */
function findLiveOrder(
  { exchange }: BinanceSpotPorts,
  caller: Address,
  market: SpotMarket,
  { orderNumber, clientOrderId }: OrderReference,
): SpotOrder | null {
  return exchange.peek((view) => {
    const accountId = view.findAccount(caller);
    if (accountId === null) return null;
    if (orderNumber === null) {
      const own = view.listOpenOrders(accountId, market.marketId);
      return own.find((order) => order.clientOrderId === clientOrderId) ?? null;
    }
    const order = view.findOpenOrder(orderNumber);
    return order !== null && isIt(order, accountId, market, clientOrderId) ? order : null;
  });
}

function isIt(
  order: SpotOrder,
  accountId: SpotOrder['accountId'],
  market: SpotMarket,
  clientOrderId: string | null,
): boolean {
  if (order.accountId !== accountId || order.marketId !== market.marketId) return false;
  return clientOrderId === null || order.clientOrderId === clientOrderId;
}

/**
 * The caller's order, live or finished; null if there is none.
 * @throws DatabaseError
 */
export async function findAnyOrder(
  ports: BinanceSpotPorts,
  caller: Address,
  market: SpotMarket,
  reference: OrderReference,
): Promise<SpotOrder | null> {
  // Goes through a read, so that what it shows is durable.
  const accountId = await readSpotAccount(ports, caller, (_view, found) => found);
  const live = findLiveOrder(ports, caller, market, reference);
  if (live !== null || accountId === null) return live;
  await waitForDatabase(ports);
  const { orderNumber, clientOrderId } = reference;
  const order =
    orderNumber === null
      ? await ports.spotRecords.findOrderByClientId(accountId, clientOrderId ?? '')
      : await ports.spotRecords.findOrder(accountId, orderNumber);
  return order !== null && isIt(order, accountId, market, clientOrderId) ? order : null;
}

const restrictionWords = {
  ONLY_NEW: 'new',
  ONLY_PARTIALLY_FILLED: 'partially_filled',
} as const satisfies Record<string, SpotOrder['status']>;

export interface Cancel {
  readonly reference: OrderReference;
  /** The client's id for the cancel. */
  readonly cancelId: string;
  /** Cancel only an order of this status. */
  readonly only: SpotOrder['status'] | null;
}

export function readCancel(
  ports: BinanceSpotPorts,
  fields: FapiFields,
  reference: OrderReference,
  cancelName: string,
): Cancel | Answer<never> {
  const restriction = fields.text('cancelRestrictions');
  const cancelId = fields.clientId(cancelName);
  const failure = failed(fields);
  if (failure !== null) return failure;
  if (restriction !== null && !Object.hasOwn(restrictionWords, restriction)) {
    return namedError(binanceSpotErrors.invalidCancelRestrictions);
  }
  const only =
    restriction === null ? null : restrictionWords[restriction as keyof typeof restrictionWords];
  return { reference, cancelId: cancelId ?? ports.newClientOrderId(), only };
}

export async function cancelOrder(
  ports: BinanceSpotPorts,
  caller: Address,
  market: SpotMarket,
  { reference, cancelId, only }: Cancel,
): Promise<Answer<object>> {
  if (!ports.isSpotTradingEnabled) return refused({ reason: 'spot_trading_disabled' });
  const order = findLiveOrder(ports, caller, market, reference);
  if (order === null) {
    // The order can have ended a moment ago: that is not reported before it is durable.
    await ports.exchange.read(({ sequence }) => sequence);
    return namedError(binanceSpotErrors.unknownOrder);
  }
  if (only !== null && order.status !== only) {
    return namedError(binanceSpotErrors.cancelRestricted);
  }
  const canceled = await cancelEnteredOrder(ports.exchange, caller, order.orderNumber);
  // Only a concurrent request can have ended it.
  if (canceled.kind === 'refused') return namedError(binanceSpotErrors.unknownOrder);
  return done(canceledObject(market, canceled.value, cancelId));
}

/** True if the result is already an answer. */
export function isAnswer<T extends object>(read: T | Answer<never>): read is Answer<never> {
  return 'kind' in read;
}
