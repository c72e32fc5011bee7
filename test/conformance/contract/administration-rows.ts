import type { Part } from '../row.ts';

// Administration.

const status =
  'admin-spot > PUT status: a market can be halted and listed again, and delisting is final';
const unknown = 'admin-spot > PUT status: unknown statuses and markets';
const created = 'admin-futures > create: listed and tradeable at once; a second one is 409';
const users = 'derivatives-fees > is_market_maker: is stored; every write leaves an audit row';
const credits =
  'points-admin > credits: the same reference twice counts once; the write is audited';
const access = (call: string) =>
  `points-admin > ${call}: accepts the administrator key and nothing`;

export const administrationParts: readonly Part[] = [
  {
    id: 'administration',
    title: 'Administration',
    rows: [
      [
        'key',
        'Wrong or missing key 401 UNAUTHORIZED',
        'admin-spot > administration: a wrong or missing key is 401 UNAUTHORIZED, a token does',
        access('POST points/credits'),
        'admin-futures > create: a wrong or missing key is 401 UNAUTHORIZED',
      ],
      [
        'audit',
        'Every admin write leaves an audit row',
        'admin-spot > administration: each write that changed something left one audit row',
        'admin-futures > every write of the administration leaves an audit row',
        'referral-affiliates > agents: accepts the administrator key and nothing else; the write is audited',
        'referral-claim-ends > retry: leaves an audit row',
        'perp-withdrawals > pause: of the administrator only, with an audit row, and strictly',
        'points-admin > PUT :level: changes the given fields, records when and by whom, and leaves an audit row',
        credits,
        users,
      ],
      ['status', 'PUT spot/markets/:id/status: listed, halted, delisted', status],
      ['status-delisted', 'Delisting cancels the resting orders and is final', status],
      ['INVALID_STATUS', 'else 400 INVALID_STATUS', status, unknown],
      ['MARKET_NOT_FOUND', '404 MARKET_NOT_FOUND', unknown],
      ['status-again', 'A second identical call is {ok: true}', status],
      ['futures', 'POST admin/futures/markets', created],
      [
        'futures-status',
        'PUT admin/futures/markets/:symbol/status',
        'admin-futures > status: halted and back, then delisted permanently; the same again is ok',
        'admin-futures > status: unknown words are 400 INVALID_STATUS, unknown markets 404',
      ],
      [
        'futures-delisting',
        'Delisting a perpetual: settlement_price where the index has too few samples; effective_at',
        'admin-futures > status: a delisting without enough index prices needs a settlement_price',
      ],
      [
        'index-price',
        'PUT admin/futures/markets/:symbol/index-price',
        'admin-futures > index-price: is the market price at once, in any letter case',
      ],
      [
        'insurance',
        'POST admin/futures/insurance: amount, source fees or treasury',
        'insurance-fund > insurance: from the treasury and from fees; the fund is public, bad debt is for administrators',
        'insurance-fund > insurance: the same reference counts once, and each top-up leaves',
      ],
      [
        'hold',
        'Withdrawals of perp wallets are held back where an audit finds a broken rule',
        'audits > audit: a snapshot with a planted fault holds withdrawals back',
        'insurance-fund > hold: an administrator holds withdrawals and releases them',
      ],
      [
        'pause',
        'PUT admin/withdrawals/pause: paused',
        'perp-withdrawals > pause: 503 WITHDRAWALS_PAUSED on request only',
      ],
      ['users', 'PUT admin/users/:address: is_market_maker', users],
      [
        'vip_override',
        'vip_override acts, and pushes, at once',
        'derivatives-fees > vip_override: applies at once, in either direction, and null removes it',
        'derivatives-fees > vip_override: is published on the vip_tier feed',
      ],
      [
        'seasons',
        'POST admin/points/seasons, PUT :season_no',
        'points-seasons > seasons: none is an empty array; a created one has every field',
        'points-seasons > PUT seasons: sets the given fields; 404 SEASON_NOT_FOUND; 409 SEASON_COMPLETED',
      ],
      [
        'earn-level',
        'PUT admin/points/earn-level-config/:level; rows stay gapless',
        'points-admin > PUT :level: changes the given fields, records when and by whom, and leaves an audit row',
        'points-admin > PUT 2 {"points_min":10001}: the rows must stay gapless',
      ],
      [
        'earn-levels',
        'PUT admin/points/earn-level-config: all six rows at once',
        'points-admin > PUT: all six rows at once move boundaries',
      ],
      ['credits', 'POST admin/points/credits: the same reference twice counts once', credits],
      [
        'reference',
        'POST admin/spot/balances/credit takes an optional reference',
        'admin-spot > credit: the same reference counts once',
      ],
      [
        'mainnet',
        'TESTNET_ONLY=true on chain id 1 refuses to start',
        'config > fault 4: TESTNET_ONLY=true prevents the start on chain id 1, which is no listed test network',
      ],
    ],
  },
];
