import { fromUnits, toUnits } from '@openbourse/client';
import { signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { readByNumber } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { site } from '../../feed/site.ts';
import { formatMoment, formatWhole } from '../../number/format.ts';
import { Usdt } from '../../parts/amount.tsx';
import { ChainLink } from '../../parts/chain-link.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { PagedPanel } from '../../parts/paged-panel.tsx';
import { SendButton } from '../../parts/send-button.tsx';
import { type Column, Loaded } from '../../parts/table.tsx';
import * as texts from '../../text/en/referral.ts';
import { type Claim, OpenClaim, redeem } from './open-claim.tsx';
import { isBusy, run } from './run.ts';

const page = signal(1);
const pageSize = 20;

async function claim(): Promise<void> {
  const text = texts.claimPaysEverything;
  if (!(await confirm({ title: texts.claimQuestion, text, action: texts.claim, isMoney: true })))
    return;
  const made = await api.call('POST /api/v1/referral/claim', { body: null });
  await redeem(made.claim_no);
}

const claimColumns: readonly Column<Claim>[] = [
  {
    title: texts.claim,
    cell: (each) => <code>{each.claim_no}</code>,
    text: (each) => each.claim_no,
  },
  {
    title: texts.amount,
    isNumber: true,
    cell: (each) => <Usdt value={each.amount} />,
    text: (each) => each.amount,
  },
  {
    title: texts.state,
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
    title: texts.why,
    cell: (each) => each.failure_reason?.toLowerCase().replaceAll('_', ' ') ?? '',
    text: (each) => each.failure_reason,
  },
  {
    title: texts.askedFor,
    cell: (each) => formatMoment(each.applied_at),
    text: (each) => each.applied_at,
  },
  {
    title: texts.transaction,
    cell: (each) => <ChainLink to="tx" value={each.tx_hash} isShort />,
    text: (each) => each.tx_hash,
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
      <dt>{texts.claimableOnChain}</dt>
      <dd>
        <Usdt value={claimable} /> {texts.usdt}
      </dd>
      <dt>{texts.waitingForTheChain}</dt>
      <dd>
        <Usdt value={pending} /> {texts.usdt}
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
    <section class="panel" aria-label={texts.claim}>
      <header>
        <h2>{texts.claim}</h2>
        <span class="dim small-text">{texts.atLeast(site.value?.min_claim_usdt ?? '…')}</span>
      </header>
      <div class="body">
        <Loaded query={preview} waiting={<Amounts />}>
          {(amounts) => <Amounts {...amounts} />}
        </Loaded>
        {open === undefined ? (
          <SendButton
            class="primary"
            disabled={isBusy.value || missing !== null}
            onClick={() => void run(claim)}
          >
            {missing === null ? texts.claim : texts.missingForClaim(formatWhole(missing))}
          </SendButton>
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
      title={texts.claims}
      name="claims"
      query={useApi(name, { query: { page: page.value, page_size: pageSize } })}
      columns={claimColumns}
      keyOf={(each) => each.claim_no}
      empty={texts.noClaimsYet}
      load={() => readByNumber((query) => api.call(name, { query }))}
      page={page}
      pageSize={pageSize}
    />
  );
}
