import { useEffect, useState } from 'preact/hooks';
import { clockOffsetMs, link, roundTripMs } from '../api/api.ts';
import { useApi } from '../api/query.ts';
import { now } from '../feed/clock.ts';
import { formatMoment } from '../number/format.ts';
import { type Column, Loaded, Table } from '../parts/table.tsx';
import * as texts from '../text/en/pages.ts';

// Shows /readyz without signing in: read every 5 s, and every 30 s while the page is hidden.

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
        note: age === null ? '' : texts.sAgo(age),
      }),
    );
    return [own, ...jobs];
  });
}

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

function useReadiness(): Readiness | null | undefined {
  const [readiness, setReadiness] = useState<Readiness | null | undefined>(undefined);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const read = async (): Promise<void> => {
      const next = await readReadiness();
      if (isOver) return;
      setReadiness(next);
      timer = setTimeout(() => void read(), document.hidden ? 30_000 : 5_000);
    };
    void read();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, []);
  return readiness;
}

const columns: readonly Column<Part>[] = [
  { title: texts.part, cell: ({ name }) => name },
  {
    title: texts.state,
    cell: ({ state }) => (
      <span class={`tag ${['ready', 'ran'].includes(state) ? 'good' : 'warn'}`}>{state}</span>
    ),
  },
  { title: texts.since, cell: ({ since }) => (since === null ? '' : formatMoment(since)) },
  { title: texts.note, cell: ({ note }) => note },
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
            <code>{address ?? absent}</code>
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
  const readiness = useReadiness();
  const age = readiness
    ? Math.max(0, Math.round((now.value - clockOffsetMs.value - readiness.readAt) / 1000))
    : 0;
  return (
    <main class="page" id="main">
      <h1>{texts.status}</h1>
      <dl class="cards">
        <div class="figure">
          <dt>{texts.service}</dt>
          <dd>{readiness === null ? texts.outOfReach : (readiness?.status ?? '…')}</dd>
        </div>
        <div class="figure">
          <dt>{texts.process}</dt>
          <dd>
            {readiness === undefined
              ? '…'
              : readiness?.isAlive === true
                ? texts.alive
                : texts.outOfReach}
          </dd>
        </div>
        <div class="figure">
          <dt>{texts.stream}</dt>
          <dd>{link.value.kind}</dd>
        </div>
        <div class="figure">
          <dt>{texts.roundTrip}</dt>
          <dd class="varies">
            {roundTripMs.value === null ? '–' : texts.ms(Math.round(roundTripMs.value))}
          </dd>
        </div>
        <div class="figure">
          <dt>{texts.yourClockAgainstTheServices}</dt>
          <dd class="varies">{texts.ms(Math.round(clockOffsetMs.value))}</dd>
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
            <span class="dim small-text varies">{texts.readAgo(age)}</span>
          </header>
          <Table
            caption={texts.partsOfTheService}
            columns={columns}
            rows={readiness?.parts ?? []}
            keyOf={({ name }) => name}
            empty={texts.nothingIsKnownYet}
          />
        </section>
      </div>
    </main>
  );
}
