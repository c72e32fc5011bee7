import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { api } from '../../api/api.ts';
import { findByNumber, readByNumber } from '../../api/pages.ts';
import { useApi } from '../../api/query.ts';
import { sayError } from '../../feed/notices.ts';
import { address } from '../../feed/session.ts';
import { formatMoment, formatWhole } from '../../number/format.ts';
import { ChainLink } from '../../parts/chain-link.tsx';
import { ListPanel } from '../../parts/list-panel.tsx';
import { Pager } from '../../parts/pager.tsx';
import { type Column, CsvButton, Loaded, Table } from '../../parts/table.tsx';
import * as texts from '../../text/en/points.ts';
import { type Season, seasonColumns } from './season-columns.tsx';

type Share = Answer<'GET /api/v1/points/seasons/:season_no/distribution'>['items'][number];

/** The season whose shares are shown. */
const shown = signal<number | null>(null);
const page = signal(1);
const pageSize = 50;

const columns: readonly Column<Season>[] = [
  {
    title: texts.season,
    cell: (each) => `${each.season_no} ${each.label}`,
    text: (each) => each.label,
  },
  ...seasonColumns,
  {
    title: texts.snapshot,
    cell: (each) => formatMoment(each.snapshot_at),
    text: (each) => each.snapshot_at,
  },
  {
    title: texts.shares,
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
          {texts.show}
        </button>
      ),
  },
];

const shareColumns: readonly Column<Share>[] = [
  { title: texts.rank, isNumber: true, cell: ({ rank }) => rank, text: ({ rank }) => rank },
  {
    title: texts.account,
    cell: ({ user_address: whose }) => (
      <>
        <ChainLink to="address" value={whose} isShort />{' '}
        {whose === address.value && <span class="tag good">{texts.you}</span>}
      </>
    ),
    text: ({ user_address: whose }) => whose,
  },
  {
    title: texts.pool,
    cell: ({ pool }) => (pool === 'mm' ? 'makers' : 'users'),
    text: (each) => each.pool,
  },
  {
    title: texts.points,
    isNumber: true,
    cell: ({ points }) => formatWhole(points),
    text: ({ points }) => points,
  },
  {
    title: texts.tokens,
    isNumber: true,
    cell: ({ tokens }) => tokens.toLocaleString('en'),
    text: ({ tokens }) => tokens,
  },
];

/** The account's own share of a season; null if it has none, or until it is found. */
function useOwnShare(season: number): Share | null {
  const whose = address.value;
  const [own, setOwn] = useState<Share | null>(null);
  useEffect(() => {
    let isOver = false;
    setOwn(null);
    if (whose !== null) {
      const name = 'GET /api/v1/points/seasons/:season_no/distribution';
      findByNumber(
        (query) => api.call(name, { params: { season_no: season }, query }),
        (each) => each.user_address === whose,
      ).then((found) => !isOver && setOwn(found), sayError);
    }
    return () => {
      isOver = true;
    };
  }, [season, whose]);
  return own;
}

function Shares({ season }: { season: number }) {
  const own = useOwnShare(season);
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
    <section class="panel" aria-label={texts.shares}>
      <header>
        <h2>{texts.sharesOfSeason(season)}</h2>
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
              caption={texts.sharesOfSeason(season)}
              columns={shareColumns}
              rows={
                own === null || items.some(({ rank }) => rank === own.rank)
                  ? items
                  : [own, ...items]
              }
              keyOf={({ rank }) => rank}
              empty={texts.nobodyHadPoints}
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
  return (
    <>
      <ListPanel
        title={texts.seasons}
        name="seasons"
        query={useApi('GET /api/v1/points/seasons', {})}
        rowsOf={(rows) => rows}
        columns={columns}
        keyOf={(each) => each.season_no}
        empty={texts.noSeasonYet}
      />
      {shown.value !== null && <Shares season={shown.value} />}
    </>
  );
}
