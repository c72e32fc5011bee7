import type { Answer } from '@openbourse/client';
import { api } from '../../api/api.ts';
import { readByCursor } from '../../api/pages.ts';
import { refresh, useApi } from '../../api/query.ts';
import { say, sayError } from '../../feed/notices.ts';
import { formatPrice } from '../../feed/prices.ts';
import { formatMoment, formatWhole } from '../../number/format.ts';
import { confirm } from '../../parts/dialog.tsx';
import { usePageSize } from '../../parts/list-end.tsx';
import { PagedList } from '../../parts/paged-list.tsx';
import { cancelPerpOrder } from '../../parts/perp-ticket/perp-actions.ts';
import { SendButton } from '../../parts/send-button.tsx';
import { Side, words } from '../../parts/spot-order-columns.tsx';
import type { Column } from '../../parts/table.tsx';
import * as texts from '../../text/en/futures.ts';

type Trigger = Answer<'GET /api/v1/trigger-orders'>['items'][number];

const columns: readonly Column<Trigger>[] = [
  {
    title: texts.time,
    cell: (each) => formatMoment(each.created_at),
    text: (each) => each.created_at,
  },
  { title: texts.side, cell: (each) => <Side side={each.side} />, text: (each) => each.side },
  { title: texts.type, cell: (each) => words(each.type), text: (each) => each.type },
  {
    title: texts.trigger,
    isNumber: true,
    cell: (each) =>
      each.callback_rate === null
        ? formatPrice('futures', each.symbol, each.stop_price)
        : texts.callbackBehind(each.callback_rate),
    text: (each) => each.stop_price ?? each.callback_rate,
  },
  {
    title: texts.from,
    isNumber: true,
    cell: (each) => formatPrice('futures', each.symbol, each.activation_price),
    text: (each) => each.activation_price,
  },
  {
    title: texts.by,
    cell: (each) => (each.working_type === 'MARK_PRICE' ? 'mark' : 'last'),
    text: (each) => each.working_type,
  },
  {
    title: texts.price,
    isNumber: true,
    cell: (each) => formatPrice('futures', each.symbol, each.price),
    text: (each) => each.price,
  },
  {
    title: texts.quantity,
    isNumber: true,
    cell: (each) => (each.close_position ? texts.wholePosition : formatWhole(each.quantity)),
    text: (each) => each.quantity,
  },
  {
    title: texts.state,
    cell: (each) => <span class="tag">{words(each.trigger_status)}</span>,
    text: (each) => each.trigger_status,
  },
  {
    title: '',
    cell: (each) =>
      each.trigger_status === 'NEW' && (
        <SendButton class="small" onClick={() => void cancel(each.order_id)}>
          {texts.cancel}
        </SendButton>
      ),
  },
];

async function cancel(id: number): Promise<void> {
  await cancelPerpOrder(id);
  refresh('GET /api/v1/trigger-orders');
}

async function cancelAll(symbol: string): Promise<void> {
  const isYes = await confirm({
    title: texts.cancelTriggersQuestion,
    action: texts.cancelThem,
    text: texts.triggersWillBeCanceled(symbol),
  });
  if (!isYes) return;
  try {
    const { canceled } = await api.call('DELETE /api/v1/trigger-orders', { query: { symbol } });
    say('plain', texts.triggerOrdersCanceled(canceled.length));
    refresh('GET /api/v1/trigger-orders');
  } catch (error) {
    sayError(error);
  }
}

/** Orders that wait, or have waited, for a trigger price. */
export function TriggerOrders({ symbol }: { symbol: string }) {
  const { limit, onMore } = usePageSize();
  const name = 'GET /api/v1/trigger-orders';
  return (
    <PagedList
      caption={texts.triggerOrders}
      name={`trigger-orders-${symbol}`}
      query={useApi(name, { query: { symbol, limit } })}
      columns={columns}
      keyOf={(each) => each.order_id}
      empty={texts.noTriggerOrders}
      load={() => readByCursor((page) => api.call(name, { query: { symbol, ...page } }))}
      onMore={onMore}
      tools={
        <SendButton class="small plain" onClick={() => void cancelAll(symbol)}>
          {texts.cancelAllTriggers}
        </SendButton>
      }
    />
  );
}
