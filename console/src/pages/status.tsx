import { useEffect, useState } from 'preact/hooks';
import { clockOffsetMs, link, roundTripMs } from '../api/api.ts';
import { useApi } from '../api/query.ts';
import { now } from '../feed/clock.ts';
import { formatMoment, formatOwnClock } from '../number/format.ts';
import { ChainLink } from '../parts/chain-link.tsx';
import { type Column, CsvButton, Loaded, Table } from '../parts/table.tsx';
import * as texts from '../text/en/pages.ts';

// Shows /readyz without signing in: read every 5 s, every 30 s while the page is hidden, and at
// once when it is shown again.

const shownMs = 5_000;
const hiddenMs = 30_000;

interface Part {
  readonly name: string;
  readonly state: string;
  /** When the process first saw the state; null for a job. */
  readonly since: string | null;
  readonly note: string;
}

interface Readiness {
  readonly status: string;
  readonly parts: readonly Part[];
  readonly readAt: number;
  /** The process answers, whatever its parts are doing. */
  readonly isAlive: boolean;
}

function partsOf(body: Readonly<Record<string, unknown>>): readonly Part[] {
  return Object.entries(body).flatMap(([name, value]) => {
    if (typeof value !== 'object' || value === null) return [];
    const fields = value as Readonly<Record<string, unknown>>;
    const { state, since, last_success_age_s: ages, ...rest } = fields;
    const own = {
      name,
      state: String(state),
      since: typeof since === 'string' ? since : null,
      note: Object.values(rest)
        .filter((each) => typeof each === 'string')
        .join(', '),
    };
    const jobs = Object.entries((ages ?? {}) as Record<string, number | null>).map(
      ([job, age]) => ({
        name: texts.job(job),
        state: age === null ? texts.neverRan : 'ran',
        since: null,
        note: age === null ? '' : texts.secondsAgo(age),
      }),
    );
    return [own, ...jobs];
  });
}

/** Null: the service is out of reach. */
async function readReadiness(): Promise<Readiness | null> {
  try {
    const [reply, health] = await Promise.all([fetch('/readyz'), fetch('/healthz')]);
    const body = (await reply.json()) as Readonly<Record<string, unknown>>;
    return {
      status: typeof body['status'] === 'string' ? body['status'] : String(reply.status),
      parts: partsOf(body),
      readAt: Date.now(),
      isAlive: health.ok,
    };
  } catch {
    return null;
  }
}

interface Watched {
  /** The newest answer; null: there has been none. */
  readonly known: Readiness | null;
  /** Undefined: the first answer is awaited. */
  readonly isReached?: boolean;
}

function useReadiness(): Watched {
  const [watched, setWatched] = useState<Watched>({ known: null });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const read = async (): Promise<void> => {
      clearTimeout(timer);
      const next = await readReadiness();
      if (isOver) return;
      setWatched(({ known }) => ({ known: next ?? known, isReached: next !== null }));
      clearTimeout(timer);
      timer = setTimeout(() => void read(), document.hidden ? hiddenMs : shownMs);
    };
    const onVisibility = (): void => {
      if (!document.hidden) void read();
    };
    void read();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, []);
  return watched;
}

const columns: readonly Column<Part>[] = [
  { title: texts.part, cell: ({ name }) => name, text: ({ name }) => name },
  {
    title: texts.state,
    cell: ({ state }) => (
      <span class={`tag ${['ready', 'ran'].includes(state) ? 'good' : 'warn'}`}>{state}</span>
    ),
    text: ({ state }) => state,
  },
  {
    title: texts.since,
    cell: ({ since }) => (since === null ? '' : formatMoment(since)),
    text: ({ since }) => since,
  },
  { title: texts.note, cell: ({ note }) => note, text: ({ note }) => note },
];

/** As wide as an address. */
const addressSpace = `0x${'·'.repeat(40)}`;

const noContracts = {
  reward_router: null,
  referral_rebate: null,
  spot_vault: null,
  usdt: null,
  df: null,
};

function Facts({ chainId, contracts, absent }: FactsProps) {
  return (
    <dl class="pairs" aria-busy={chainId === null}>
      <dt>{texts.chain}</dt>
      <dd>{chainId ?? '…'}</dd>
      {Object.entries(contracts).map(([name, address]) => (
        <>
          <dt key={name}>{texts.contractNames[name] ?? name}</dt>
          <dd>
            {address === null ? <code>{absent}</code> : <ChainLink to="address" value={address} />}
          </dd>
        </>
      ))}
    </dl>
  );
}

interface FactsProps {
  readonly chainId: number | null;
  readonly contracts: Readonly<Record<string, string | null>>;
  /** Shown in the place of an address that is not there. */
  readonly absent: string;
}

function ChainFacts() {
  const query = useApi('GET /api/v1/chain/info', {}, { every: 30_000 });
  return (
    <Loaded
      query={query}
      waiting={<Facts chainId={null} contracts={noContracts} absent={addressSpace} />}
    >
      {({ chain_id: chainId, contracts }) => (
        <Facts chainId={chainId} contracts={contracts} absent={texts.notReached} />
      )}
    </Loaded>
  );
}

export function StatusPage() {
  const { known, isReached } = useReadiness();
  const age =
    known === null
      ? 0
      : Math.max(0, Math.round((now.value - clockOffsetMs.value - known.readAt) / 1000));
  const isLost = isReached === false;
  const shown = (text: string | null | undefined): string =>
    isLost ? texts.outOfReach : (text ?? '…');
  return (
    <main class="page" id="main">
      <h1>{texts.status}</h1>
      <dl class="cards">
        <div class="figure">
          <dt>{texts.service}</dt>
          <dd>{shown(known?.status)}</dd>
        </div>
        <div class="figure">
          <dt>{texts.process}</dt>
          <dd>{shown(known && (known.isAlive ? texts.alive : texts.outOfReach))}</dd>
        </div>
        <div class="figure">
          <dt>{texts.stream}</dt>
          <dd>{link.value.kind}</dd>
        </div>
        <div class="figure">
          <dt>{texts.roundTrip}</dt>
          <dd class="varies">
            {roundTripMs.value === null ? '–' : texts.milliseconds(Math.round(roundTripMs.value))}
          </dd>
        </div>
        <div class="figure">
          <dt>{texts.clockOffset}</dt>
          <dd class="varies">{texts.milliseconds(formatOwnClock(clockOffsetMs.value))}</dd>
        </div>
        <div class="figure">
          <dt>{texts.buildOfThisPage}</dt>
          <dd class="mono varies">{__BUILD__}</dd>
        </div>
      </dl>
      <div class="columns">
        <section class="panel" aria-label={texts.chain}>
          <header>
            <h2>{texts.chainAndContracts}</h2>
          </header>
          <div class="body">
            <ChainFacts />
          </div>
        </section>
        <section class="panel" aria-label={texts.parts}>
          <header>
            <h2>{texts.partsOfTheService}</h2>
            <CsvButton name="parts" columns={columns} rows={known?.parts ?? []} />
            <span class="dim small-text varies">{texts.readAgo(age)}</span>
          </header>
          <div class={`loaded ${isLost ? 'outdated' : ''}`}>
            <Table
              caption={texts.partsOfTheService}
              columns={columns}
              rows={known?.parts ?? []}
              keyOf={({ name }) => name}
              empty={texts.nothingKnownYet}
            />
          </div>
        </section>
      </div>
    </main>
  );
}
