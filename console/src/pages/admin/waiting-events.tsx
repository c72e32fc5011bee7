import type { Answer } from '@openbourse/client';
import { api } from '../../api/api.ts';
import { refresh, useApi } from '../../api/query.ts';
import { ChainLink } from '../../parts/chain-link.tsx';
import { ListPanel } from '../../parts/list-panel.tsx';
import { SendButton } from '../../parts/send-button.tsx';
import type { Column } from '../../parts/table.tsx';
import * as texts from '../../text/en/admin.ts';
import { foreignText } from '../../text/foreign.ts';
import { showEvent } from './event-details.tsx';
import { Form, fillForm, get } from './operator-form.tsx';
import { write } from './write.ts';

type Event = Answer<'GET /api/v1/admin/chain/parked'>['items'][number];

const words: Readonly<Record<Event['type'], string>> = {
  rewardSettled: texts.commissionSettled,
  rewardRedeemed: texts.commissionRedeemed,
  vaultDeposited: 'deposit',
  vaultReleased: texts.releasePaid,
  vaultReleaseQueued: texts.releaseQueued,
  vaultQueuedPaid: texts.queuedReleasePaid,
  vaultQueuedEnded: texts.queuedReleaseEnded,
};

const actions = ['retry', 'credit_as', 'return', 'write_off', 'link'] as const;

const columns: readonly Column<Event>[] = [
  { title: texts.event, cell: (each) => each.id, text: (each) => each.id },
  { title: texts.type, cell: (each) => words[each.type], text: (each) => each.type },
  {
    title: texts.account,
    cell: (each) => <ChainLink to="address" value={each.account} isShort />,
    text: (each) => each.account,
  },
  {
    title: texts.reason,
    cell: (each) => <span class="wrap">{foreignText(each.error.replaceAll('_', ' '))}</span>,
    text: (each) => each.error,
  },
  {
    title: texts.block,
    isNumber: true,
    cell: (each) => each.block ?? '–',
    text: (each) => each.block,
  },
  {
    title: texts.transaction,
    cell: (each) => <ChainLink to="tx" value={each.tx_hash} isShort />,
    text: (each) => each.tx_hash,
  },
  {
    title: '',
    cell: (each) => (
      <span class="row">
        <SendButton class="small" onClick={() => void showEvent(each.id)}>
          {texts.details}
        </SendButton>
        <button type="button" class="small" onClick={() => fillForm({ 'event-id': each.id })}>
          {texts.chooseEvent}
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
  await write(texts.resolveEventAction(id, get('event-action').replaceAll('_', ' ')), () =>
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
        title={texts.parkedEvents}
        name="parked-events"
        query={query}
        rowsOf={({ items }) => items}
        columns={columns}
        keyOf={(each) => each.id}
        empty={texts.noParkedEvents}
        load={readAll}
      />
      <Form
        title={texts.resolveParkedEvent}
        names={[
          ['event-id', texts.event],
          ['event-action', texts.action, actions],
          ['event-token', texts.tokenCreditAs],
          ['event-amount', texts.amountCreditAs],
          ['event-withdrawal', texts.withdrawalLink],
          ['event-why', texts.reason],
          ['event-approval-1', texts.firstApprovalMainNetwork],
          ['event-approval-2', texts.secondApprovalMainNetwork],
        ]}
        action={texts.resolve}
        onSubmit={resolve}
      />
    </>
  );
}
