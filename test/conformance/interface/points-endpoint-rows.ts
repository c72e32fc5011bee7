import type { Part } from '../row.ts';

// Endpoints of points.

const ranks = (type: string) => `points-leaderboards > type_: ${type} ranks by these points alone`;
const epochBoard = 'points-leaderboards > entries: ordered by points, then address; ranks without';
const defaultLimit = 'points-leaderboards > tiers and the default limit: T1 ranks 1-10, T2 11-100';
const clamps = 'points-leaderboards > daily: limit default 10, clamped to 1-50; offset pages;';
const midnight = 'points-leaderboards > midnight: the first run purges the day before; until then';
const rebuilt = 'points > leaderboards: incremental refreshes equal a rebuild from the same points';

export const pointsEndpointParts: readonly Part[] = [
  {
    id: 'points',
    title: 'Points',
    rows: [
      [
        'open',
        'No authentication; envelope',
        'points-leaderboards > envelope: success, data, error null, timestamp in Unix seconds',
      ],
      [
        'epoch',
        'GET /points/leaderboard: epoch (integer, default 1)',
        'points-leaderboards > epoch: default 1, also in a later one; each has its own points',
      ],
      [
        'type_',
        'GET /points/leaderboard: type_ (string, default total)',
        epochBoard,
        'points-leaderboards > malformed: type=total is 400 INVALID_PARAMETER',
      ],
      ['limit', 'GET /points/leaderboard: limit (integer, default 100)', defaultLimit],
      [
        'daily-epoch',
        'GET /points/leaderboard/daily: epoch (default: the active one)',
        'points-leaderboards > epoch: the active one by default; any other has nothing today',
      ],
      ['daily-limit', 'GET /points/leaderboard/daily: limit (default 10, 1-50)', clamps],
      [
        'daily-offset',
        'GET /points/leaderboard/daily: offset (default 0, min 0)',
        clamps,
        'points-leaderboards > malformed: offset=-1 is 400 INVALID_PARAMETER',
      ],
      [
        'seasons',
        'GET /points/seasons: array of seasons',
        'points-seasons > seasons: none is an empty array; a created one has every field',
      ],
      [
        'earn-levels',
        'GET /points/earn-level-config: array of earn level rows',
        'points-admin > earn-level-config: the default rows, never edited',
      ],
      ['total', 'type_ total: total points', epochBoard],
      ['trading', 'type_ trading: trading points', ranks('trading')],
      ['pnl', 'type_ pnl: PnL points', ranks('pnl')],
      ['holding', 'type_ holding: holding points', ranks('holding')],
      ['referral', 'type_ referral: referral points', ranks('referral')],
      ['staking', 'type_ staking: staking points', ranks('staking')],
      [
        'epoch-cache',
        'The epoch leaderboard is read from a periodically refreshed cache',
        epochBoard,
        'points > points: credits are in both leaderboards after the next refresh',
      ],
      [
        'daily-increment',
        "The daily leaderboard shows only today's increment since UTC 00:00",
        'points-leaderboards > daily: only what was earned since UTC 00:00;',
      ],
      [
        'daily-worker',
        'It is refreshed every 5 minutes by a background worker',
        'job-intervals > intervals: settlement every 5 minutes, chain events every 30 s',
        'points > points: credits are in both leaderboards after the next refresh',
      ],
      ['daily-incremental', 'Incremental within the day', rebuilt],
      [
        'daily-purge',
        "Full rebuild on the first run after UTC 00:00; the previous day's rows are purged",
        midnight,
      ],
      [
        'daily-empty',
        'An empty list before the first run of the day',
        'points-leaderboards > daily: empty before the first run of the day',
        midnight,
      ],
      ['daily-page', '?limit=50&offset=50 is page 2 of size 50', clamps],
    ],
  },
];
