import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { useApi } from '../api/query.ts';
import { address, isSignedIn } from '../feed/session.ts';
import { formatMoment, formatWhole, shortAddress } from '../number/format.ts';
import { AwaitedCards, Cards } from '../parts/cards.tsx';
import { SelectField } from '../parts/number-field.tsx';
import { type Column, CsvButton, Loaded, Table } from '../parts/table.tsx';

type Entry = Answer<'GET /api/v1/points/leaderboard'>['entries'][number];
type Season = Answer<'GET /api/v1/points/seasons'>[number];
type Level = Answer<'GET /api/v1/points/earn-level-config'>[number];

const kinds = ['total', 'trading', 'pnl', 'holding', 'referral', 'staking'] as const;
const kind = signal<(typeof kinds)[number]>('total');

const columns: readonly Column<Entry>[] = [
  { title: 'Rank', isNumber: true, cell: ({ rank }) => rank, text: ({ rank }) => rank },
  {
    title: 'Account',
    cell: ({ user_address: whose, username }) => (
      <>
        <code>{username ?? shortAddress(whose)}</code>{' '}
        {whose === address.value && <span class="tag good">you</span>}
      </>
    ),
    text: ({ user_address: whose }) => whose,
  },
  {
    title: 'Points',
    isNumber: true,
    cell: ({ points }) => formatWhole(points),
    text: ({ points }) => points,
  },
  { title: 'Tier', cell: ({ tier }) => tier, text: ({ tier }) => tier },
];

const seasonColumns: readonly Column<Season>[] = [
  {
    title: 'Season',
    cell: (each) => `${each.season_no} ${each.label}`,
    text: (each) => each.label,
  },
  {
    title: 'Epochs',
    cell: (each) => `${each.start_epoch} – ${each.end_epoch}`,
    text: (each) => `${each.start_epoch}-${each.end_epoch}`,
  },
  {
    title: 'Pool',
    isNumber: true,
    cell: (each) => each.user_pool_tokens.toLocaleString('en'),
    text: (each) => each.user_pool_tokens,
  },
  {
    title: 'Makers’ pool',
    isNumber: true,
    cell: (each) => each.mm_pool_tokens.toLocaleString('en'),
    text: (each) => each.mm_pool_tokens,
  },
  {
    title: 'State',
    cell: (each) => <span class="tag">{each.status}</span>,
    text: (each) => each.status,
  },
  {
    title: 'Snapshot',
    cell: (each) => formatMoment(each.snapshot_at),
    text: (each) => each.snapshot_at,
  },
];

const levelColumns: readonly Column<Level>[] = [
  { title: 'Level', cell: ({ level }) => level },
  { title: 'From', isNumber: true, cell: (each) => each.points_min.toLocaleString('en') },
  {
    title: 'To',
    isNumber: true,
    cell: (each) => each.points_max?.toLocaleString('en') ?? 'no end',
  },
  { title: 'Weight', isNumber: true, cell: ({ weight }) => weight },
];

const standingNames = (epoch: number | null): readonly string[] => [
  `Your points, epoch ${epoch ?? '…'}`,
  'Rank',
  'Tier, earn level',
  ...kinds.slice(1),
];

function OwnStanding() {
  const query = useApi('GET /api/v1/points/me', {}, { isEnabled: isSignedIn.value, every: 30_000 });
  if (!isSignedIn.value) return <p class="dim">Sign in to see where you stand.</p>;
  return (
    <Loaded query={query} waiting={<AwaitedCards names={standingNames(null)} />}>
      {({ points, rank, tier, earn_level: level, epoch_number: epoch }) => {
        const figures = [
          formatWhole(points.total),
          rank ?? 'not ranked yet',
          `${tier ?? '–'}, level ${level}`,
          ...kinds.slice(1).map((name) => formatWhole(points[name as 'trading'])),
        ];
        return (
          <Cards figures={standingNames(epoch).map((name, index) => [name, figures[index]])} />
        );
      }}
    </Loaded>
  );
}

function Board() {
  const query = useApi(
    'GET /api/v1/points/leaderboard',
    { query: { type_: kind.value, limit: 100 } },
    { every: 30_000 },
  );
  return (
    <section class="panel" aria-label="Leaderboard">
      <header>
        <h2>Leaderboard</h2>
        <span class="row">
          <SelectField
            label="Kind of points"
            value={kind.value}
            options={kinds.map((value) => ({ value, text: value }))}
            onChange={(value) => {
              kind.value = value;
            }}
          />
          <CsvButton
            name={`leaderboard-${kind.value}`}
            columns={columns}
            rows={query.data?.entries ?? []}
          />
        </span>
      </header>
      <Loaded query={query}>
        {({ entries, total, updated_at: at }) => (
          <>
            <Table
              caption="Leaderboard"
              columns={columns}
              rows={entries}
              keyOf={({ rank }) => rank}
              empty="Nobody has points yet. Trading earns them."
            />
            <p class="dim small-text list-end">
              {entries.length} of {total}, as of {formatMoment(at)}
            </p>
          </>
        )}
      </Loaded>
    </section>
  );
}

export function PointsPage() {
  const seasons = useApi('GET /api/v1/points/seasons', {});
  const levels = useApi('GET /api/v1/points/earn-level-config', {});
  return (
    <main class="page" id="main">
      <h1>Points</h1>
      <OwnStanding />
      <div class="columns">
        <Board />
        <section class="panel" aria-label="Seasons">
          <header>
            <h2>Seasons</h2>
            <CsvButton name="seasons" columns={seasonColumns} rows={seasons.data ?? []} />
          </header>
          <Loaded query={seasons}>
            {(rows) => (
              <Table
                caption="Seasons"
                columns={seasonColumns}
                rows={rows}
                keyOf={(each) => each.season_no}
                empty="There is no season yet."
              />
            )}
          </Loaded>
        </section>
        <section class="panel" aria-label="Earn levels">
          <header>
            <h2>Earn levels</h2>
          </header>
          <Loaded query={levels}>
            {(rows) => (
              <Table
                caption="Earn levels"
                columns={levelColumns}
                rows={rows}
                keyOf={({ level }) => level}
                empty="No levels."
              />
            )}
          </Loaded>
        </section>
      </div>
    </main>
  );
}
