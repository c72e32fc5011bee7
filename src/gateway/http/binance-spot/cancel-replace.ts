import type { BinanceSpotPorts } from '../../../application/trading/binance-spot-ports.ts';
import { done } from '../../../domain/outcome.ts';
import {
  binanceSpotErrors as errors,
  binanceSpotSurface as surface,
} from '../../errors/binance-spot-errors.ts';
import type { ErrorRow } from '../../errors/error-row.ts';
import { noTime, replyWithReason, replyWithRow } from '../../errors/surface.ts';
import type { Answer, Endpoint, RawAnswer } from '../endpoint.ts';
import {
  cancelOrder,
  isAnswer,
  placeParsedOrder,
  readCancel,
  readNewOrder,
  readReference,
} from './order-entry.ts';
import { placeFields, placeReasons, placeRows, restrictions } from './orders.ts';
import * as answers from './reference/spot-account-answers.ts';
import { accountSpot, spotTrades } from './spot-endpoint.ts';

const modeWords = { STOP_ON_FAILURE: 'stop', ALLOW_FAILURE: 'go_on' } as const;

/** Cancels one order and places another: two commands, one after the other, as at Binance. */
export function cancelReplaceEndpoint(ports: BinanceSpotPorts): Endpoint {
  return accountSpot(spotTrades, {
    method: 'POST',
    path: '/api/v3/order/cancelReplace',
    weight: 1,
    isOrderEntry: true,
    summary: 'Cancel an order and place a new one',
    description:
      'If the cancel fails, STOP_ON_FAILURE places nothing. If one of the two fails, the ' +
      'error has `data` with both results.',
    fields: {
      ...placeFields,
      cancelReplaceMode: 'STOP_ON_FAILURE or ALLOW_FAILURE',
      cancelOrderId: 'The order to cancel',
      cancelOrigClientOrderId: 'The same by its client order id',
      cancelNewClientOrderId: 'A client id for the cancellation',
      cancelRestrictions: restrictions,
    },
    required: ['symbol', 'side', 'type', 'cancelReplaceMode'],
    answer: answers.replaced,
    reasons: placeReasons,
    namedRows: [
      ...placeRows,
      errors.replaceFailed,
      errors.replaceInPart,
      errors.unknownOrder,
      errors.cancelRestricted,
      errors.invalidCancelRestrictions,
    ],
    handle: async (fields, { address }) => {
      const mode = fields.requiredMember<'stop' | 'go_on'>('cancelReplaceMode', modeWords, 'stop');
      const order = readNewOrder(ports, fields);
      if (isAnswer(order)) return order;
      const reference = readReference(fields, 'cancelOrderId', 'cancelOrigClientOrderId');
      if (isAnswer(reference)) return reference;
      const asked = readCancel(ports, fields, reference, 'cancelNewClientOrderId');
      if (isAnswer(asked)) return asked;
      const canceled = await cancelOrder(ports, address, order.market, asked);
      const isStopped = canceled.kind !== 'done' && mode === 'stop';
      const placed = isStopped
        ? null
        : await placeParsedOrder(ports, address, order, fields.digest);
      return answerBoth(canceled, placed);
    },
  });
}

function answerBoth(
  canceled: Answer<object>,
  placed: Answer<object> | null,
): Answer<object> | RawAnswer {
  const data = {
    cancelResult: canceled.kind === 'done' ? 'SUCCESS' : 'FAILURE',
    newOrderResult:
      placed === null ? 'NOT_ATTEMPTED' : placed.kind === 'done' ? 'SUCCESS' : 'FAILURE',
    cancelResponse: bodyOf(canceled),
    newOrderResponse: placed === null ? null : bodyOf(placed),
  };
  const isCanceled = canceled.kind === 'done';
  const isPlaced = placed?.kind === 'done';
  if (isCanceled && isPlaced) return done(data);
  const row: ErrorRow = isCanceled || isPlaced ? errors.replaceInPart : errors.replaceFailed;
  const body = { code: row.code, msg: row.text, data };
  const contentType = 'application/json; charset=utf-8';
  return { kind: 'raw', status: row.status, contentType, text: JSON.stringify(body) };
}

function bodyOf(answer: Answer<object>): unknown {
  switch (answer.kind) {
    case 'done':
      return answer.value;
    case 'refused':
      return replyWithReason(surface, answer.rejection, noTime).body;
    case 'failed':
      return replyWithReason(surface, answer.failure, noTime).body;
    case 'error':
      return replyWithRow(surface, answer.row, noTime, answer.values).body;
    case 'raw':
      return answer.text;
  }
}
