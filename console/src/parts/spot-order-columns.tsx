import type { Answer } from '@openbourse/client';
import type { LiveOrder } from '../feed/account.ts';
import { formatPrice } from '../feed/prices.ts';
import { formatMoment, formatWhole } from '../number/format.ts';
import type { Column } from './table.tsx';

export type PastOrder = Answer<'GET /api/v1/spot/orders'>['items'][number];

export function Side({ side }: { side: string }) {
  const isBuy = side.toLowerCase() === 'buy';
  return <span class={isBuy ? 'up' : 'down'}>{isBuy ? '▲ Buy' : '▼ Sell'}</span>;
}

export const words = (text: string): string => text.toLowerCase().replaceAll('_', ' ');

export const orderColumns: readonly Column<PastOrder | LiveOrder>[] = [
  { title: 'Time', cell: (each) => formatMoment(each.created_at), text: (each) => each.created_at },
  { title: 'Market', cell: (each) => each.symbol, text: (each) => each.symbol },
  { title: 'Side', cell: (each) => <Side side={each.side} />, text: (each) => each.side },
  { title: 'Type', cell: (each) => words(each.type), text: (each) => each.type },
  {
    title: 'Price',
    isNumber: true,
    cell: (each) => formatPrice('spot', each.symbol, each.price),
    text: (each) => each.price,
  },
  {
    title: 'Quantity',
    isNumber: true,
    cell: (each) => formatWhole(each.quantity ?? each.quote_quantity),
    text: (each) => each.quantity,
  },
  {
    title: 'Filled',
    isNumber: true,
    cell: (each) => formatWhole(each.filled_quantity),
    text: (each) => each.filled_quantity,
  },
  {
    title: 'Average',
    isNumber: true,
    cell: (each) => formatPrice('spot', each.symbol, each.avg_price),
    text: (each) => each.avg_price,
  },
  {
    title: 'State',
    cell: (each) => <span class="tag">{words(each.status)}</span>,
    text: (each) => each.status,
  },
];
