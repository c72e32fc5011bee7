import type { Answer } from '@openbourse/client';
import type { LiveOrder } from '../../feed/account.ts';
import { formatPrice } from '../../feed/prices.ts';
import { formatMoment, formatWhole } from '../../number/format.ts';
import { cancelPerpOrder } from '../../parts/perp-ticket/perp-actions.ts';
import type { PerpMarket } from '../../parts/perp-ticket/perp-draft.ts';
import { SendButton } from '../../parts/send-button.tsx';
import { Side, words } from '../../parts/spot-order-columns.tsx';
import type { Column } from '../../parts/table.tsx';
import * as texts from '../../text/en/futures.ts';
import { amendOrder } from './amend-order.tsx';

type PastOrder = Answer<'GET /api/v1/orders'>['items'][number];

export const orderColumns: readonly Column<PastOrder | LiveOrder>[] = [
  {
    title: texts.time,
    cell: (each) => formatMoment(each.created_at),
    text: (each) => each.created_at,
  },
  { title: texts.side, cell: (each) => <Side side={each.side} />, text: (each) => each.side },
  { title: texts.type, cell: (each) => words(each.type), text: (each) => each.type },
  {
    title: texts.price,
    isNumber: true,
    cell: (each) => formatPrice('futures', each.symbol, each.price),
    text: (each) => each.price,
  },
  {
    title: texts.trigger,
    isNumber: true,
    cell: (each) => formatPrice('futures', each.symbol, each.stop_price),
    text: (each) => each.stop_price ?? null,
  },
  {
    title: texts.quantity,
    isNumber: true,
    cell: (each) => formatWhole(each.quantity),
    text: (each) => each.quantity,
  },
  {
    title: texts.filled,
    isNumber: true,
    cell: (each) => formatWhole(each.filled_quantity),
    text: (each) => each.filled_quantity,
  },
  {
    title: texts.state,
    cell: (each) => <span class="tag">{words(each.status)}</span>,
    text: (each) => each.status,
  },
];

/** The columns of live orders: each can be canceled, and those that rest in the book amended. */
export function openColumns(market: PerpMarket): readonly Column<LiveOrder>[] {
  const buttons = (order: LiveOrder) => (
    <span class="row">
      {order.type === 'LIMIT' && (
        <SendButton class="small" onClick={() => void amendOrder(order, market)}>
          {texts.amend}
        </SendButton>
      )}
      <SendButton class="small" onClick={() => void cancelPerpOrder(Number(order.order_id))}>
        {texts.cancel}
      </SendButton>
    </span>
  );
  return [...orderColumns, { title: '', cell: buttons }];
}
