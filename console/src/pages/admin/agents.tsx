import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { readByNumber } from '../../api/pages.ts';
import { refresh, useApi } from '../../api/query.ts';
import { formatFraction, formatMoment } from '../../number/format.ts';
import { ChainLink } from '../../parts/chain-link.tsx';
import { PagedPanel } from '../../parts/paged-panel.tsx';
import { SendButton } from '../../parts/send-button.tsx';
import type { Column } from '../../parts/table.tsx';
import * as texts from '../../text/en/admin.ts';
import { write } from './write.ts';

type Agent = Answer<'GET /api/v1/admin/referral/agents'>['items'][number];

const page = signal(1);
const pageSize = 20;

async function turnStatus({ address, status }: Agent): Promise<void> {
  const next = status === 'active' ? 'suspended' : 'active';
  await write(texts.agentAction(next === 'active' ? texts.reinstate : texts.suspend, address), () =>
    api.call('PUT /api/v1/admin/referral/agents/:wallet', {
      params: { wallet: address },
      body: { status: next },
    }),
  );
  refresh('GET /api/v1/admin/referral/agents');
}

const columns: readonly Column<Agent>[] = [
  {
    title: texts.agent,
    cell: (each) => <ChainLink to="address" value={each.address} />,
    text: (each) => each.address,
  },
  { title: texts.code, cell: (each) => each.code ?? '–', text: (each) => each.code },
  {
    title: texts.tier,
    isNumber: true,
    cell: (each) => each.tier_level,
    text: (each) => each.tier_level,
  },
  {
    title: texts.rate,
    isNumber: true,
    cell: (each) => formatFraction(each.rebate_rate),
    text: (each) => each.rebate_rate,
  },
  {
    title: texts.traders,
    isNumber: true,
    cell: (each) => each.direct_traders,
    text: (each) => each.direct_traders,
  },
  {
    title: texts.since,
    cell: (each) => formatMoment(each.created_at),
    text: (each) => each.created_at,
  },
  {
    title: texts.state,
    cell: (each) => (
      <span class={`tag ${each.status === 'active' ? 'good' : 'warn'}`}>{each.status}</span>
    ),
    text: (each) => each.status,
  },
  {
    title: '',
    cell: (each) => (
      <SendButton class="small" onClick={() => void turnStatus(each)}>
        {each.status === 'active' ? texts.suspend : texts.reinstate}
      </SendButton>
    ),
  },
];

/** Lists everyone who has a referral code, or terms set in advance. */
export function Agents() {
  const name = 'GET /api/v1/admin/referral/agents';
  return (
    <PagedPanel
      title={texts.referralAgents}
      name="agents"
      query={useApi(name, { query: { page: page.value, page_size: pageSize } })}
      columns={columns}
      keyOf={(each) => each.address}
      empty={texts.noAgentsYet}
      load={() => readByNumber((query) => api.call(name, { query }))}
      page={page}
      pageSize={pageSize}
    />
  );
}
