import { signal } from '@preact/signals';
import { useApi } from '../../api/query.ts';
import { formatMoment } from '../../number/format.ts';
import { Amount } from '../../parts/amount.tsx';
import { ChainLink } from '../../parts/chain-link.tsx';
import { ListPanel } from '../../parts/list-panel.tsx';
import type { Column } from '../../parts/table.tsx';
import * as texts from '../../text/en/admin.ts';
import type { Review } from '../../wallet/approvals.ts';
import { ReviewDecision } from './review-decision.tsx';

const chosen = signal<string | null>(null);

const words = (text: string): string => text.replaceAll('_', ' ');

const columns: readonly Column<Review>[] = [
  {
    title: texts.requested,
    cell: (each) => formatMoment(each.created_at),
    text: (each) => each.created_at,
  },
  {
    title: texts.amount,
    isNumber: true,
    cell: (each) => <Amount value={each.amount} token={each.token} isNamed />,
    text: (each) => each.amount,
  },
  { title: texts.wallet, cell: (each) => each.wallet, text: (each) => each.wallet },
  {
    title: texts.paidTo,
    cell: (each) => <ChainLink to="address" value={each.account} />,
    text: (each) => each.account,
  },
  {
    title: texts.reasons,
    cell: (each) => <span class="wrap">{each.reasons.map(words).join(', ')}</span>,
    text: (each) => each.reasons.join(' '),
  },
  {
    title: texts.status,
    cell: (each) => <span class="tag">{each.status}</span>,
    text: (each) => each.status,
  },
  {
    title: '',
    cell: (each) => (
      <button
        type="button"
        class="small"
        aria-pressed={chosen.value === each.id}
        onClick={() => {
          chosen.value = each.id;
        }}
      >
        {texts.decide}
      </button>
    ),
  },
];

/** Withdrawals that two people approve or refuse with their wallets. */
export function Reviews() {
  const query = useApi('GET /api/v1/admin/withdrawals/reviews', {}, { every: 10_000 });
  const review = query.data?.items.find(({ id }) => id === chosen.value);
  return (
    <>
      <ListPanel
        title={texts.withdrawalsInReview}
        name="reviews"
        query={query}
        rowsOf={({ items }) => items}
        columns={columns}
        keyOf={(each) => each.id}
        empty={texts.noWithdrawalsInReview}
      />
      {review !== undefined && (
        <ReviewDecision
          key={review.id}
          review={review}
          onEnd={() => {
            chosen.value = null;
          }}
        />
      )}
    </>
  );
}
