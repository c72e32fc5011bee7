import type { Part } from '../row.ts';

// The resources of referral, field by field.

const synced =
  'referral-records > earnings: synced with the transaction of the batch, claimed with the time';
const failed =
  'referral-records > earnings: failed after 3 attempts with the error, still unclaimed';
const records =
  'referral-records > earnings: maker fee and taker fee of a trade are a record each, fee times';
const allKinds =
  'referral-records > claim: one order covers direct and spread, spot and futures, and what comes';
const claimRow = 'referral-records > claim rows: processing, then success with tx_hash';
const failedRow = 'referral-records > claim rows: failed with failure_reason';
const lines = 'referral-records > traders: spot and futures apart, total_commission their sum';
const activity = 'referral-records > traders: active if the last trade is within 7 days';
const sums = 'referral-sums > traders: fee value and synced commission of maker and taker';
const spread = 'referral-records > affiliates: spread of spot and futures apart, and their sum';
const promoted =
  'referral-affiliates > affiliates: promotion turns a direct trader into an affiliate';
const preview = 'referral-claims > preview: claimable is synced and unclaimed, pending is unsynced';
const listed = 'referral-claims > claims: the fields while processing, and when redeemed';
const failedClaim = 'referral-claim-ends > failed: SIGNATURE_EXPIRED by a confirmed block later';
const created = 'referral-claims > claim: the answer, field by field';
const nonce = 'referral-records > claim: nonce is that of the chain and increments after each';
const signed =
  'referral-claim-ends > claim-signature: signs every positive amount, without an order or a check of the balance';
const typedData = 'typed-data > typedData: both structs hash as EIP-712 says';
const rebate = 'referral-on-chain > user-rebate: claimed is the raw value divided by 10^6';
const noRebate = 'referral-on-chain > user-rebate: an unknown user has an empty code and the zero';
const info = 'referral-on-chain > referral-info: discount and reward add up to the total';
const claimed = 'referral-on-chain > claimed: address and amount';
const operator =
  'referral-on-chain > operator-status: the signer, whether the contract accepts it, the register';

export const referralResourceParts: readonly Part[] = [
  {
    id: 'earning',
    title: 'referral_earnings row',
    rows: [
      ['commission', 'Commission amount of the record', records],
      ['status', 'Claim lifecycle: pending, claimed', synced],
      ['claimed_at', 'Recorded when the redemption event is observed', synced],
      ['chain_sync_status', 'On-chain settlement sync: pending, synced, failed', synced, failed],
      ['chain_sync_tx', 'Transaction reference recorded on successful sync', synced],
      ['chain_sync_error', 'Error text recorded when sync failed', failed],
      ['independent', 'The two status columns are independent', synced, failed],
      ['types', 'Earnings are of direct or of spread type', allKinds],
      [
        'lines',
        'Business lines are spot and futures',
        records,
        'futures-projections > futures: fees earn commission by the same rule as spot',
      ],
    ],
  },
  {
    id: 'claim-row',
    title: 'commission_claims row',
    rows: [
      ['claim_no', 'Claim order number, prefix CLM-', claimRow],
      ['amount', 'Claim amount in USDT', claimRow],
      ['status', 'processing or success; failed claims also exist', claimRow, failedRow],
      ['tx_hash', 'On-chain redeem transaction hash, set on success', claimRow],
      ['finished_at', 'Set when redeem is confirmed', claimRow],
      ['applied_at', 'Creation time of the order', claimRow],
      ['failure_reason', 'Failure detail on failed claims', failedRow],
    ],
  },
  {
    id: 'trader',
    title: 'Trader item',
    rows: [
      ['address', 'string: trader wallet address', lines],
      ['bound_at', 'string: ISO 8601 time the trader bound to the referrer', lines],
      ['spot_volume', 'string: aggregated fee value of spot', lines, sums],
      ['futures_volume', 'string: aggregated fee value of futures', lines],
      ['spot_commission', 'string: synced commission of spot', lines, sums],
      ['futures_commission', 'string: synced commission of futures', lines],
      ['total_commission', 'string: spot_commission + futures_commission', lines],
      [
        'last_trade_at',
        'string or null: most recent earning-generating trade',
        lines,
        'referral-sums > time: with q and paging the sums stay those of the trader',
      ],
      ['status', 'active if last trade within 7 days, else inactive', activity],
      ['items', 'List envelope: items (array)', sums],
      ['total', 'List envelope: total (int64)', promoted],
      ['page', 'List envelope: page (int)', 'referral-access > referral: a new account sees'],
      [
        'page_size',
        'List envelope: page_size (int)',
        'referral-access > referral: a new account sees zeros and empty lists everywhere',
      ],
    ],
  },
  {
    id: 'affiliate',
    title: 'Affiliate item',
    rows: [
      ['address', 'string: affiliate wallet address', promoted],
      ['sub_rate', 'string: rate passed down to the affiliate', promoted],
      [
        'spread_rate',
        'string: my_rebate_rate minus sub_rate, floored at 0',
        "referral-records > affiliates: spread_rate is the parent's rate less sub_rate, and never below 0",
      ],
      ['direct_traders_count', "int64: the affiliate's own direct traders", promoted],
      ['team_volume', 'string: fee value of the team (spread-type earnings)', spread],
      ['spot_spread_commission', 'string: synced spread commission of spot', spread],
      ['futures_spread_commission', 'string: synced spread commission of futures', spread],
      ['total_spread_commission', 'string: sum of the two', spread],
      ['status', 'string: currently always active', promoted],
    ],
  },
  {
    id: 'preview',
    title: 'Claim preview',
    rows: [
      ['claimable', 'Sum of commission that is synced and pending', preview],
      ['pending', 'Commission with chain_sync_status = pending', preview],
      [
        'last_claimed_at',
        'string or null: finish time of the latest successful claim',
        preview,
        'referral-records > preview: last_claimed_at is the finish time of the latest successful',
      ],
      ['claim_wallet', 'Wallet the claim would pay to: the authenticated address', preview],
    ],
  },
  {
    id: 'claim-item',
    title: 'Claim list item',
    rows: [
      ['claim_no', 'string', listed],
      ['amount', 'string (USDT decimal)', listed],
      ['status', 'string: processing / success', listed],
      ['tx_hash', 'string or null', listed],
      ['failure_reason', 'string or null', listed, failedClaim],
      ['applied_at', 'string (time)', listed],
      ['finished_at', 'string or null', listed],
    ],
  },
  {
    id: 'create-claim',
    title: 'Create-claim response',
    rows: [
      ['success', 'bool: order created', created],
      ['claim_no', 'string: order number, CLM- prefix', created],
      ['status', 'string: always processing', created],
      ['amount', 'string: integer in 6-decimal precision (amount x 10^6)', created],
      ['nonce', "uint64: the user's on-chain reward nonce; increments after each redeem", nonce],
      ['deadline', 'uint64: Unix seconds, 1 hour after issuance', created],
      ['signature', 'string: backend-generated EIP-712 signature (hex)', created, typedData],
      ['contract_address', 'string: reward-router contract address', created],
      [
        'message',
        'string: fixed human-readable instruction to call redeemReward',
        'referral-records > claim: message is fixed and says to call redeemReward',
      ],
    ],
  },
  {
    id: 'claim-signature',
    title: 'Claim-signature response',
    rows: [
      ['amount', 'string: x10^6 integer', signed],
      ['nonce', 'uint64', signed, nonce],
      ['deadline', 'uint64: Unix seconds', signed],
      ['signature', 'string', signed],
      ['contract_address', 'string', signed],
    ],
  },
  {
    id: 'user-rebate',
    title: 'On-chain user rebate info',
    rows: [
      ['address', 'string: lowercase user address', noRebate],
      ['claimed_usd', 'string: raw value divided by 10^6, decimal', rebate],
      ['nonce', 'uint64: current claim nonce', rebate],
      ['referral_code', 'string: bound code; empty when none', rebate, noRebate],
      ['referrer', 'string: referrer address; zero address when none', rebate, noRebate],
      ['tier_level', 'uint8: 0 = Starter up to 4 = Diamond', rebate],
      ['tier_name', 'string: tier name', rebate],
    ],
  },
  {
    id: 'referral-info',
    title: 'On-chain trader referral info',
    rows: [
      ['address', 'string', info],
      [
        'code',
        'string, bytes32 decoded',
        info,
        'register-mirror > mirror: codes, bindings and terms',
      ],
      ['referrer', 'string', info],
      ['total_rebate_bps', 'uint16, 1 bps = 0.01%', info],
      ['trader_discount_bps', 'uint16', info],
      ['affiliate_reward_bps', 'uint16', info],
    ],
  },
  {
    id: 'claimed-amount',
    title: 'On-chain claimed amount',
    rows: [
      ['address', 'string', claimed],
      ['claimed_usd', 'string: USDT decimal converted from the 6-decimal on-chain value', claimed],
    ],
  },
  {
    id: 'operator-status',
    title: 'Operator status',
    rows: [
      ['operator_address', 'string: backend signer address', operator],
      ['is_operator', "bool: whether it is the contract's authorization signer", operator],
      [
        'is_operator-false',
        'false means batch settlement and claim signatures fail',
        'referral-on-chain > operator-status: is_operator is false if the contract has a different operator',
        'chain-service > chain: signing is off while the contract has a different operator',
        'settlement-runner > settlement: a paused contract, a different operator or an empty pool uses no attempt',
      ],
      ['contract_address', 'string: the referral-rebate contract', operator],
    ],
  },
];
