import { fromUnits, type Input, toUnits } from '@openbourse/client';
import { signal } from '@preact/signals';
import { api, serverNow } from '../../api/api.ts';
import { refresh } from '../../api/query.ts';
import type { MarketFeed } from '../../feed/market.ts';
import { say, sayError } from '../../feed/notices.ts';
import { newClientOrderId, sendOrder } from '../../feed/orders.ts';
import {
  type PerpDraft,
  perpOrderBody,
  perpPreviewBody,
  warningOfMarketOrder,
} from '../../forms/perp-order.ts';
import { sizeOf } from '../../forms/profit.ts';
import { readNumber } from '../../number/read-number.ts';
import * as texts from '../../text/en/futures.ts';
import { confirm } from '../dialog.tsx';
import { mayCancel, usualQuestion, warningOfAge } from '../order-questions.ts';
import { changePerpDraft, type PerpMarket, perpDraft } from './perp-draft.ts';

export const isSending = signal(false);
/** The estimate of a market order is awaited; its button keeps the focus meanwhile. */
let isAsking = false;

type OrderBody = Input<'POST /api/v1/orders'>['body'];

/** Sends an order with a new client order id. Resolves to whether it was accepted. */
function send(symbol: string, text: string, order: Omit<OrderBody, 'symbol'>): Promise<boolean> {
  const clientOrderId = newClientOrderId();
  const body = { symbol, ...order, newClientOrderId: clientOrderId };
  return sendOrder({ clientOrderId, symbol, text, state: 'sending', market: 'futures' }, () =>
    api.call('POST /api/v1/orders', { body }),
  );
}

/** The question before a market order by the service's own estimate; null: none. */
async function askEstimate(draft: PerpDraft, symbol: string): Promise<string | null> {
  try {
    const body = perpPreviewBody(draft, symbol);
    const [estimate, { equity }] = await Promise.all([
      api.call('POST /api/v1/orders/preview', { body }),
      api.call('GET /api/v1/unified/account'),
    ]);
    return warningOfMarketOrder(estimate, equity);
  } catch {
    return texts.noEstimate;
  }
}

/** The question before an order; null: it is sent at once. */
async function questionOf(
  draft: PerpDraft,
  symbol: string,
  feed: MarketFeed,
): Promise<string | null> {
  const aged = warningOfAge(feed);
  if (aged !== null) return aged;
  const large = draft.type === 'MARKET' ? await askEstimate(draft, symbol) : null;
  return large ?? usualQuestion();
}

export async function submit(market: PerpMarket, feed: MarketFeed): Promise<void> {
  const draft = perpDraft.value;
  const isBuy = draft.side === 'BUY';
  const words = `${isBuy ? texts.buy : texts.sell} ${readNumber(draft.quantity) ?? ''} ${market.base_asset}`;
  const { symbol } = market;
  if (isAsking) return;
  isAsking = true;
  const text = await questionOf(draft, symbol, feed).finally(() => {
    isAsking = false;
  });
  const kind = isBuy ? 'buy' : 'sell';
  const question = { title: `${words}?`, text, action: words, kind, isMoney: true } as const;
  if (text !== null && !(await confirm(question))) return;
  isSending.value = true;
  const clientOrderId = newClientOrderId();
  const body = perpOrderBody(draft, symbol, { clientOrderId, now: serverNow() });
  const isTaken = await sendOrder(
    { clientOrderId, symbol, text: words, state: 'sending', market: 'futures' },
    () => api.call('POST /api/v1/orders', { body }),
  );
  isSending.value = false;
  if (isTaken) changePerpDraft({ quantity: '' });
}

export interface OwnPosition {
  readonly symbol: string;
  readonly side: 'LONG' | 'SHORT' | 'NONE';
  readonly quantity: string;
}

const against = ({ side }: OwnPosition) => (side === 'LONG' ? 'SELL' : 'BUY');

/** Closes a position with a market order that can only reduce it. */
export async function closePosition(position: OwnPosition): Promise<void> {
  const { symbol } = position;
  const quantity = sizeOf(position);
  const isYes = await confirm({
    title: texts.closeMarketQuestion(symbol),
    action: texts.closeIt,
    kind: 'sell',
    isMoney: true,
    text: texts.wholePositionWillClose(quantity),
  });
  if (!isYes) return;
  const order = { side: against(position), type: 'MARKET', quantity, reduceOnly: true };
  await send(symbol, texts.closeMarket(symbol), order);
}

/** Turns a position into one of the same size on the other side, with one market order. */
export async function reversePosition(position: OwnPosition): Promise<void> {
  const { symbol } = position;
  const quantity = sizeOf(position);
  const twice = fromUnits(toUnits(quantity) * 2n);
  const isYes = await confirm({
    title: texts.reverseMarketQuestion(symbol),
    action: texts.reverseIt,
    kind: 'sell',
    isMoney: true,
    text: texts.reverseExplained(twice, quantity),
  });
  if (!isYes) return;
  await send(symbol, texts.reverseMarket(symbol), {
    side: against(position),
    type: 'MARKET',
    quantity: twice,
  });
}

/** Fills the ticket with an order that only reduces the position. */
export function prepareReduction(position: OwnPosition): void {
  const quantity = sizeOf(position);
  changePerpDraft({ side: against(position), type: 'LIMIT', quantity, isReduceOnly: true });
  document.querySelector<HTMLElement>('.area-ticket [data-key=p] input')?.focus();
}

/** Closes the whole position when the mark price reaches a price. */
export async function closeAt(
  position: OwnPosition,
  type: 'TAKE_PROFIT_MARKET' | 'STOP_MARKET',
  stopPrice: string,
): Promise<void> {
  const words = type === 'STOP_MARKET' ? texts.stopLoss : texts.takeProfit;
  await send(position.symbol, texts.triggerAt(words, stopPrice), {
    side: against(position),
    type,
    stopPrice,
    workingType: 'MARK_PRICE',
    closePosition: true,
  });
}

/** Cancels one order; `isAsked` if its owner has confirmed it already. */
export async function cancelPerpOrder(id: number, isAsked = false): Promise<void> {
  if (!isAsked && !(await mayCancel(texts.orderNumbered(id)))) return;
  try {
    await api.call('DELETE /api/v1/orders/:order_id', { params: { order_id: id } });
    say('plain', texts.orderCanceled);
  } catch (error) {
    sayError(error);
  }
}

/** Cancels the orders in the book, or those that wait for a trigger. */
export async function cancelAllPerpOrders(symbol: string): Promise<void> {
  const isYes = await confirm({
    title: texts.cancelAllOrdersQuestion,
    action: texts.cancelAll,
    text: texts.allOrdersWillBeCanceled(symbol),
  });
  if (!isYes) return;
  try {
    const { canceled } = await api.call('DELETE /api/v1/orders', { query: { symbol } });
    say('plain', texts.ordersCanceled(canceled.length));
    refresh('GET /api/v1/trigger-orders');
  } catch (error) {
    sayError(error);
  }
}
