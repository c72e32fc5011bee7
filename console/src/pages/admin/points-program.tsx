import type { Answer } from '@openbourse/client';
import { api } from '../../api/api.ts';
import { refresh, useApi } from '../../api/query.ts';
import { formatMoment } from '../../number/format.ts';
import { ListPanel } from '../../parts/list-panel.tsx';
import type { Column } from '../../parts/table.tsx';
import * as texts from '../../text/en/admin.ts';
import { type Season, seasonColumns } from '../points/season-columns.tsx';
import { Form, fillForm, get } from './operator-form.tsx';
import { PointsCredit } from './points-credit.tsx';
import { write } from './write.ts';

type Level = Answer<'GET /api/v1/points/earn-level-config'>[number];

const columns: readonly Column<Season>[] = [
  { title: texts.season, cell: (each) => each.season_no, text: (each) => each.season_no },
  { title: texts.label, cell: (each) => each.label, text: (each) => each.label },
  ...seasonColumns,
  {
    title: texts.snapshot,
    cell: (each) => formatMoment(each.snapshot_taken_at ?? each.snapshot_at),
  },
  {
    title: '',
    cell: (each) =>
      each.status !== 'completed' && (
        <button type="button" class="small" onClick={() => takeSeason(each)}>
          {texts.change}
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
  ['season-no', texts.number],
  ['season-label', texts.label],
  ['season-start', texts.firstEpoch],
  ['season-end', texts.lastEpoch],
  ['season-pool', texts.userPoolTokens],
  ['season-maker-pool', texts.marketMakerPoolTokens],
  ['season-snapshot', texts.snapshotTime],
  ['season-distribution', texts.distributionTime],
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
  await write(texts.seasonAction(isKnown ? texts.change : texts.create, no), () =>
    isKnown
      ? api.call('PUT /api/v1/admin/points/seasons/:season_no', {
          params: { season_no: no },
          body: seasonBody(),
        })
      : api.call('POST /api/v1/admin/points/seasons', { body: { season_no: no, ...seasonBody() } }),
  );
  refresh('GET /api/v1/points/seasons');
}

const minimumField = (level: number): string => `level-${level}-from`;
const weightField = (level: number): string => `level-${level}-weight`;

const levelFields = [0, 1, 2, 3, 4, 5].flatMap((level) => [
  ...(level === 0 ? [] : [[minimumField(level), texts.levelMinimum(level)] as const]),
  [weightField(level), texts.weightOfLevel(level)] as const,
]);

function takeLevels(levels: readonly Level[]): void {
  fillForm(
    Object.fromEntries(
      levels.flatMap(({ level, points_min: from, weight }) => [
        [minimumField(level), String(from)],
        [weightField(level), String(weight)],
      ]),
    ),
  );
}

/** Sends all six levels at once, each ending where the next begins. */
async function putLevels(): Promise<void> {
  const from = (level: number): number => (level === 0 ? 0 : Number(get(minimumField(level))));
  const levels = [0, 1, 2, 3, 4, 5].map((level) => ({
    level,
    points_min: from(level),
    points_max: level === 5 ? null : from(level + 1) - 1,
    weight: Number(get(weightField(level))),
  }));
  await write(texts.changeEarnLevelsAction, () =>
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
        title={texts.seasons}
        name="seasons"
        query={seasons}
        rowsOf={(rows) => rows}
        columns={columns}
        keyOf={(each) => each.season_no}
        empty={texts.noSeasonsYet}
      />
      <Form
        title={texts.createOrChangeSeason}
        names={seasonFields}
        action={texts.saveSeason}
        onSubmit={() => putSeason(seasons.data ?? [])}
      />
      <Form
        title={texts.earnLevels}
        names={levelFields}
        action={texts.saveAllLevels}
        onSubmit={putLevels}
        tools={
          <button type="button" class="small" onClick={() => takeLevels(levels.data ?? [])}>
            {texts.fillInCurrentValues}
          </button>
        }
      />
      <PointsCredit />
    </>
  );
}
