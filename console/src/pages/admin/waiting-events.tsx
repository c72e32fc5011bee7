import type { Answer } from '@openbourse/client';
import { api } from '../../api/api.ts';
import { refresh, useApi } from '../../api/query.ts';
import { type Column, Loaded, Table } from '../../parts/table.tsx';
import { Form, get } from './operator-form.tsx';
import { write } from './write.ts';

type Event = Answer<'GET /api/v1/admin/chain/parked'>['items'][number];

type Action = 'retry' | 'credit_as' | 'return' | 'write_off' | 'link';

const columns: readonly Column<Event>[] = [
  { title: 'Event', cell: (each) => each.id },
  { title: 'What', cell: (each) => each.type },
  { title: 'Account', cell: (each) => <code>{each.account}</code> },
  { title: 'Why it waits', cell: (each) => <span class="wrap">{each.error}</span> },
  { title: 'Transaction', cell: (each) => <code class="wrap">{each.tx_hash}</code> },
];

async function resolve(): Promise<void> {
  const id = get('event-id');
  const approvals = [get('event-approval-1'), get('event-approval-2')].filter((one) => one !== '');
  const [token, amount, withdrawal, reason] = [
    get('event-token'),
    get('event-amount'),
    get('event-withdrawal'),
    get('event-why'),
  ];
  await write(`The event ${id} has ended.`, () =>
    api.call('POST /api/v1/admin/chain/parked/:id/resolve', {
      params: { id },
      body: {
        action: get('event-action') as Action,
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
      <section class="panel" aria-label="Events that wait">
        <header>
          <h2>Events that wait</h2>
        </header>
        <Loaded query={query}>
          {({ items }) => (
            <Table
              caption="Events of the chain that wait"
              columns={columns}
              rows={items}
              keyOf={(each) => each.id}
              empty="None waits for people."
            />
          )}
        </Loaded>
      </section>
      <Form
        title="End an event"
        names={[
          ['event-id', 'Event'],
          ['event-action', 'retry, credit_as, return, write_off or link'],
          ['event-token', 'Token, of credit_as'],
          ['event-amount', 'Amount, of credit_as'],
          ['event-withdrawal', 'Withdrawal, of link'],
          ['event-why', 'Why'],
          ['event-approval-1', 'Approval, where money is real'],
          ['event-approval-2', 'Second approval'],
        ]}
        action="End"
        onSubmit={resolve}
      />
    </>
  );
}
