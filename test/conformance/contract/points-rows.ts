import type { Part } from '../row.ts';

// The points program.

const rule = (title: string) => `points > ${title}`;
const distribution = 'points-seasons > distribution: users share one pool, market makers the other';
const exact = 'points-seasons > distribution: rows follow the rule, and sum to the pools exactly';
const me = 'points-standing > me: points by type of the active epoch, rank, tier, earn level';
const order = 'points-leaderboards > entries: ordered by points, then address; ranks without ties';

export const pointsParts: readonly Part[] = [
  {
    id: 'points-rule',
    title: 'Points',
    rows: [
      [
        'epochs',
        'Epochs are weeks from a Monday, numbered from 1',
        'season > epochs: weeks from a',
      ],
      ['trading', '1 point per USDT of fee', rule('trading: 1 point per USDT of fee')],
      ['pnl', '1 per 10 USDT of positive realized profit', rule('pnl: 1 point per 10 USDT of')],
      ['holding', '1 per 1,000 USDT of average value per hour', rule('holding: 1 point per 1,000')],
      ['referral', "10 % of the referees' trading points", rule("referral: 10 % of the referees'")],
      ['staking', 'staking only by admin credit', rule('staking: trading earns nothing')],
      ['total', 'The total is their sum', me],
      ['order', 'Ordered by points, then address; ranks without ties', order],
      ['tiers', 'T1 ranks 1-10, T2 11-100, T3 below', 'season > epochTier: T1 ranks 1-10, T2'],
      [
        'daily-tier',
        "The daily entry's tier is the epoch tier, null while unranked",
        "points-leaderboards > daily: the tier is the user's epoch tier, null while unranked",
      ],
      [
        'limit',
        'limit of the epoch leaderboard is 1-1000',
        'points-leaderboards > malformed: limit=0 is 400 INVALID_PARAMETER',
        'points-leaderboards > malformed: limit=1001 is 400 INVALID_PARAMETER',
        'points-leaderboards > total: the count of entries in this response, after the limit',
      ],
      [
        'refreshed_at',
        'refreshed_at is cut to the minute',
        'points-leaderboards > daily: only what was earned since UTC 00:00;',
      ],
      [
        'season-active',
        'A season goes active when its first epoch starts',
        'season > season: goes',
      ],
      [
        'season-completed',
        'completed at snapshot_at, else when its last epoch ends',
        'points-seasons > seasons: snapshot_at decides when the snapshot is taken',
        'points-seasons > seasons: pending to active when the first epoch starts, completed',
      ],
      ['pools', 'The user pool among users, the mm pool among market makers', distribution],
      ['remainder', 'Whole tokens by largest remainder', distribution, exact],
      ['exact', 'A pool is shared out exactly', exact],
      ['me', 'GET /points/me: epoch, points by type, rank, tier, earn_level, weight', me],
      ['me-jwt', 'GET /points/me takes a JWT', 'points-standing > me: accepts a token only'],
      ['distribution', 'GET /points/seasons/:season_no/distribution (paged)', distribution],
      [
        'type_',
        'Unknown type_: 400 INVALID_PARAMETER',
        'points-leaderboards > malformed: type_=volume is 400 INVALID_PARAMETER',
      ],
    ],
  },
];
