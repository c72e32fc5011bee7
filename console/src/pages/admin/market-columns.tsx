import { api } from '../../api/api.ts';
import { refresh } from '../../api/query.ts';
import { SendButton } from '../../parts/send-button.tsx';
import type { Column } from '../../parts/table.tsx';
import * as texts from '../../text/en/admin.ts';
import { write } from './write.ts';

type MarketStatus = 'listed' | 'halted' | 'delisted';

export interface MarketRow {
  readonly kind: 'spot' | 'futures';
  readonly id: string;
  readonly status: string;
}

const statusActions = { listed: texts.list, halted: texts.halt, delisted: texts.delist } as const;

async function setStatus({ kind, id }: MarketRow, status: MarketStatus): Promise<void> {
  const work = () =>
    kind === 'spot'
      ? api.call('PUT /api/v1/admin/spot/markets/:id/status', { params: { id }, body: { status } })
      : api.call('PUT /api/v1/admin/futures/markets/:symbol/status', {
          params: { symbol: id },
          body: { status },
        });
  await write(
    texts.marketStatusAction(
      statusActions[status],
      kind === 'spot' ? texts.spotMarket : 'perpetual',
      id,
    ),
    work,
    status === 'delisted' ? id : undefined,
  );
  refresh('GET /api/v1/spot/markets', 'GET /api/v1/markets');
}

export const marketColumns: readonly Column<MarketRow>[] = [
  { title: texts.kind, cell: ({ kind }) => kind, text: ({ kind }) => kind },
  { title: texts.market, cell: ({ id }) => id, text: ({ id }) => id },
  {
    title: texts.status,
    cell: ({ status }) => (
      <span class={`tag ${status === 'listed' ? 'good' : 'warn'}`}>{status}</span>
    ),
    text: ({ status }) => status,
  },
  {
    title: '',
    cell: (row) => (
      <span class="row">
        {(['listed', 'halted', 'delisted'] as const)
          .filter((status) => status !== row.status)
          .map((status) => (
            <SendButton key={status} class="small" onClick={() => void setStatus(row, status)}>
              {statusActions[status]}
            </SendButton>
          ))}
      </span>
    ),
  },
];
