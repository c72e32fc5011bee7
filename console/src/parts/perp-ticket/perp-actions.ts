import { signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { sayError } from '../../feed/notices.ts';
import { newClientOrderId, sendOrder } from '../../feed/orders.ts';
import { perpOrderBody } from '../../forms/perp-order.ts';
import { readNumber } from '../../number/read-number.ts';
import { confirm } from '../dialog.tsx';
import { changePerpDraft, type PerpMarket, perpDraft } from './perp-draft.ts';

export const isSending = signal(false);

export async function submit(market: PerpMarket): Promise<void> {
  const draft = perpDraft.value;
  const words = `${draft.side === 'BUY' ? 'Buy' : 'Sell'} ${readNumber(draft.quantity) ?? ''} ${market.base_asset}`;
  if (draft.type === 'MARKET') {
    const text = `A market order at ${draft.leverage}× leverage trades at once at whatever the book gives.`;
    if (
      !(await confirm({
        title: `${words}?`,
        text,
        action: words,
        kind: draft.side === 'BUY' ? 'buy' : 'sell',
        isMoney: true,
      }))
    )
      return;
  }
  isSending.value = true;
  const clientOrderId = newClientOrderId();
  const body = perpOrderBody(draft, market.symbol, clientOrderId);
  const sent = {
    clientOrderId,
    symbol: market.symbol,
    text: words,
    state: 'sending' as const,
    market: 'futures' as const,
  };
  const isTaken = await sendOrder(sent, () => api.call('POST /api/v1/orders', { body }));
  isSending.value = false;
  if (isTaken) changePerpDraft({ quantity: '' });
}

/** Closes a position by a market order that can only reduce it. */
export async function closePosition(
  symbol: string,
  side: 'LONG' | 'SHORT',
  quantity: string,
): Promise<void> {
  const text = `The whole position of ${quantity} is closed by a market order.`;
  if (
    !(await confirm({
      title: `Close ${symbol}?`,
      text,
      action: 'Close it',
      kind: 'sell',
      isMoney: true,
    }))
  )
    return;
  const clientOrderId = newClientOrderId();
  const body = {
    symbol,
    side: side === 'LONG' ? ('SELL' as const) : ('BUY' as const),
    type: 'MARKET',
    quantity,
    reduceOnly: true,
    newClientOrderId: clientOrderId,
  };
  await sendOrder(
    { clientOrderId, symbol, text: `Close ${symbol}`, state: 'sending', market: 'futures' },
    () => api.call('POST /api/v1/orders', { body }),
  );
}

export async function cancelPerpOrder(id: number): Promise<void> {
  try {
    await api.call('DELETE /api/v1/orders/:order_id', { params: { order_id: id } });
  } catch (error) {
    sayError(error);
  }
}
