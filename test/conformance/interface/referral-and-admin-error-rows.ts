import type { Part } from '../row.ts';

// Error codes of referral, on-chain queries and administration, endpoint by endpoint.

const promotion = 'referral-affiliates > affiliates: the errors come in the order of the table';
const subRate = 'referral-affiliates > sub_rate: changes; SUB_RATE_EXCEEDS_OWN before';
const away =
  'referral-claims > claim: SIGNATURE_ERROR while the chain is unreachable, and nothing is left behind';
const takenBack = 'referral-claims > claim: an order whose signature fails is removed';
const signatureError =
  'referral-claim-ends > claim-signature: the amount is checked before the chain is queried';
const address = 'referral-on-chain > on-chain: INVALID_ADDRESS for anything else than an address';
const chainError = 'referral-on-chain > on-chain: CHAIN_ERROR while the node does not answer';

export const referralAndAdminErrorParts: readonly Part[] = [
  {
    id: 'referral-error',
    title: 'Errors: referral and on-chain endpoints',
    rows: [
      ['SELF_ASSIGNMENT', '400, POST affiliates: promoting oneself', promotion],
      ['SUB_RATE_EXCEEDS_OWN', '400, POST affiliates: negative or above own rate', promotion],
      ['SUB_RATE_EXCEEDS_OWN-put', '400, PUT affiliates: negative or above own rate', subRate],
      ['USER_NOT_FOUND', '400, POST affiliates: wallet not a registered user', promotion],
      ['TARGET_NOT_AGENT', '400, POST affiliates: not an active tier-1 agent', promotion],
      ['TARGET_NOT_DIRECT_TRADER', '400, POST affiliates: not a direct trader', promotion],
      ['ALREADY_AFFILIATE', '400, POST affiliates: already an affiliate', promotion],
      ['AFFILIATE_NOT_FOUND', '404, PUT affiliates/:wallet: no affiliate relation', subRate],
      [
        'CLAIM_ALREADY_PROCESSING',
        '409, POST claim: a previous order is still processing',
        'referral-claims > claim: CLAIM_ALREADY_PROCESSING comes before the others',
      ],
      [
        'NO_CLAIMABLE',
        '400, POST claim: no synced, unclaimed commission',
        'referral-claims > claim: NO_CLAIMABLE without synced, unclaimed commission, for every account',
      ],
      [
        'BELOW_MINIMUM',
        '400, POST claim: claimable below 10 USDT',
        'referral-claims > claim: BELOW_MINIMUM below 10 USDT, and 10 USDT are enough',
      ],
      [
        'CLAIM_PERSIST_ERROR',
        '500, POST claim: order could not be created',
        'referral-claims > claim: CLAIM_PERSIST_ERROR if the order cannot be created',
      ],
      ['SIGNATURE_ERROR', '500, POST claim: signature generation failed', away, takenBack],
      ['SIGNATURE_ERROR-signature', '500, POST claim-signature: it failed', signatureError],
      [
        'INVALID_AMOUNT',
        '400, POST claim-signature: amount malformed or <= 0',
        'referral-claim-ends > claim-signature: INVALID_AMOUNT for what is malformed, too fine',
      ],
      ['INVALID_ADDRESS', '400, on-chain address queries: address format invalid', address],
      ['CHAIN_ERROR', '500, on-chain address queries: on-chain query failed', chainError],
      ['body', 'The HTTP status and the code', promotion, address],
    ],
  },
  {
    id: 'admin-error',
    title: 'Errors: admin',
    rows: [
      [
        'MARKET_EXISTS',
        '409: market id already exists',
        'admin-spot > POST /admin/spot/markets: an id that exists is 409 MARKET_EXISTS',
      ],
      [
        'DB_ERROR-market',
        '500: storage error during the write of a market',
        'admin-spot > POST /admin/spot/markets: with storage down 500 DB_ERROR, after',
      ],
      [
        'DB_ERROR-status',
        '500: storage error during the write of a status',
        'admin-spot > PUT status: with storage down 500 DB_ERROR and nothing changes',
      ],
      [
        'DB_ERROR-credit',
        '500: storage error during the write of a credit',
        'admin-spot > credit: with storage down 500 DB_ERROR and nothing is credited',
      ],
      [
        'DB_ERROR-others',
        '500: storage error during other writes of the administration',
        'admin-unavailable > administration: storage error on a futures market is 500 DB_ERROR',
        'admin-unavailable > administration: storage error on status is 500 DB_ERROR',
        'admin-unavailable > administration: storage error on index-price is 500 DB_ERROR',
        'admin-unavailable > administration: storage error on the pause switch is 500 DB_ERROR',
        'points-admin > credits: a database that fails is DB_ERROR, and nothing is counted',
      ],
      [
        'AMOUNT_NON_POSITIVE',
        '400: credit amount <= 0',
        'admin-spot > credit: an amount of zero or less is 400 AMOUNT_NON_POSITIVE',
      ],
      [
        'DISABLED',
        '404: credit called while TESTNET_ONLY is not exactly true',
        'admin-spot > credit: 404 DISABLED where TESTNET_ONLY is not exactly true',
      ],
      [
        'INVALID_STATUS',
        '400: status outside the allowed set',
        'admin-spot > PUT status: unknown statuses and markets',
        'admin-spot > PUT status: a market can be halted and listed again, and delisting is final',
      ],
    ],
  },
];
