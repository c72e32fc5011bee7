import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { readByTotal } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { address } from '../../feed/session.ts';
import { formatMoment, formatWhole } from '../../number/format.ts';
import { ChainLink } from '../../parts/chain-link.tsx';
import { SelectField } from '../../parts/number-field.tsx';
import { SendButton } from '../../parts/send-button.tsx';
import { type Column, CsvButton, Loaded, Table } from '../../parts/table.tsx';
import * as texts from '../../text/en/points.ts';
import { foreignText } from '../../text/foreign.ts';

type Epoch = Answer<'GET /api/v1/points/epochs'>['items'][number];

interface Entry {
  /** Null: the service does not rank it. */
  readonly rank: number | null;
  readonly account: string;
  readonly username: string | null;
  readonly points: string;
  readonly tier: string | null;
}

const kinds = ['total', 'trading', 'pnl', 'holding', 'referral', 'staking'] as const;
const kind = signal<(typeof kinds)[number]>('total');
/** An epoch's number, or `today`; null: the active epoch. */
const period = signal<string | null>(null);
const page = signal(1);
const pageSize = 50;
const readMs = 30_000;

const columns: readonly Column<Entry>[] = [
  { title: texts.rank, isNumber: true, cell: ({ rank }) => rank ?? '–', text: ({ rank }) => rank },
  {
    title: texts.account,
    cell: ({ account, username }) => (
      <>
        {username === null ? (
          <ChainLink to="address" value={account} isShort />
        ) : (
          <code>{foreignText(username)}</code>
        )}{' '}
        {account === address.value && <span class="tag good">{texts.you}</span>}
      </>
    ),
    text: ({ account }) => account,
  },
  {
    title: texts.points,
    isNumber: true,
    cell: ({ points }) => formatWhole(points),
    text: ({ points }) => points,
  },
  { title: texts.tier, cell: ({ tier }) => tier ?? '–', text: ({ tier }) => tier },
];

function epochOption({ epoch_number: number, starts_at: from }: Epoch) {
  return { value: String(number), text: texts.epoch(number, from.slice(0, 10)) };
}

type DayEntry = Answer<'GET /api/v1/points/leaderboard/daily'>['entries'][number];
type EpochEntry = Answer<'GET /api/v1/points/leaderboard'>['entries'][number];

const entryOfDay = ({ rank, user_address: account, points_today: points, tier }: DayEntry) => ({
  rank,
  account,
  username: null,
  points,
  tier,
});

const entryOfEpoch = ({ rank, user_address: account, username, points, tier }: EpochEntry) => ({
  rank,
  account,
  username,
  points,
  tier,
});

/** The whole board of a day or of an epoch. */
async function loadBoard(epoch: string | undefined): Promise<readonly Entry[]> {
  if (epoch === 'today') {
    const name = 'GET /api/v1/points/leaderboard/daily';
    return (await readByTotal((query) => api.call(name, { query }))).map(entryOfDay);
  }
  const name = 'GET /api/v1/points/leaderboard';
  const terms = { type_: kind.value, epoch: Number(epoch ?? 1) };
  const entries = await readByTotal(({ limit, offset }) =>
    api.call(name, { query: { ...terms, limit, offset } }),
  );
  return entries.map(entryOfEpoch);
}

interface Ranking {
  readonly entries: readonly Entry[];
  readonly at: string;
}

function readDay({ entries, refreshed_at: at }: Answer<'GET /api/v1/points/leaderboard/daily'>) {
  return { entries: entries.map(entryOfDay), at };
}

function readEpoch({ entries, updated_at: at }: Answer<'GET /api/v1/points/leaderboard'>) {
  return { entries: entries.map(entryOfEpoch), at };
}

/** The account's own row, for periods of the active epoch. */
function useOwnEntry(isToday: boolean, isActive: boolean): Entry | null {
  const isEnabled = address.value !== null && (isToday || isActive);
  const { data } = useApi('GET /api/v1/points/me', {}, { isEnabled, every: readMs });
  if (!isEnabled || data === undefined || address.value === null) return null;
  const { points, points_today: today, rank, tier } = data;
  const isTotal = !isToday && kind.value === 'total';
  return {
    rank: isTotal ? rank : null,
    account: address.value,
    username: null,
    points: isToday ? today.total : points[kind.value],
    tier: isTotal ? tier : null,
  };
}

function Rows({ entries, at, own }: Ranking & { readonly own: Entry | null }) {
  const turn = (by: number) => (): void => {
    page.value += by;
  };
  const [first, last] = [entries[0], entries.at(-1)];
  const isShown = own === null || entries.some(({ account }) => account === own.account);
  return (
    <>
      <Table
        caption={texts.leaderboard}
        columns={columns}
        rows={isShown ? entries : [own, ...entries]}
        keyOf={({ account }) => account}
        empty={texts.nobodyHasPointsYet}
      />
      <p class="dim small-text list-end">
        {first === undefined ? texts.noRanks : texts.ranksRange(first.rank, last?.rank)}
        {texts.asOf(formatMoment(at))}{' '}
        <SendButton class="small plain" disabled={page.value === 1} onClick={turn(-1)}>
          {texts.higher}
        </SendButton>
        <SendButton class="small plain" disabled={entries.length < pageSize} onClick={turn(1)}>
          {texts.lower}
        </SendButton>
      </p>
    </>
  );
}

/** The leaderboard of an epoch or of today, page by page. */
export function Board() {
  const epochs = useApi('GET /api/v1/points/epochs', {});
  const active = epochs.data?.items[0]?.epoch_number;
  const chosen = period.value ?? (active === undefined ? undefined : String(active));
  const isToday = chosen === 'today';
  const own = useOwnEntry(isToday, chosen !== undefined && chosen === String(active));
  const query = { limit: pageSize, offset: (page.value - 1) * pageSize };
  const today = useApi(
    'GET /api/v1/points/leaderboard/daily',
    { query },
    { every: readMs, isEnabled: isToday },
  );
  const ofEpoch = useApi(
    'GET /api/v1/points/leaderboard',
    { query: { ...query, type_: kind.value, epoch: Number(chosen ?? 1) } },
    { every: readMs, isEnabled: chosen !== undefined && !isToday },
  );
  const shown = isToday
    ? today.data && readDay(today.data)
    : ofEpoch.data && readEpoch(ofEpoch.data);
  return (
    <section class="panel" aria-label={texts.leaderboard}>
      <header>
        <h2>{texts.leaderboard}</h2>
        <span class="row">
          <SelectField
            label={texts.time}
            value={chosen ?? ''}
            options={[
              { value: 'today', text: texts.today },
              ...(epochs.data?.items ?? []).map(epochOption),
            ]}
            onChange={(value) => {
              period.value = value;
              page.value = 1;
            }}
          />
          {!isToday && (
            <SelectField
              label={texts.kindOfPoints}
              value={kind.value}
              options={kinds.map((value) => ({ value, text: texts.kindNames[value] }))}
              onChange={(value) => {
                kind.value = value;
                page.value = 1;
              }}
            />
          )}
          <CsvButton
            name={`leaderboard-${isToday ? 'today' : kind.value}`}
            columns={columns}
            rows={shown?.entries ?? []}
            load={() => loadBoard(chosen)}
          />
        </span>
      </header>
      {isToday ? (
        <Loaded query={today}>{(data) => <Rows {...readDay(data)} own={own} />}</Loaded>
      ) : chosen === undefined ? (
        // Which epoch is active is not known, or none has begun.
        <Loaded query={epochs}>{() => <p class="empty">{texts.nobodyHasPointsYet}</p>}</Loaded>
      ) : (
        <Loaded query={ofEpoch}>{(data) => <Rows {...readEpoch(data)} own={own} />}</Loaded>
      )}
    </section>
  );
}
