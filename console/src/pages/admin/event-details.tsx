import type { Answer } from '@openbourse/client';
import type { ComponentChildren } from 'preact';
import { api } from '../../api/api.ts';
import { sayError } from '../../feed/notices.ts';
import { ChainLink } from '../../parts/chain-link.tsx';
import { confirm } from '../../parts/dialog.tsx';
import * as texts from '../../text/en/admin.ts';
import { foreignText } from '../../text/foreign.ts';

type Details = Answer<'GET /api/v1/admin/chain/parked/:id'>;

function blockText({ is_included: isIncluded }: Details['proof']): string {
  if (isIncluded === null) return texts.unknownWithoutChain;
  return isIncluded ? texts.containsTheEvent : texts.doesNotContainTheEvent;
}

function EventDetails({ details }: { details: Details }) {
  const { event, row, proof, chain } = details;
  const rows: readonly (readonly [string, ComponentChildren])[] = [
    [texts.contract, details.contract],
    [texts.account, <ChainLink to="address" value={details.account} />],
    [texts.transaction, <ChainLink to="tx" value={details.tx_hash} />],
    ...Object.entries(event).map(
      ([name, value]) => [texts.eventNamed(name), String(value)] as const,
    ),
    [texts.belongsTo, row === null ? 'nothing' : `${row.table} ${row.id}, ${row.status}`],
    ...(row === null ? [] : [[texts.itsRawAmount, row.raw_amount] as const]),
    [texts.blockWhenCounted, proof.counted_hash ?? '–'],
    [texts.blockNow, proof.present_hash ?? '–'],
    [texts.thatBlock, blockText(proof)],
    [texts.newestBlock, chain === null ? texts.chainDoesNotRespond : String(chain.head)],
    [texts.nextNumberOnChain, String(chain?.next_number ?? '–')],
    [texts.tokenOnChain, chain?.token_symbol ?? '–'],
  ];
  return (
    <dl class="pairs">
      {rows.map(([name, text]) => (
        <>
          <dt>{name}</dt>
          <dd>
            <code class="wrap">{typeof text === 'string' ? foreignText(text) : text}</code>
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
      title: texts.eventNumber(id),
      text: <EventDetails details={details} />,
      action: texts.close,
      isStatement: true,
    });
  } catch (error) {
    sayError(error);
  }
}
