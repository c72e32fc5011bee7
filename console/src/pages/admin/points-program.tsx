import type { Answer } from '@openbourse/client';
import { api } from '../../api/api.ts';
import { refresh, useApi } from '../../api/query.ts';
import { formatMoment } from '../../number/format.ts';
import { ListPanel } from '../../parts/list-panel.tsx';
import type { Column } from '../../parts/table.tsx';
import { type Season, seasonColumns } from '../points/season-columns.tsx';
import { Form, fillForm, get } from './operator-form.tsx';
import { PointsCredit } from './points-credit.tsx';
import { write } from './write.ts';

type Level = Answer<'GET /api/v1/points/earn-level-config'>[number];

const columns: readonly Column<Season>[] = [
  { title: 'Season', cell: (each) => each.season_no, text: (each) => each.season_no },
  { title: 'Label', cell: (each) => each.label, text: (each) => each.label },
  ...seasonColumns,
  { title: 'Snapshot', cell: (each) => formatMoment(each.snapshot_taken_at ?? each.snapshot_at) },
  {
    title: '',
    isNumber: true,
    cell: (each) =>
      each.status !== 'completed' && (
        <button type="button" class="small" onClick={() => takeSeason(each)}>
          Change
        </button>
      ),
  },
];

function takeSeason(season: Season): void {
  fillForm({
    'season-no': String(season.season_no),
    'season-label': season.label,
    'season-start': String(season.start_epoch),
    'season-end': String(season.end_epoch),
    'season-pool': String(season.user_pool_tokens),
    'season-maker-pool': String(season.mm_pool_tokens),
    'season-snapshot': season.snapshot_at ?? '',
    'season-distribution': season.distribution_at ?? '',
  });
}

const seasonFields = [
  ['season-no', 'Number'],
  ['season-label', 'Label'],
  ['season-start', 'First epoch'],
  ['season-end', 'Last epoch'],
  ['season-pool', 'User pool, tokens'],
  ['season-maker-pool', 'Market maker pool, tokens'],
  ['season-snapshot', 'Snapshot time, ISO 8601; empty: at the end'],
  ['season-distribution', 'Distribution time, ISO 8601'],
] as const;

function seasonBody() {
  return {
    label: get('season-label'),
    start_epoch: Number(get('season-start')),
    end_epoch: Number(get('season-end')),
    user_pool_tokens: Number(get('season-pool')),
    mm_pool_tokens: Number(get('season-maker-pool')),
    snapshot_at: get('season-snapshot') === '' ? null : get('season-snapshot'),
    distribution_at: get('season-distribution') === '' ? null : get('season-distribution'),
  };
}

async function putSeason(seasons: readonly Season[]): Promise<void> {
  const no = Number(get('season-no'));
  const isKnown = seasons.some((each) => each.season_no === no);
  await write(`${isKnown ? 'Change' : 'Create'} season ${no}.`, () =>
    isKnown
      ? api.call('PUT /api/v1/admin/points/seasons/:season_no', {
          params: { season_no: no },
          body: seasonBody(),
        })
      : api.call('POST /api/v1/admin/points/seasons', { body: { season_no: no, ...seasonBody() } }),
  );
  refresh('GET /api/v1/points/seasons');
}

const levelFields = [0, 1, 2, 3, 4, 5].flatMap((level) => [
  ...(level === 0 ? [] : [[`level-${level}-from`, `Level ${level} from`] as const]),
  [`level-${level}-weight`, `Weight of level ${level}`] as const,
]);

function takeLevels(levels: readonly Level[]): void {
  fillForm(
    Object.fromEntries(
      levels.flatMap(({ level, points_min: from, weight }) => [
        [`level-${level}-from`, String(from)],
        [`level-${level}-weight`, String(weight)],
      ]),
    ),
  );
}

/** Sends all six levels at once, each ending where the next begins. */
async function putLevels(): Promise<void> {
  const from = (level: number): number => (level === 0 ? 0 : Number(get(`level-${level}-from`)));
  const levels = [0, 1, 2, 3, 4, 5].map((level) => ({
    level,
    points_min: from(level),
    points_max: level === 5 ? null : from(level + 1) - 1,
    weight: Number(get(`level-${level}-weight`)),
  }));
  await write('Change all earn levels.', () =>
    api.call('PUT /api/v1/admin/points/earn-level-config', { body: { levels } }),
  );
  refresh('GET /api/v1/points/earn-level-config');
}

/** Seasons, earn levels and credits of the points program. */
export function PointsProgram() {
  const seasons = useApi('GET /api/v1/points/seasons', {});
  const levels = useApi('GET /api/v1/points/earn-level-config', {});
  return (
    <>
      <ListPanel
        title="Seasons"
        name="seasons"
        query={seasons}
        rowsOf={(rows) => rows}
        columns={columns}
        keyOf={(each) => each.season_no}
        empty="No seasons yet. Create one below."
      />
      <Form
        title="Create or change a season"
        names={seasonFields}
        action="Save the season"
        onSubmit={() => putSeason(seasons.data ?? [])}
      />
      <Form
        title="Earn levels"
        names={levelFields}
        action="Save all levels"
        onSubmit={putLevels}
        tools={
          <button type="button" class="small" onClick={() => takeLevels(levels.data ?? [])}>
            Fill in the current values
          </button>
        }
      />
      <PointsCredit />
    </>
  );
}
