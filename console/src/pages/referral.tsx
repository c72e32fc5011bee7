import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { api } from '../api/api.ts';
import { refresh, useApi } from '../api/query.ts';
import { now } from '../feed/clock.ts';
import { say, sayError } from '../feed/notices.ts';
import { address, isSignedIn } from '../feed/session.ts';
import { site } from '../feed/site.ts';
import { formatCountdown, formatFraction, formatMoment, formatWhole } from '../number/format.ts';
import { openSignIn } from '../parts/account-menu.tsx';
import { confirm } from '../parts/dialog.tsx';
import { TextField } from '../parts/number-field.tsx';
import { Stepper } from '../parts/stepper.tsx';
import { type Column, CsvButton, Loaded, Table } from '../parts/table.tsx';

type Trader = Answer<'GET /api/v1/referral/traders'>['items'][number];
type Affiliate = Answer<'GET /api/v1/referral/affiliates'>['items'][number];
type Claim = Answer<'GET /api/v1/referral/claims'>['items'][number];
type Log = Answer<'GET /api/v1/referral/logs'>['items'][number];

const code = signal('');
const promoted = signal('');
const rate = signal('0.05');
const isBusy = signal(false);
/** Until when the newest claim's signature counts, in Unix seconds. */
const deadline = signal<number | null>(null);

const refreshAll = (): void =>
  refresh(
    'GET /api/v1/referral/status',
    'GET /api/v1/referral/dashboard',
    'GET /api/v1/referral/traders',
    'GET /api/v1/referral/affiliates',
    'GET /api/v1/referral/claims',
    'GET /api/v1/referral/claims/preview',
    'GET /api/v1/referral/logs',
  );

async function run(work: () => Promise<void>): Promise<void> {
  isBusy.value = true;
  try {
    await work();
  } catch (error) {
    sayError(error);
  } finally {
    isBusy.value = false;
    refreshAll();
  }
}

async function createCode(): Promise<void> {
  const made = await api.call('POST /api/v1/referral/codes', { body: null });
  say('good', `Your code is ${made.code}.`);
}

async function bind(): Promise<void> {
  await api.call('POST /api/v1/referral/bind', { body: { code: code.value.trim() } });
  say('good', 'You are bound to the owner of this code.');
}

async function promote(): Promise<void> {
  await api.call('POST /api/v1/referral/affiliates', {
    body: { wallet: promoted.value.trim(), sub_rate: rate.value },
  });
  promoted.value = '';
  say('good', 'Promoted.');
}

/** Sends the signed reward by the wallet; the claim is counted once the chain shows it. */
async function redeem(claimNo: string): Promise<void> {
  const signed = await api.call('GET /api/v1/referral/claims/:claim_no/signature', {
    params: { claim_no: claimNo },
  });
  deadline.value = signed.deadline;
  const chain = await import('../wallet/contracts.ts');
  await chain.waitForReceipt(await chain.redeemReward(signed));
  say('good', 'The reward is on the chain; the claim closes when it is counted.');
}

async function claim(): Promise<void> {
  const text =
    'Everything claimable is claimed, and paid by the contract to the address that is signed in.';
  if (!(await confirm({ title: 'Claim your commission?', text, action: 'Claim', isMoney: true })))
    return;
  const made = await api.call('POST /api/v1/referral/claim', { body: null });
  await redeem(made.claim_no);
}

function ClaimPanel() {
  const preview = useApi('GET /api/v1/referral/claims/preview', {}, { every: 5_000 });
  const claims = useApi(
    'GET /api/v1/referral/claims',
    { query: { page_size: 20 } },
    { every: 3_000 },
  );
  const open = claims.data?.items.find(({ status }) => status === 'processing');
  const left =
    deadline.value === null ? '' : ` (${formatCountdown(deadline.value * 1000 - now.value)} left)`;
  return (
    <section class="panel" aria-label="Claim">
      <header>
        <h2>Claim</h2>
        <span class="dim small-text">at least {site.value?.min_claim_usdt ?? '…'} USDT</span>
      </header>
      <div class="body">
        <Loaded query={preview}>
          {({ claimable, pending }) => (
            <dl class="pairs">
              <dt>Claimable on chain</dt>
              <dd>{formatWhole(claimable)} USDT</dd>
              <dt>Waiting for the chain</dt>
              <dd>{formatWhole(pending)} USDT</dd>
            </dl>
          )}
        </Loaded>
        {open === undefined ? (
          <button
            type="button"
            class="primary"
            disabled={isBusy.value}
            onClick={() => void run(claim)}
          >
            Claim
          </button>
        ) : (
          <>
            <Stepper
              label="Steps of a claim"
              steps={[
                { text: 'Order made', state: 'done' },
                { text: `Send from your wallet${left}`, state: 'now' },
                { text: 'Seen on the chain', state: 'later' },
                { text: 'Success', state: 'later' },
              ]}
            />
            <button
              type="button"
              class="primary"
              disabled={isBusy.value}
              onClick={() => void run(() => redeem(open.claim_no))}
            >
              Send {formatWhole(open.amount)} USDT to your wallet
            </button>
          </>
        )}
        <Loaded query={claims}>
          {({ items, total }) => (
            <>
              <Table
                caption="Claims"
                columns={claimColumns}
                rows={items}
                keyOf={(each) => each.claim_no}
                empty="No claims yet."
              />
              <p class="dim small-text">
                {items.length} of {total}{' '}
                <CsvButton name="claims" columns={claimColumns} rows={items} />
              </p>
            </>
          )}
        </Loaded>
      </div>
    </section>
  );
}

const claimColumns: readonly Column<Claim>[] = [
  { title: 'Claim', cell: (each) => <code>{each.claim_no}</code>, text: (each) => each.claim_no },
  {
    title: 'Amount',
    isNumber: true,
    cell: (each) => formatWhole(each.amount),
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
    title: 'Asked for',
    cell: (each) => formatMoment(each.applied_at),
    text: (each) => each.applied_at,
  },
];
const traderColumns: readonly Column<Trader>[] = [
  { title: 'Trader', cell: (each) => <code>{each.address}</code>, text: (each) => each.address },
  { title: 'Bound', cell: (each) => formatMoment(each.bound_at), text: (each) => each.bound_at },
  {
    title: 'Spot',
    isNumber: true,
    cell: (each) => formatWhole(each.spot_commission),
    text: (each) => each.spot_commission,
  },
  {
    title: 'Futures',
    isNumber: true,
    cell: (each) => formatWhole(each.futures_commission),
    text: (each) => each.futures_commission,
  },
  {
    title: 'Total',
    isNumber: true,
    cell: (each) => formatWhole(each.total_commission),
    text: (each) => each.total_commission,
  },
  {
    title: 'State',
    cell: (each) => (
      <span class={`tag ${each.status === 'active' ? 'good' : ''}`}>{each.status}</span>
    ),
    text: (each) => each.status,
  },
];
const affiliateColumns: readonly Column<Affiliate>[] = [
  { title: 'Affiliate', cell: (each) => <code>{each.address}</code>, text: (each) => each.address },
  {
    title: 'Rate',
    isNumber: true,
    cell: (each) => formatFraction(each.sub_rate),
    text: (each) => each.sub_rate,
  },
  {
    title: 'Spread',
    isNumber: true,
    cell: (each) => formatFraction(each.spread_rate),
    text: (each) => each.spread_rate,
  },
  {
    title: 'Traders',
    isNumber: true,
    cell: (each) => each.direct_traders_count,
    text: (each) => each.direct_traders_count,
  },
  {
    title: 'Earned',
    isNumber: true,
    cell: (each) => formatWhole(each.total_spread_commission),
    text: (each) => each.total_spread_commission,
  },
];
const logColumns: readonly Column<Log>[] = [
  { title: 'Time', cell: (each) => formatMoment(each.created_at), text: (each) => each.created_at },
  { title: 'What', cell: (each) => each.type.replaceAll('_', ' '), text: (each) => each.type },
  {
    title: 'With',
    cell: (each) => each.counterparty ?? each.code ?? '',
    text: (each) => each.counterparty,
  },
  {
    title: 'Amount',
    isNumber: true,
    cell: (each) => formatWhole(each.amount),
    text: (each) => each.amount,
  },
];

function Standing() {
  const status = useApi('GET /api/v1/referral/status', {});
  const dashboard = useApi('GET /api/v1/referral/dashboard', {}, { every: 10_000 });
  return (
    <>
      <Loaded query={status}>
        {(each) => (
          <div class="row">
            {each.code === null ? (
              <button
                type="button"
                class="primary"
                disabled={isBusy.value}
                onClick={() => void run(createCode)}
              >
                Get a code of your own
              </button>
            ) : (
              <span>
                Your code{' '}
                <strong class="mono" data-test="own-code">
                  {each.code}
                </strong>
              </span>
            )}
            <span class="tag">{each.tier_name ?? 'no tier yet'}</span>
            <span>Rate {formatFraction(each.rebate_rate)}</span>
            {each.is_bound ? (
              <span>
                Bound to <code>{each.referrer}</code>
              </span>
            ) : (
              <form
                class="row"
                onSubmit={(event) => {
                  event.preventDefault();
                  void run(bind);
                }}
              >
                <TextField
                  label="Code of your referrer"
                  value={code.value}
                  onInput={(text) => {
                    code.value = text;
                  }}
                />
                <button type="submit">Bind</button>
              </form>
            )}
          </div>
        )}
      </Loaded>
      <Loaded query={dashboard}>
        {(each) => (
          <dl class="cards">
            {(
              [
                ['Earned', each.total_commission],
                ['On chain, claimable', each.claimable],
                ['Waiting for the chain', each.pending_commission],
                ['Failed', each.failed_commission],
                ['Claimed', each.claimed_commission],
              ] as const
            ).map(([name, amount]) => (
              <div class="figure" key={name}>
                <dt>{name}, USDT</dt>
                <dd>{formatWhole(amount)}</dd>
              </div>
            ))}
          </dl>
        )}
      </Loaded>
    </>
  );
}

function ChainWord() {
  const whose = address.value ?? '';
  const query = useApi(
    'GET /api/v1/referral/on-chain/user-rebate/:address',
    { params: { address: whose } },
    { every: 10_000 },
  );
  return (
    <section class="panel" aria-label="On chain">
      <header>
        <h2>What the chain says</h2>
      </header>
      <div class="body">
        <Loaded query={query}>
          {(each) => (
            <dl class="pairs">
              <dt>Claimed</dt>
              <dd>{formatWhole(each.claimed_usd)} USDT</dd>
              <dt>Nonce</dt>
              <dd>{each.nonce}</dd>
              <dt>Tier</dt>
              <dd>{each.tier_name}</dd>
              <dt>Referrer</dt>
              <dd>
                <code>{each.referrer}</code>
              </dd>
            </dl>
          )}
        </Loaded>
      </div>
    </section>
  );
}

function People() {
  const traders = useApi('GET /api/v1/referral/traders', { query: { page_size: 50 } });
  const affiliates = useApi('GET /api/v1/referral/affiliates', { query: { page_size: 50 } });
  const logs = useApi('GET /api/v1/referral/logs', { query: { page_size: 50 } });
  return (
    <div class="columns">
      <section class="panel" aria-label="Traders">
        <header>
          <h2>Traders</h2>
          <CsvButton name="traders" columns={traderColumns} rows={traders.data?.items ?? []} />
        </header>
        <Loaded query={traders}>
          {({ items }) => (
            <Table
              caption="Traders"
              columns={traderColumns}
              rows={items}
              keyOf={(each) => each.address}
              empty="Nobody is bound to you yet. Share your code."
            />
          )}
        </Loaded>
      </section>
      <section class="panel" aria-label="Affiliates">
        <header>
          <h2>Affiliates</h2>
          <CsvButton
            name="affiliates"
            columns={affiliateColumns}
            rows={affiliates.data?.items ?? []}
          />
        </header>
        <form
          class="body"
          onSubmit={(event) => {
            event.preventDefault();
            void run(promote);
          }}
        >
          <div class="row">
            <TextField
              label="Trader to promote"
              value={promoted.value}
              placeholder="0x…"
              onInput={(text) => {
                promoted.value = text;
              }}
            />
            <TextField
              label="Rate, for example 0.05"
              value={rate.value}
              onInput={(text) => {
                rate.value = text;
              }}
            />
            <button type="submit" disabled={isBusy.value}>
              Promote
            </button>
          </div>
        </form>
        <Loaded query={affiliates}>
          {({ items }) => (
            <Table
              caption="Affiliates"
              columns={affiliateColumns}
              rows={items}
              keyOf={(each) => each.address}
              empty="No affiliates yet."
            />
          )}
        </Loaded>
      </section>
      <section class="panel" aria-label="Log">
        <header>
          <h2>Log</h2>
          <CsvButton name="referral-log" columns={logColumns} rows={logs.data?.items ?? []} />
        </header>
        <Loaded query={logs}>
          {({ items }) => (
            <Table
              caption="Log"
              columns={logColumns}
              rows={items}
              keyOf={(each) => each.id}
              empty="Nothing has happened yet."
            />
          )}
        </Loaded>
      </section>
    </div>
  );
}

export function ReferralPage() {
  return (
    <main class="page" id="main">
      <h1>Referral</h1>
      {isSignedIn.value ? (
        <>
          <Standing />
          <div class="columns">
            <ClaimPanel />
            <ChainWord />
          </div>
          <People />
        </>
      ) : (
        <p>
          <button type="button" class="primary" onClick={openSignIn}>
            Sign in to see your commission
          </button>
        </p>
      )}
    </main>
  );
}
