import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { api } from '../../api/api.ts';
import { readByNumber } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { address } from '../../feed/session.ts';
import { formatMoment, formatWhole, shortAddress } from '../../number/format.ts';
import { Pager } from '../../parts/pager.tsx';
import { type Column, CsvButton, Loaded, Table } from '../../parts/table.tsx';
import { type Season, seasonColumns } from './season-columns.tsx';

type Share = Answer<'GET /api/v1/points/seasons/:season_no/distribution'>['items'][number];

/** The season whose shares are shown. */
const shown = signal<number | null>(null);
const page = signal(1);
const pageSize = 50;

const columns: readonly Column<Season>[] = [
  {
    title: 'Season',
    cell: (each) => `${each.season_no} ${each.label}`,
    text: (each) => each.label,
  },
  ...seasonColumns,
  {
    title: 'Snapshot',
    cell: (each) => formatMoment(each.snapshot_at),
    text: (each) => each.snapshot_at,
  },
  {
    title: 'Shares',
    cell: (each) =>
      each.snapshot_taken_at === null ? (
        <span class="dim">–</span>
      ) : (
        <button
          type="button"
          class="small plain"
          onClick={() => {
            shown.value = each.season_no;
            page.value = 1;
          }}
        >
          Show
        </button>
      ),
  },
];

const shareColumns: readonly Column<Share>[] = [
  { title: 'Rank', isNumber: true, cell: ({ rank }) => rank, text: ({ rank }) => rank },
  {
    title: 'Account',
    cell: ({ user_address: whose }) => (
      <>
        <code>{shortAddress(whose)}</code>{' '}
        {whose === address.value && <span class="tag good">you</span>}
      </>
    ),
    text: ({ user_address: whose }) => whose,
  },
  {
    title: 'Pool',
    cell: ({ pool }) => (pool === 'mm' ? 'makers' : 'users'),
    text: (each) => each.pool,
  },
  {
    title: 'Points',
    isNumber: true,
    cell: ({ points }) => formatWhole(points),
    text: ({ points }) => points,
  },
  {
    title: 'Tokens',
    isNumber: true,
    cell: ({ tokens }) => tokens.toLocaleString('en'),
    text: ({ tokens }) => tokens,
  },
];

function Shares({ season }: { season: number }) {
  const query = useApi('GET /api/v1/points/seasons/:season_no/distribution', {
    params: { season_no: season },
    query: { page: page.value, page_size: pageSize },
  });
  const load = () =>
    readByNumber((each) =>
      api.call('GET /api/v1/points/seasons/:season_no/distribution', {
        params: { season_no: season },
        query: each,
      }),
    );
  return (
    <section class="panel" aria-label="Shares">
      <header>
        <h2>Shares of season {season}</h2>
        <CsvButton
          name={`season-${season}-shares`}
          columns={shareColumns}
          rows={query.data?.items ?? []}
          load={load}
        />
      </header>
      <Loaded query={query}>
        {({ items, total }) => (
          <>
            <Table
              caption={`Shares of season ${season}`}
              columns={shareColumns}
              rows={items}
              keyOf={({ rank }) => rank}
              empty="Nobody had points in this season."
            />
            <Pager page={page} pageSize={pageSize} total={total} />
          </>
        )}
      </Loaded>
    </section>
  );
}

/** The seasons with their pools, and how a finished one was shared out. */
export function Seasons() {
  const seasons = useApi('GET /api/v1/points/seasons', {});
  return (
    <>
      <section class="panel" aria-label="Seasons">
        <header>
          <h2>Seasons</h2>
          <CsvButton name="seasons" columns={columns} rows={seasons.data ?? []} />
        </header>
        <Loaded query={seasons}>
          {(rows) => (
            <Table
              caption="Seasons"
              columns={columns}
              rows={rows}
              keyOf={(each) => each.season_no}
              empty="There is no season yet."
            />
          )}
        </Loaded>
      </section>
      {shown.value !== null && <Shares season={shown.value} />}
    </>
  );
}
