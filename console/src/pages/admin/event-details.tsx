import type { Answer } from '@openbourse/client';
import { api } from '../../api/api.ts';
import { sayError } from '../../feed/notices.ts';
import { confirm } from '../../parts/dialog.tsx';

type Details = Answer<'GET /api/v1/admin/chain/parked/:id'>;

function blockText({ is_included: isIncluded }: Details['proof']): string {
  if (isIncluded === null) return 'unknown: the chain does not respond';
  return isIncluded ? 'contains the event' : 'does not contain the event';
}

function EventDetails({ details }: { details: Details }) {
  const { event, row, proof, chain } = details;
  const rows: readonly (readonly [string, string])[] = [
    ['Contract', details.contract],
    ['Account', details.account],
    ['Transaction', details.tx_hash],
    ...Object.entries(event).map(([name, value]) => [`Event: ${name}`, String(value)] as const),
    ['Belongs to', row === null ? 'nothing' : `${row.table} ${row.id}, ${row.status}`],
    ...(row === null ? [] : [['Its raw amount', row.raw_amount] as const]),
    ['Block when counted', proof.counted_hash ?? '–'],
    ['Block now', proof.present_hash ?? '–'],
    ['That block', blockText(proof)],
    ['Newest block', chain === null ? 'the chain does not respond' : String(chain.head)],
    ['Next number on chain', String(chain?.next_number ?? '–')],
    ['Token on chain', chain?.token_symbol ?? '–'],
  ];
  return (
    <dl class="pairs">
      {rows.map(([name, text]) => (
        <>
          <dt>{name}</dt>
          <dd>
            <code class="wrap">{text}</code>
          </dd>
        </>
      ))}
    </dl>
  );
}

/** Shows what decides how a parked event ends: the event, its row, and the chain now. */
export async function showEvent(id: string): Promise<void> {
  try {
    const details = await api.call('GET /api/v1/admin/chain/parked/:id', { params: { id } });
    await confirm({
      title: `Event ${id}`,
      text: <EventDetails details={details} />,
      action: 'Close',
      isStatement: true,
    });
  } catch (error) {
    sayError(error);
  }
}
