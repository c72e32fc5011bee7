import type { Answer } from '@openbourse/client';
import { useApi } from '../../api/query.ts';
import { isSignedIn } from '../../feed/session.ts';
import { formatWhole } from '../../number/format.ts';
import { CardSkeletons, Cards } from '../../parts/cards.tsx';
import { type Column, CsvButton, Loaded, Table } from '../../parts/table.tsx';
import * as texts from '../../text/en/points.ts';
import { Board } from './board.tsx';
import { Seasons } from './seasons.tsx';

type Level = Answer<'GET /api/v1/points/earn-level-config'>[number];

const kinds = ['total', 'trading', 'pnl', 'holding', 'referral', 'staking'] as const;

const levelColumns: readonly Column<Level>[] = [
  { title: texts.level, cell: ({ level }) => level, text: ({ level }) => level },
  {
    title: texts.from,
    isNumber: true,
    cell: (each) => each.points_min.toLocaleString('en'),
    text: (each) => each.points_min,
  },
  {
    title: texts.to,
    isNumber: true,
    cell: (each) => each.points_max?.toLocaleString('en') ?? texts.noEnd,
    text: (each) => each.points_max,
  },
  {
    title: texts.weight,
    isNumber: true,
    cell: ({ weight }) => weight,
    text: ({ weight }) => weight,
  },
];

const standingNames = (epoch: number | null): readonly string[] => [
  texts.yourPointsEpoch(epoch ?? '…'),
  texts.today,
  texts.rankTierEarnLevel,
  ...kinds.slice(1).map((name) => texts.kindNames[name]),
];

function OwnStanding() {
  const query = useApi('GET /api/v1/points/me', {}, { isEnabled: isSignedIn.value, every: 30_000 });
  if (!isSignedIn.value) return <p class="dim">{texts.signInToSeeRank}</p>;
  return (
    <Loaded query={query} waiting={<CardSkeletons names={standingNames(null)} />}>
      {({ points, points_today: today, rank, tier, earn_level: level, epoch_number: epoch }) => {
        const figures = [
          formatWhole(points.total),
          formatWhole(today.total),
          `${rank ?? texts.notRankedYet}, ${tier ?? texts.noTier}, ${level}`,
          ...kinds.slice(1).map((name) => formatWhole(points[name as 'trading'])),
        ];
        return (
          <Cards figures={standingNames(epoch).map((name, index) => [name, figures[index]])} />
        );
      }}
    </Loaded>
  );
}

export function PointsPage() {
  const levels = useApi('GET /api/v1/points/earn-level-config', {});
  return (
    <main class="page" id="main">
      <h1>{texts.points}</h1>
      <OwnStanding />
      <div class="columns broad steady">
        <Board />
        <Seasons />
        <section class="panel" aria-label={texts.earnLevels}>
          <header>
            <h2>{texts.earnLevels}</h2>
            <CsvButton name="earn-levels" columns={levelColumns} rows={levels.data ?? []} />
          </header>
          <Loaded query={levels}>
            {(rows) => (
              <Table
                caption={texts.earnLevels}
                columns={levelColumns}
                rows={rows}
                keyOf={({ level }) => level}
                empty={texts.noLevels}
              />
            )}
          </Loaded>
        </section>
      </div>
    </main>
  );
}
