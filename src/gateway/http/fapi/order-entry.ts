import {
  amendFuturesOrder,
  cancelFuturesOrder,
  type FuturesOrderTerms,
  judgeFuturesOrder,
  placeFuturesOrder,
} from '../../../application/futures/enter-futures-order.ts';
import { type FuturesPorts } from '../../../application/futures/futures-ports.ts';
import type { PastFuturesOrder } from '../../../application/ports/futures-history.ts';
import { waitForDatabase } from '../../../application/wait-for-database.ts';
import type { FuturesMarket } from '../../../domain/futures-market.ts';
import type { FuturesOrder } from '../../../domain/futures-order.ts';
import type { Address, OrderNumber } from '../../../domain/identifiers.ts';
import { done } from '../../../domain/outcome.ts';
import type { Lots } from '../../../domain/spot-market.ts';
import { type Answer, namedError } from '../endpoint.ts';
import type { FapiPorts } from './dialect/fapi-dialect.ts';
import { badSymbol, cancelRejected, failed, noSuchOrder, requireMarket } from './fapi-answers.ts';
import type { FapiFields } from './fapi-fields.ts';
import { cutToLots, filterPrice } from './market-filters.ts';
import { algoObject, isWaiting, orderObject } from './order-object.ts';
import { readOrder, readPrice, readPriceMatch, sideWords } from './read-order.ts';
import { untradedOrder } from './untraded-order.ts';

// Placing, amending, canceling and finding one order: what the single endpoints and the batches do
// with one set of fields.

export interface EntryKind {
  readonly isAlgo: boolean;
  /** Checked but not placed. */
  readonly isTest?: boolean;
}

export function placeOrder(
  ports: FapiPorts,
  caller: Address,
  fields: FapiFields,
  { isAlgo, isTest = false }: EntryKind,
): Answer<object> | Promise<Answer<object>> {
  const market = requireMarket(ports, fields);
  if (market === null) return failed(fields) ?? badSymbol;
  const foreign = ports.dialect?.refuseOrder(fields, market, isAlgo) ?? null;
  if (foreign !== null) return namedError(foreign);
  checkAlgoType(fields, isAlgo);
  const { newClientOrderId, now } = ports;
  const terms = readOrder(fields, { market, isAlgo, newClientOrderId, now: now() });
  const responseType = fields.member('newOrderRespType', responseTypeWords);
  const failure = failed(fields);
  if (failure !== null) return failure;
  if ('reason' in terms) return { kind: 'refused', rejection: terms };
  if (isTest) return testOrder(ports, caller, market, terms);
  const entry = { terms, digest: fields.digest };
  return placeFuturesOrder(ports, caller, entry, ({ accepted, current }) => {
    if (isAlgo) return algoObject(market, current);
    // As on Binance: an acknowledgement shows the order as accepted, a result its current state.
    return orderObject(market, responseType === 'RESULT' ? current : accepted);
  });
}

async function testOrder(
  ports: FapiPorts,
  caller: Address,
  market: FuturesMarket,
  terms: FuturesOrderTerms,
): Promise<Answer<object>> {
  const judged = await judgeFuturesOrder(ports, caller, terms);
  if (judged.kind === 'refused') return judged;
  const isDescribed = ports.dialect?.areTestOrdersDescribed === true;
  return done(isDescribed ? orderObject(market, untradedOrder(terms, ports.now())) : {});
}

const responseTypeWords = { ACK: 'ACK', RESULT: 'RESULT' } as const;
const algoTypeWords = { CONDITIONAL: true };

function checkAlgoType(fields: FapiFields, isAlgo: boolean): void {
  if (isAlgo) fields.requiredMember('algoType', algoTypeWords, true);
}

export async function amendOrder(
  ports: FapiPorts,
  caller: Address,
  fields: FapiFields,
): Promise<Answer<object>> {
  const market = requireMarket(ports, fields);
  if (market === null) return failed(fields) ?? badSymbol;
  const foreign = ports.dialect?.refuseOrder(fields, market, false) ?? null;
  if (foreign !== null) return namedError(foreign);
  requireReference(fields);
  const side = fields.member('side', sideWords);
  const quantity = fields.decimal('quantity');
  if (quantity === null) fields.fail('parameter_missing', 'quantity');
  const priceMatch = readPriceMatch(fields);
  const price = readPrice(fields, priceMatch);
  const reference = readReference(fields);
  const isReduceOnly = fields.flag('reduceOnly');
  const modifyId = fields.integer('modifyId');
  const failure = failed(fields);
  if (failure !== null || quantity === null) return failure ?? badSymbol;
  const lots: Lots | null = cutToLots(market, quantity);
  if (lots === null) return { kind: 'refused', rejection: { reason: 'quantity_off_lot' } };
  const ticks = price === null ? null : filterPrice(market, price);
  if (price !== null && ticks === null)
    return { kind: 'refused', rejection: { reason: 'price_off_tick' } };
  const order = findLiveOrder(ports, caller, market, reference);
  if (order === null || isElsewhere(ports, order)) return namedError(noSuchOrder);
  if (side !== null && side !== order.side) fields.fail('parameter_unknown_member', 'side');
  if (isReduceOnly !== null && isReduceOnly !== order.isReduceOnly) {
    fields.fail('parameter_combination', 'reduceOnly');
  }
  const mismatch = failed(fields);
  if (mismatch !== null) return mismatch;
  const amendment = {
    orderNumber: order.orderNumber,
    side,
    price: ticks,
    priceMatch,
    quantity: lots,
    modifyId: ports.dialect?.areAmendmentsNamed === true ? modifyId : null,
  };
  const amended = await amendFuturesOrder(ports, caller, amendment, fields.digest);
  if (amended.kind === 'refused') return amended;
  const answer = orderObject(market, amended.value.current);
  return done(modifyId === null ? answer : { ...answer, modifyId });
}

export async function cancelOrder(
  ports: FapiPorts,
  caller: Address,
  fields: FapiFields,
): Promise<Answer<object>> {
  const market = requireMarket(ports, fields);
  if (market === null) return failed(fields) ?? badSymbol;
  requireReference(fields);
  const reference = readReference(fields);
  const failure = failed(fields);
  if (failure !== null) return failure;
  const order = findLiveOrder(ports, caller, market, reference);
  if (order === null || isElsewhere(ports, order)) return namedError(cancelRejected);
  const canceled = await cancelFuturesOrder(ports, caller, order.orderNumber);
  // Only a concurrent request can have ended it.
  if (canceled.kind === 'refused') return namedError(cancelRejected);
  return done(orderObject(market, canceled.value));
}

/** How a request identifies an order: by its number or, if there is none, by its client's id. */
export interface OrderReference {
  readonly orderNumber: OrderNumber | null;
  readonly clientOrderId: string | null;
}

const numberNames = ['orderId', 'algoId'] as const;
const clientNames = ['origClientOrderId', 'clientAlgoId'] as const;

export function requireReference(fields: FapiFields): void {
  const isNamed = [...numberNames, ...clientNames].some((name) => fields.has(name));
  if (!isNamed) fields.fail('parameter_missing', 'orderId');
}

export function readReference(fields: FapiFields): OrderReference {
  const name = numberNames.find((each) => fields.has(each));
  const orderNumber = name === undefined ? null : fields.integer(name, 1);
  return {
    orderNumber: orderNumber as OrderNumber | null,
    clientOrderId: fields.clientId(...clientNames),
  };
}

/**
 * True if only the algo endpoints show the order: in dialects that separate them, while it waits.
 */
export function isElsewhere({ dialect }: FapiPorts, order: FuturesOrder): boolean {
  return dialect?.areConditionalsApart === true && isWaiting(order);
}

/** The caller's live order; the number takes precedence if both are given. Null: there is none. */
export function findLiveOrder(
  { exchange }: FuturesPorts,
  caller: Address,
  market: FuturesMarket | null,
  { orderNumber, clientOrderId }: OrderReference,
): FuturesOrder | null {
  return exchange.peek((view) => {
    const accountId = view.findAccount(caller);
    if (accountId === null) return null;
    const order =
      orderNumber === null
        ? view.futures.findFuturesOrderByClientId(accountId, clientOrderId ?? '')
        : view.futures.findOpenFuturesOrder(orderNumber);
    if (order === null || order.accountId !== accountId) return null;
    return market === null || order.marketId === market.marketId ? order : null;
  });
}

/**
 * The caller's order, live or finished; null if there is none.
 * @throws DatabaseError
 */
export async function findAnyOrder(
  ports: FuturesPorts,
  caller: Address,
  market: FuturesMarket | null,
  reference: OrderReference,
): Promise<PastFuturesOrder | null> {
  // Goes through a read, so that what it shows is durable.
  const accountId = await ports.exchange.read((view) => view.findAccount(caller));
  const live = findLiveOrder(ports, caller, market, reference);
  if (live !== null || accountId === null) return live;
  await waitForDatabase(ports);
  const { orderNumber, clientOrderId } = reference;
  const { futuresHistory } = ports;
  const order =
    orderNumber === null
      ? await futuresHistory.findOrderByClientId(accountId, clientOrderId ?? '')
      : await futuresHistory.findOrder(orderNumber);
  if (order === null || order.accountId !== accountId) return null;
  return market === null || order.marketId === market.marketId ? order : null;
}
