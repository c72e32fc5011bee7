import { cancelFuturesOrder } from '../../../application/futures/enter-futures-order.ts';
import { type RequestDigest, RequestRepeatedError } from '../../../application/ports/exchange.ts';
import { submitUntilDone } from '../../../application/submit-until-done.ts';
import { openAccount } from '../../../application/trading/open-account.ts';
import { assert } from '../../../domain/assert.ts';
import type { FuturesMarketId } from '../../../domain/futures-market.ts';
import type { Address, TimestampMs } from '../../../domain/identifiers.ts';
import { done } from '../../../domain/outcome.ts';
import { digestOfPart } from '../../../domain/request-digest.ts';
import { failureFromError } from '../../errors/failure-from-error.ts';
import type { Surface } from '../../errors/surface.ts';
import { type Answer, accountTrades, type Endpoint } from '../endpoint.ts';
import type { FapiPorts } from './dialect/fapi-dialect.ts';
import { badSymbol, batchError, failed, requireMarket } from './fapi-answers.ts';
import { accountEndpoint } from './fapi-endpoint.ts';
import { FapiFields } from './fapi-fields.ts';
import { amendOrder, cancelOrder, placeOrder } from './order-entry.ts';
import { isWaiting } from './order-object.ts';

const placedMax = 5;
// As on Binance, regardless of the number of orders.
const batchUnits = { inTenSeconds: 5, inMinute: 1 };
const canceledMax = 10;
const countdownMax = 7 * 86_400_000;

/** Several orders in one request; each is accepted or refused separately. */
export function batchEndpoints(ports: FapiPorts): readonly Endpoint[] {
  const path = '/fapi/v1/batchOrders';
  const answers = 'For each order, in the same order, the order or {code, msg}';
  const fields = { batchOrders: `A JSON list of 1 to ${placedMax} orders` };
  return [
    accountEndpoint(accountTrades, {
      method: 'POST',
      path,
      summary: 'Place orders',
      weight: 5,
      isOrderEntry: true,
      orderUnits: batchUnits,
      fields,
      answers,
      handle: (request, { address }) =>
        eachOrder(ports, request, async (order) =>
          placeOrder(ports, address, order, { isAlgo: false }),
        ),
    }),
    accountEndpoint(accountTrades, {
      method: 'PUT',
      path,
      summary: 'Modify orders',
      weight: 5,
      isOrderEntry: true,
      orderUnits: batchUnits,
      fields,
      answers,
      handle: (request, { address }) =>
        eachOrder(ports, request, (order) => amendOrder(ports, address, order)),
    }),
    accountEndpoint(accountTrades, {
      method: 'DELETE',
      path,
      summary: 'Cancel orders',
      weight: 1,
      answers,
      fields: {
        symbol: 'The market',
        orderIdList: `A JSON list of at most ${canceledMax} numbers`,
        origClientOrderIdList: 'Or of client order ids',
      },
      handle: (request, { address }) =>
        eachReference(ports, request, (order) => cancelOrder(ports, address, order)),
    }),
    cancelAll(ports),
    countdown(ports),
  ];
}

type Step = (fields: FapiFields) => Promise<Answer<object>>;

async function eachOrder(
  { dialect }: FapiPorts,
  request: FapiFields,
  step: Step,
): Promise<Answer<unknown>> {
  const orders = request.required('batchOrders', () => {
    const given = request.list('batchOrders');
    return given?.length === 0 ? null : given;
  });
  if (orders !== null && orders.length > placedMax) {
    request.fail('parameter_malformed', 'batchOrders', `1 to ${placedMax} orders`);
  }
  const failure = failed(request);
  if (failure !== null) return failure;
  return done(
    await answerEach(
      (orders ?? []).map((order, index) => fieldsOf(order, request.digest, index)),
      step,
      dialect?.surface,
    ),
  );
}

// Each order of a signed batch is accepted once.
function fieldsOf(order: unknown, digest: RequestDigest | null, index: number): FapiFields {
  const fields = new FapiFields(order);
  fields.digest = digest === null ? null : digestOfPart(digest, index);
  return fields;
}

async function eachReference(
  { dialect }: FapiPorts,
  request: FapiFields,
  step: Step,
): Promise<Answer<unknown>> {
  const symbol = request.requiredText('symbol');
  const numbers = request.list('orderIdList') ?? [];
  const names = request.list('origClientOrderIdList') ?? [];
  const isByNumber = numbers.length > 0;
  const references = isByNumber ? numbers : names;
  if (references.length === 0) request.fail('parameter_missing', 'orderIdList');
  if (references.length > canceledMax) {
    request.fail('parameter_malformed', 'orderIdList', `at most ${canceledMax} orders`);
  }
  const failure = failed(request);
  if (failure !== null) return failure;
  const key = isByNumber ? 'orderId' : 'origClientOrderId';
  return done(
    await answerEach(
      references.map((each) => new FapiFields({ symbol, [key]: each })),
      step,
      dialect?.surface,
    ),
  );
}

// All are submitted at once, and the engine processes them in this order. A failure of one must not
// hide the results of the others.
async function answerEach(
  all: readonly FapiFields[],
  step: Step,
  surface: Surface | undefined,
): Promise<readonly object[]> {
  const answers = await Promise.allSettled(all.map(step));
  const [first] = answers;
  // The whole batch was accepted before.
  if (answers.every(isRepeated) && first?.status === 'rejected') throw first.reason;
  return answers.map((settled) => {
    if (settled.status === 'rejected') return errorBody(settled.reason, surface);
    const answer = settled.value;
    if (answer.kind === 'done') return answer.value;
    assert(answer.kind !== 'raw', 'orders are answered in the form of their surface');
    return batchError(answer, surface);
  });
}

function isRepeated(settled: PromiseSettledResult<unknown>): boolean {
  return settled.status === 'rejected' && settled.reason instanceof RequestRepeatedError;
}

function errorBody(error: unknown, surface: Surface | undefined): object {
  const failure = failureFromError(error);
  if (failure === null) throw error;
  return batchError({ kind: 'failed', failure }, surface);
}

function cancelAll(ports: FapiPorts): Endpoint {
  return accountEndpoint(accountTrades, {
    method: 'DELETE',
    path: '/fapi/v1/allOpenOrders',
    summary: 'Cancel all',
    weight: 1,
    fields: { symbol: 'The market' },
    answers: 'code 200',
    handle: async (fields, { address }) => {
      const market = requireMarket(ports, fields);
      const failure = failed(fields);
      if (failure !== null) return failure;
      if (market === null) return badSymbol;
      const accountId = await openAccount(ports.exchange, address);
      const { marketId } = market;
      const type = 'cancelAllFuturesOrders';
      if (ports.dialect?.areConditionalsApart === true) {
        await cancelResting(ports, address, marketId);
      } else {
        const command = { type, accountId, marketId, kind: 'all' } as const;
        const ended = await submitUntilDone(ports.exchange, command);
        if (ended.kind === 'refused') return ended;
      }
      return done({ code: 200, msg: 'The operation of cancel all open order is done.' });
    },
  });
}

/**
 * Cancels the orders that rest in the book, one by one, but not those that wait for a trigger
 * price.
 */
async function cancelResting(
  ports: FapiPorts,
  address: Address,
  marketId: FuturesMarketId,
): Promise<void> {
  const orders = ports.exchange.peek((view) => {
    const accountId = view.findAccount(address);
    return accountId === null ? [] : view.futures.listOpenFuturesOrders(accountId, marketId);
  });
  const resting = orders.filter((order) => !isWaiting(order));
  await Promise.all(
    resting.map(({ orderNumber }) => cancelFuturesOrder(ports, address, orderNumber)),
  );
}

function countdown(ports: FapiPorts): Endpoint {
  return accountEndpoint(accountTrades, {
    method: 'POST',
    path: '/fapi/v1/countdownCancelAll',
    summary: 'Dead man’s switch',
    weight: 10,
    fields: {
      symbol: 'The market',
      countdownTime: 'Milliseconds until all orders are canceled; 0 stops the countdown',
    },
    answers: 'symbol and countdownTime',
    handle: async (fields, { address }) => {
      const market = requireMarket(ports, fields);
      const duration = fields.required('countdownTime', () => fields.integer('countdownTime'));
      if (duration !== null && duration > countdownMax) {
        fields.fail('parameter_malformed', 'countdownTime');
      }
      const failure = failed(fields);
      if (failure !== null || duration === null) return failure ?? badSymbol;
      if (market === null) return badSymbol;
      const accountId = await openAccount(ports.exchange, address);
      const cancelAt = duration === 0 ? null : ((ports.now() + duration) as TimestampMs);
      const { marketId, symbol } = market;
      const type = 'setCountdownCancel';
      const kind = ports.dialect?.areConditionalsApart === true ? 'resting' : 'all';
      await ports.exchange.submit({ type, accountId, marketId, cancelAt, kind });
      return done({ symbol, countdownTime: String(duration) });
    },
  });
}
