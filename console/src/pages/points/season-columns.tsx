import type { Answer } from '@openbourse/client';
import type { Column } from '../../parts/table.tsx';
import * as texts from '../../text/en/points.ts';

export type Season = Answer<'GET /api/v1/points/seasons'>[number];

/** What a season is, for its users and for its operator. */
export const seasonColumns: readonly Column<Season>[] = [
  {
    title: texts.epochs,
    cell: (each) => `${each.start_epoch} – ${each.end_epoch}`,
    text: (each) => `${each.start_epoch}-${each.end_epoch}`,
  },
  {
    title: texts.pool,
    isNumber: true,
    cell: (each) => each.user_pool_tokens.toLocaleString('en'),
    text: (each) => each.user_pool_tokens,
  },
  {
    title: texts.makersPool,
    isNumber: true,
    cell: (each) => each.mm_pool_tokens.toLocaleString('en'),
    text: (each) => each.mm_pool_tokens,
  },
  {
    title: texts.state,
    cell: (each) => <span class="tag">{each.status}</span>,
    text: (each) => each.status,
  },
];
