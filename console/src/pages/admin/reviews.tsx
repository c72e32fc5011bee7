import { signal } from '@preact/signals';
import { useApi } from '../../api/query.ts';
import { formatMoment, formatWhole } from '../../number/format.ts';
import { type Column, CsvButton, Loaded, Table } from '../../parts/table.tsx';
import type { Review } from '../../wallet/approvals.ts';
import { ReviewDecision } from './review-decision.tsx';

const chosen = signal<string | null>(null);

const words = (text: string): string => text.replaceAll('_', ' ');

const columns: readonly Column<Review>[] = [
  {
    title: 'Asked for',
    cell: (each) => formatMoment(each.created_at),
    text: (each) => each.created_at,
  },
  {
    title: 'Amount',
    isNumber: true,
    cell: (each) => `${formatWhole(each.amount)} ${each.token}`,
    text: (each) => each.amount,
  },
  { title: 'Wallet', cell: (each) => each.wallet, text: (each) => each.wallet },
  { title: 'Paid to', cell: (each) => <code>{each.account}</code>, text: (each) => each.account },
  {
    title: 'Why',
    cell: (each) => <span class="wrap">{each.reasons.map(words).join(', ')}</span>,
    text: (each) => each.reasons.join(' '),
  },
  {
    title: 'State',
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
        Decide
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
      <section class="panel" aria-label="Withdrawals in review">
        <header>
          <h2>Withdrawals in review</h2>
          <CsvButton name="reviews" columns={columns} rows={query.data?.items ?? []} />
        </header>
        <Loaded query={query}>
          {({ items }) => (
            <Table
              caption="Withdrawals in review"
              columns={columns}
              rows={items}
              keyOf={(each) => each.id}
              empty="None waits for people."
            />
          )}
        </Loaded>
      </section>
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
