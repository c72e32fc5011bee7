import { fromUnits, toUnits } from '@openbourse/client';
import { signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { readByNumber } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { site } from '../../feed/site.ts';
import { formatMoment, formatWhole } from '../../number/format.ts';
import { Usdt } from '../../parts/amount.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { PagedPanel } from '../../parts/paged-panel.tsx';
import { type Column, Loaded } from '../../parts/table.tsx';
import { type Claim, OpenClaim, redeem } from './open-claim.tsx';
import { isBusy, run } from './run.ts';

const page = signal(1);
const pageSize = 20;

async function claim(): Promise<void> {
  const text =
    'Everything claimable is claimed, and paid by the contract to the address that is signed in.';
  if (!(await confirm({ title: 'Claim your commission?', text, action: 'Claim', isMoney: true })))
    return;
  const made = await api.call('POST /api/v1/referral/claim', { body: null });
  await redeem(made.claim_no);
}

const claimColumns: readonly Column<Claim>[] = [
  { title: 'Claim', cell: (each) => <code>{each.claim_no}</code>, text: (each) => each.claim_no },
  {
    title: 'Amount',
    isNumber: true,
    cell: (each) => <Usdt value={each.amount} />,
    text: (each) => each.amount,
  },
  {
    title: 'State',
    cell: (each) => (
      <span
        class={`tag ${each.status === 'success' ? 'good' : each.status === 'failed' ? 'bad' : ''}`}
      >
        {each.status}
      </span>
    ),
    text: (each) => each.status,
  },
  {
    title: 'Why',
    cell: (each) => each.failure_reason?.toLowerCase().replaceAll('_', ' ') ?? '',
    text: (each) => each.failure_reason,
  },
  {
    title: 'Asked for',
    cell: (each) => formatMoment(each.applied_at),
    text: (each) => each.applied_at,
  },
];

/** The amount missing to the minimum claim; null if none is missing, or if it is unknown. */
function missingOf(claimable: string | undefined, least: string | undefined): string | null {
  if (claimable === undefined || least === undefined) return null;
  const missing = toUnits(least) - toUnits(claimable);
  return missing > 0n ? fromUnits(missing) : null;
}

/** What can be claimed; absent amounts are not read yet. */
function Amounts({ claimable, pending }: { claimable?: string; pending?: string }) {
  return (
    <dl class="pairs" aria-busy={claimable === undefined}>
      <dt>Claimable on chain</dt>
      <dd>
        <Usdt value={claimable} /> USDT
      </dd>
      <dt>Waiting for the chain</dt>
      <dd>
        <Usdt value={pending} /> USDT
      </dd>
    </dl>
  );
}

export function ClaimPanel() {
  const preview = useApi('GET /api/v1/referral/claims/preview', {});
  const claims = useApi('GET /api/v1/referral/claims', { query: { page_size: pageSize } });
  const missing = missingOf(preview.data?.claimable, site.value?.min_claim_usdt);
  const open = claims.data?.items.find(({ status }) => status === 'processing');
  return (
    <section class="panel" aria-label="Claim">
      <header>
        <h2>Claim</h2>
        <span class="dim small-text">at least {site.value?.min_claim_usdt ?? '…'} USDT</span>
      </header>
      <div class="body">
        <Loaded query={preview} waiting={<Amounts />}>
          {(amounts) => <Amounts {...amounts} />}
        </Loaded>
        {open === undefined ? (
          <button
            type="button"
            class="primary"
            disabled={isBusy.value || missing !== null}
            onClick={() => void run(claim)}
          >
            {missing === null ? 'Claim' : `${formatWhole(missing)} USDT are missing to a claim`}
          </button>
        ) : (
          <OpenClaim open={open} />
        )}
      </div>
    </section>
  );
}

/** All claims of the account, page by page. */
export function ClaimHistory() {
  const name = 'GET /api/v1/referral/claims';
  return (
    <PagedPanel
      title="Claims"
      name="claims"
      query={useApi(name, { query: { page: page.value, page_size: pageSize } })}
      columns={claimColumns}
      keyOf={(each) => each.claim_no}
      empty="No claims yet. Commission is claimed above."
      load={() => readByNumber((query) => api.call(name, { query }))}
      page={page}
      pageSize={pageSize}
    />
  );
}
