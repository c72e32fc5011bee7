import type { Answer } from '@openbourse/client';
import type { LiveOrder } from '../feed/account.ts';
import { formatPrice } from '../feed/prices.ts';
import { formatMoment, formatWhole } from '../number/format.ts';
import * as texts from '../text/en/desk.ts';
import type { Column } from './table.tsx';

export type PastOrder = Answer<'GET /api/v1/spot/orders'>['items'][number];

export function Side({ side }: { side: string }) {
  const isBuy = side.toLowerCase() === 'buy';
  return <span class={isBuy ? 'up' : 'down'}>{isBuy ? texts.buyArrow : texts.sellArrow}</span>;
}

export const words = (text: string): string => text.toLowerCase().replaceAll('_', ' ');

export const orderColumns: readonly Column<PastOrder | LiveOrder>[] = [
  {
    title: texts.time,
    cell: (each) => formatMoment(each.created_at),
    text: (each) => each.created_at,
  },
  { title: texts.market, cell: (each) => each.symbol, text: (each) => each.symbol },
  { title: texts.side, cell: (each) => <Side side={each.side} />, text: (each) => each.side },
  { title: texts.type, cell: (each) => words(each.type), text: (each) => each.type },
  {
    title: texts.price,
    isNumber: true,
    cell: (each) => formatPrice('spot', each.symbol, each.price),
    text: (each) => each.price,
  },
  {
    title: texts.quantity,
    isNumber: true,
    cell: (each) => formatWhole(each.quantity ?? each.quote_quantity),
    text: (each) => each.quantity,
  },
  {
    title: texts.filled,
    isNumber: true,
    cell: (each) => formatWhole(each.filled_quantity),
    text: (each) => each.filled_quantity,
  },
  {
    title: texts.average,
    isNumber: true,
    cell: (each) => formatPrice('spot', each.symbol, each.avg_price),
    text: (each) => each.avg_price,
  },
  {
    title: texts.state,
    cell: (each) => <span class="tag">{words(each.status)}</span>,
    text: (each) => each.status,
  },
];
