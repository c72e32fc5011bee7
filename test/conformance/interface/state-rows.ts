import type { Part } from '../row.ts';

// States and transitions.

const synced =
  'referral-records > earnings: synced with the transaction of the batch, claimed with the time';

export const stateParts: readonly Part[] = [
  {
    id: 'transition',
    title: 'States and transitions',
    rows: [
      [
        'earning-claimed',
        'referral_earnings.status pending to claimed on the redemption event; claimed_at',
        synced,
      ],
      [
        'earning-synced',
        'chain_sync_status pending to synced when the batch succeeds; chain_sync_tx',
        synced,
      ],
      [
        'earning-failed',
        'chain_sync_status pending to failed after 3 attempts; chain_sync_error',
        'referral-records > earnings: failed after 3 attempts with the error, still unclaimed',
      ],
      [
        'claim-processing',
        'commission_claim to processing by POST claim; claimable >= minimum, none processing',
        'referral-claims > claim: BELOW_MINIMUM below 10 USDT, and 10 USDT are enough',
        'referral-claims > claim: CLAIM_ALREADY_PROCESSING comes before the others',
      ],
      [
        'claim-snapshot',
        'The order is a snapshot of all claimable earnings; the signature is returned',
        'referral-records > claim: one order covers direct and spread, spot and futures, and what',
        'referral-claims > claim: the answer, field by field',
      ],
      [
        'claim-success',
        'processing to success on the redemption event; tx_hash, finished_at; earnings claimed',
        'referral-records > claim rows: processing, then success with tx_hash and finished_at',
        synced,
      ],
      [
        'season-completed',
        'season active to completed by the snapshot worker; distribution rows in one transaction',
        'points-seasons > seasons: pending to active when the first epoch starts, completed',
        'points-seasons > snapshot: interrupted before or after any statement it is complete or absent, and taken once',
      ],
      [
        'season-states',
        'No intermediate snapshot or distributing states exist',
        'points-seasons > snapshot: interrupted before or after any statement it is complete or absent, and taken once',
      ],
      [
        'market-listed',
        'spot market to listed by POST /admin/spot/markets with an unused id; tradeable at once',
        'admin-spot > POST /admin/spot/markets: the market is listed, queryable and tradeable',
      ],
      [
        'order-filled',
        'derivatives order PARTIALLY_FILLED to FILLED where the remainder is below one lot',
        'fapi-order-rules > rule 1: a remainder below one lot closes the order out as FILLED',
      ],
      [
        'listen-key-one',
        'listen key: one active key per user, POST idempotent',
        'fapi-access > listenKey: 64 characters, one per account, the same one while it is valid',
        'listen-key-store > listen keys: the live key is issued again, by any process and after',
        'listen-key-store > listen keys: concurrent requests get one key',
      ],
      [
        'listen-key-life',
        'listen key: TTL 3600 seconds, renewed by PUT',
        'fapi-access > listenKey: lives 3600 seconds, and again after each use',
        'listen-key-store > listen keys: a key lives for 3600 seconds after its last use',
      ],
      [
        'listen-key-revoked',
        'listen key: revoked by DELETE',
        'fapi-access > listenKey: a revoked key is invalid',
        'listen-key-store > listen keys: a revoked key is invalid everywhere, and is revoked once',
      ],
    ],
  },
  {
    id: 'state',
    title: 'States without moves',
    rows: [
      [
        'claim-failed',
        'commission_claim failed: carries failure_reason',
        'referral-records > claim rows: failed with failure_reason',
      ],
      [
        'claim-retried',
        'commission_claim failed: retried by admin',
        'referral-claim-ends > retry: the same order and amount with a fresh nonce',
      ],
      [
        'season-active',
        'season pending to active',
        'points-seasons > seasons: pending to active when the first epoch starts, completed',
      ],
      [
        'market-delisted',
        'spot market delisted is terminal',
        'admin-spot > PUT status: a market can be halted and listed again, and delisting is final',
      ],
      [
        'market-halted',
        'spot market halted refuses new orders',
        'spot-orders > POST /spot/orders: 409 MARKET_HALTED and 410 MARKET_DELISTED before',
      ],
      [
        'withdrawal-expired',
        'A signed spot withdrawal can expire',
        'spot-withdrawals > withdrawals: expired only when a confirmed block is later',
      ],
      [
        'orders',
        'Other derivatives order states',
        'fapi-order-rules > rule 3: IOC at 90 is accepted and ends EXPIRED',
        'fapi-order-changes > cancel: answers the canceled order, by number or by client id',
        'futures-rules > self-trade: expire_maker',
      ],
    ],
  },
];
