import type { Part } from '../row.ts';

// Events: on chain and over WebSocket.

const settled =
  'settlement-runner > settlement: what was earned is settled in one batch, as totals';
const story =
  'claim-story > claim story: what trades earn is settled, claimed, redeemed and counted';
const synced =
  'referral-records > earnings: synced with the transaction of the batch, claimed with the time';
const defaults = 'job-intervals > intervals: settlement every 5 minutes, chain events every 30 s';
const known = "artifacts > artifacts: the service's ABI of RewardRouter is correct";
const pushed = 'ws-database > balances: a spot balance credit pushes a balance update';
const kinds = (kind: string) => `ws-vip-tier > ws: vip_tier sends vip_tier_changed of kind ${kind}`;

export const eventParts: readonly Part[] = [
  {
    id: 'chain-event',
    title: 'On-chain events and contract calls',
    rows: [
      ['batchSettleRewards', 'Backend to contract: settles pending referral earnings', settled],
      ['batchSettleRewards-synced', 'Success sets chain_sync_status = synced', settled, synced],
      ['batchSettleRewards-interval', 'every 5 minutes', defaults],
      ['redeemReward', 'redeemReward(amount, deadline, signature): user to contract', known, story],
      ['redeemReward-emits', 'The contract answers by emitting RewardRedeemed', known, story],
      ['RewardRedeemed', 'The backend listener polls every 30 seconds', defaults],
      ['RewardRedeemed-claimed', 'On observing it marks covered earnings claimed', synced],
      [
        'RewardRedeemed-success',
        'and finishes the claim order as success with the transaction hash',
        'referral-records > claim rows: processing, then success with tx_hash and finished_at',
      ],
    ],
  },
  {
    id: 'ws',
    title: 'WebSocket',
    rows: [
      [
        'auth',
        'auth message, client to server: {type: auth, listenKey}',
        'ws-private > ws: a listen key signs in if the service has listen keys',
      ],
      ['balances', 'balances (private): driven by database change notifications', pushed],
      [
        'balances-private',
        'balances is private',
        'ws-private > orders: nothing of another account is sent',
        'ws-protocol > ws: {"type":"subscribe","channel":"orders","id":3} is answered with',
      ],
      [
        'balances-decimal',
        'Decimal fields are strings',
        'ws-private > private channels: amounts are decimal texts to the last unit',
      ],
      [
        'balances-polling',
        'Replaces polling of GET /account/balances: both wallets, snapshot and changes',
        'ws-private > balances: the snapshot is followed by the changes in the database',
        'balance-feed > balance feed: a transfer is pushed for both wallets, with reserved amounts as locked',
      ],
      ['balances-credit', 'A spot balance credit also pushes a balance update', pushed],
      ['vip_tier', 'vip_tier (private): vip_tier_changed', kinds('upgrade_immediate')],
      ['upgrade_immediate', 'kind upgrade_immediate', kinds('upgrade_immediate')],
      ['downgrade_scheduled', 'kind downgrade_scheduled', kinds('downgrade_scheduled')],
      ['downgrade_applied', 'kind downgrade_applied', kinds('downgrade_applied')],
      [
        'upgrade',
        'Upgrade applies immediately',
        'update-vip-tiers > vip tiers: the trade that reaches a tier upgrades both sides at once',
      ],
      [
        'downgrade',
        'Downgrade is buffered to the next UTC 00:00',
        'update-vip-tiers > vip tiers: a downgrade is scheduled for midnight and applied then',
      ],
      [
        'orderbook',
        'orderbook: depth of 30 levels',
        'ws-orderbook > orderbook: the snapshot holds 30 levels of each side, the best ones',
        'orderbook-stream > orderbook: a client that rebuilds the book holds the engine’s best 30',
      ],
      [
        'first-snapshot',
        'The first snapshot returns promptly under high trade event rates',
        'ws-snapshot > orderbook: the first snapshot comes within 100 ms under load',
      ],
    ],
  },
];
