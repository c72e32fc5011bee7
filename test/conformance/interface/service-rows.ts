import type { Part } from '../row.ts';

// "What the service does", the commission rule and the rules of the claim model.

const records =
  'referral-records > earnings: maker fee and taker fee of a trade are a record each, fee times';
const preview = 'referral-claims > preview: claimable is synced and unclaimed, pending is unsynced';
const claim = 'referral-claims > claim: the answer, field by field';
const redeemed = 'referral-claims > claims: the fields while processing, and when redeemed';
const traders = 'referral-sums > traders: fee value and synced commission of maker and taker';
const promoted =
  'referral-affiliates > affiliates: promotion turns a direct trader into an affiliate';

export const serviceParts: readonly Part[] = [
  {
    id: 'service',
    title: 'What the service does',
    rows: [
      ['bound', 'A trader bound to a referrer generates commission records when trading', records],
      ['lists', 'Referrers list their traders and affiliates', traders, promoted],
      ['promote', 'Referrers promote traders to affiliates', promoted],
      ['preview', 'Referrers preview commission', preview],
      ['claim', 'Referrers claim commission', claim],
      [
        'on-chain',
        'Claiming creates an order and returns a signature of the backend signer',
        claim,
      ],
      ['redeemed', "The service observes the contract's redemption event", redeemed],
      [
        'queries',
        'Public read-only endpoints read the referral contracts',
        'referral-on-chain > user-rebate: claimed is the raw value divided by 10^6',
        'referral-on-chain > referral-info: discount and reward add up to the total',
        'referral-on-chain > claimed: address and amount',
        'referral-on-chain > operator-status: the signer, whether the contract accepts it, the register',
      ],
      [
        'admin',
        'Admin-only endpoints create a spot market and credit a spot balance',
        'admin-spot > POST /admin/spot/markets: the market is listed, queryable and tradeable',
        'admin-spot > credit: the balance row and the audit row are committed',
      ],
      [
        'testnet',
        'Crediting a spot balance is for testnets only',
        'admin-spot > credit: 404 DISABLED where TESTNET_ONLY is not exactly true',
      ],
      [
        'points',
        'Public endpoints for epoch leaderboard, daily leaderboard, seasons, earn levels',
        'points-leaderboards > entries: ordered by points, then address',
        'points-leaderboards > daily: only what was earned since UTC 00:00',
        'points-seasons > seasons: none is an empty array; a created one has every field',
        'points-admin > earn-level-config: the default rows, never edited',
      ],
      [
        'spot',
        'Spot trading and wallet: orders, depth, ticker, transfer, withdrawal',
        'spot-orders > POST /spot/orders: a limit order rests and the answer is the order',
        'spot-market-data > GET /spot/depth: the best levels first',
        'spot-market-data > GET /spot/ticker/24hr: TICKER_NOT_FOUND until the first fill',
        'wallet-transfers > transfer: there and back, to the last unit',
        'spot-withdrawals > withdraw: locks the amount and returns what the vault requires',
      ],
      [
        'derivatives',
        'Derivatives under /fapi: error model, HMAC signatures, stream keys, WebSocket channels',
        'fapi-orders > order: the answer has every field, its quantity truncated to the lot',
        'fapi-orders > order: -1102 for each mandatory field that is missing',
        'fapi-access > auth: failures come in the envelope, before the endpoint',
        'fapi-access > listenKey: 64 characters, one per account, the same one while it is valid',
        'ws-perpetuals > ws orderbook of a perpetual',
      ],
    ],
  },
  {
    id: 'notation',
    title: 'Notation',
    rows: [
      [
        'strings',
        'Amounts and rates are decimal values carried as strings',
        promoted,
        'decimal > formatDecimal: its output parses back to the same value, without trailing zeros',
      ],
    ],
  },
  {
    id: 'commission',
    title: 'Commission rule',
    rows: [
      ['product', 'commission = trade_fee x tier_commission_rate', records],
      [
        'exact',
        'The product, to the unit of 10^-6 USDT',
        'share-fee > commissionOf: is the exact product cut to micro-USDT',
      ],
      ['each', 'Maker fee and taker fee each produce a record', records],
      [
        'referrer',
        'Only when the respective trader has a referrer',
        'share-fee > shareFee: a trader without a referrer earns no one a commission',
        "referral-sums > affiliates: the team's fee value and the spread of it",
      ],
    ],
  },
  {
    id: 'claim-model',
    title: 'Rules of the claim model',
    rows: [
      [
        'claimable',
        'Claimable only when chain_sync_status = synced AND status = pending',
        preview,
        'referral-claims > claim: NO_CLAIMABLE without synced, unclaimed commission',
      ],
      [
        'interval',
        'Pending earnings are synced every 5 minutes',
        'job-intervals > intervals: settlement every 5 minutes, chain events every 30 s',
        'job-runner > jobs: nothing runs before the interval has passed, in any process',
      ],
      [
        'batch',
        'They are synced to the reward router by a batchSettleRewards transaction',
        'settlement-runner > settlement: what was earned is settled in one batch, as totals',
      ],
      [
        'minimum',
        'The minimum claim is 10 USDT; less yields BELOW_MINIMUM',
        'referral-claims > claim: BELOW_MINIMUM below 10 USDT, and 10 USDT are enough',
      ],
      [
        'no-credit',
        'There is no off-chain instant-credit mode',
        'referral-records > claim: nothing is credited off chain, before or after the redemption',
      ],
    ],
  },
];
