import type { Answer } from '@openbourse/client';
import { api } from '../../api/api.ts';
import { refresh, useApi } from '../../api/query.ts';
import { shortAddress } from '../../number/format.ts';
import { ListPanel } from '../../parts/list-panel.tsx';
import type { Column } from '../../parts/table.tsx';
import { showEvent } from './event-details.tsx';
import { Form, fillForm, get } from './operator-form.tsx';
import { write } from './write.ts';

type Event = Answer<'GET /api/v1/admin/chain/parked'>['items'][number];

const words: Readonly<Record<Event['type'], string>> = {
  rewardSettled: 'commission settled',
  rewardRedeemed: 'commission redeemed',
  vaultDeposited: 'deposit',
  vaultReleased: 'release paid',
  vaultReleaseQueued: 'release queued',
  vaultQueuedPaid: 'queued release paid',
  vaultQueuedEnded: 'queued release ended',
};

const actions = ['retry', 'credit_as', 'return', 'write_off', 'link'] as const;

const columns: readonly Column<Event>[] = [
  { title: 'Event', cell: (each) => each.id, text: (each) => each.id },
  { title: 'Type', cell: (each) => words[each.type], text: (each) => each.type },
  {
    title: 'Account',
    cell: (each) => <code>{shortAddress(each.account)}</code>,
    text: (each) => each.account,
  },
  {
    title: 'Reason',
    cell: (each) => <span class="wrap">{each.error.replaceAll('_', ' ')}</span>,
    text: (each) => each.error,
  },
  { title: 'Block', isNumber: true, cell: (each) => each.block ?? '–', text: (each) => each.block },
  {
    title: 'Transaction',
    cell: (each) => <code>{shortAddress(each.tx_hash)}</code>,
    text: (each) => each.tx_hash,
  },
  {
    title: '',
    isNumber: true,
    cell: (each) => (
      <span class="row end">
        <button type="button" class="small" onClick={() => void showEvent(each.id)}>
          Details
        </button>
        <button type="button" class="small" onClick={() => fillForm({ 'event-id': each.id })}>
          Choose
        </button>
      </span>
    ),
  },
];

/** Every event that waits, page after page. */
async function readAll(): Promise<readonly Event[]> {
  const all: Event[] = [];
  for (;;) {
    const after = all.at(-1)?.id;
    const query = after === undefined ? {} : { after };
    const { items } = await api.call('GET /api/v1/admin/chain/parked', { query });
    if (items.length === 0) return all;
    all.push(...items);
  }
}

async function resolve(): Promise<void> {
  const id = get('event-id');
  const approvals = [get('event-approval-1'), get('event-approval-2')].filter((one) => one !== '');
  const [token, amount, withdrawal, reason] = [
    get('event-token'),
    get('event-amount'),
    get('event-withdrawal'),
    get('event-why'),
  ];
  await write(`Resolve event ${id}: ${get('event-action').replaceAll('_', ' ')}.`, () =>
    api.call('POST /api/v1/admin/chain/parked/:id/resolve', {
      params: { id },
      body: {
        action: get('event-action') as (typeof actions)[number],
        ...(reason === '' ? {} : { reason }),
        ...(token === '' ? {} : { token }),
        ...(amount === '' ? {} : { amount }),
        ...(withdrawal === '' ? {} : { withdrawal_id: withdrawal }),
        ...(approvals.length === 0 ? {} : { approvals }),
      },
    }),
  );
  refresh('GET /api/v1/admin/chain/parked');
}

/** Lists events of the chain and deposits that wait for people, and ends them. */
export function WaitingEvents() {
  const query = useApi('GET /api/v1/admin/chain/parked', {}, { every: 10_000 });
  return (
    <>
      <ListPanel
        title="Parked events"
        name="parked-events"
        query={query}
        rowsOf={({ items }) => items}
        columns={columns}
        keyOf={(each) => each.id}
        empty="No parked events."
        load={readAll}
      />
      <Form
        title="Resolve an event"
        names={[
          ['event-id', 'Event'],
          ['event-action', 'Action', actions],
          ['event-token', 'Token (credit as)'],
          ['event-amount', 'Amount (credit as)'],
          ['event-withdrawal', 'Withdrawal (link)'],
          ['event-why', 'Reason'],
          ['event-approval-1', 'First approval (main network)'],
          ['event-approval-2', 'Second approval (main network)'],
        ]}
        action="Resolve"
        onSubmit={resolve}
      />
    </>
  );
}
