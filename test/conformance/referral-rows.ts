import { type InterfacePart, row } from './row.ts';

const claimFields = /referral-claims.*claim: the answer, field by field/;
const claimList = /referral-claims.*claims: the fields while processing, and when redeemed/;
const preview = /referral-claims.*preview: claimable is synced and unclaimed/;
const story = /test\/e2e\/.*(claim|commission|demo)/;
const traderSums = /referral-sums.*traders: fee value and synced commission/;
const affiliateSums = /referral-sums.*affiliates: the team's fee value/;
const promotion = /affiliates: promotion turns a direct trader into an affiliate/;
const errorOrder = /affiliates: the errors come in the order of the table/;
const rebateInfo = /user-rebate: claimed is the raw value divided by 10\^6/;

export const referralParts: readonly InterfacePart[] = [
  {
    title: 'Referral: records',
    rows: [
      row(
        'referral_earnings commission, status, claimed_at',
        /referral-claims.*claims: the fields/,
        preview,
      ),
      row('referral_earnings chain_sync_status, chain_sync_tx', /settlement/, preview),
      row(
        'referral_earnings chain_sync_error; failed after 3 attempts',
        /failed: listed with what is missing and why/,
      ),
      row(
        'commission = trade_fee x rate; maker and taker each produce a record',
        traderSums,
        /share-fee/,
      ),
      row('claimable only when synced and pending; no off-chain credit', preview),
      row('pending earnings are settled by batchSettleRewards', /settlement-runner/, story),
      row(
        'commission_claims claim_no, amount, status, tx_hash, applied_at, finished_at',
        claimList,
      ),
      row('commission_claims failure_reason', /failed: SIGNATURE_EXPIRED/, /failed: NONCE_USED/),
    ],
  },
  {
    title: 'Referral: trader and affiliate items',
    rows: [
      row('trader address, bound_at, volumes, commissions, last_trade_at, status', traderSums),
      row('trader list: biz, time', /referral-sums.*time: bounds what is summed/),
      row('trader list: q, page, page_size, total', /referral-sums.*time: with q and paging/),
      row('affiliate address, sub_rate, spread_rate, direct_traders_count, status', promotion),
      row('affiliate team_volume and spread commissions', affiliateSums),
      row('POST affiliates', promotion),
      row(
        'PUT affiliates/:wallet',
        /sub_rate: changes; SUB_RATE_EXCEEDS_OWN before AFFILIATE_NOT_FOUND/,
      ),
      row(
        'page default 1, page_size default 20, 1-100',
        /paging of traders/,
        /paging of affiliates/,
      ),
    ],
  },
  {
    title: 'Referral: claims',
    rows: [
      row('GET claims/preview: claimable, pending, last_claimed_at, claim_wallet', preview),
      row('GET claims: items, total, page, page_size', claimList, /claims: newest first, paged/),
      row('POST claim: every field of the answer', claimFields),
      row(
        'POST claim covers all claimable earnings; the body is empty',
        /claim: the body is an empty object/,
      ),
      row('claim signature lifetime 1 hour', /claim: the deadline is an hour/),
      row('amount x 10^6', claimFields),
      row('redeemReward with the returned values, then success', story),
      row('RedeemReward typed data: name, version 1, chain, contract', /typed-data/),
      row(
        'claim-signature signs any amount without an order',
        /claim-signature: signs any positive amount/,
      ),
      row('the contract takes signatures of its operator only', /solidity|operator-status/),
      row('processing to success on the event; earnings claimed', claimList),
      row('failed claims and their retry by admin', /retry: the same order and amount/),
      row('minimum claim 10 USDT', /BELOW_MINIMUM below 10 USDT/),
    ],
  },
  {
    title: 'Referral: on-chain queries',
    rows: [
      row('user-rebate: address, claimed_usd, nonce, tier_level, tier_name', rebateInfo),
      row('user-rebate: empty code and zero address', /user-rebate: an unknown user/),
      row('referral-info', /referral-info: discount and reward add up/),
      row('claimed', /claimed: address and amount/),
      row('operator-status', /operator-status: the signer/),
      row('400 INVALID_ADDRESS', /on-chain: INVALID_ADDRESS/),
      row('500 CHAIN_ERROR', /on-chain: CHAIN_ERROR/),
    ],
  },
  {
    title: 'Referral: errors and access',
    rows: [
      row('400 SELF_ASSIGNMENT, SUB_RATE_EXCEEDS_OWN, USER_NOT_FOUND', errorOrder),
      row('400 TARGET_NOT_AGENT, TARGET_NOT_DIRECT_TRADER, ALREADY_AFFILIATE', errorOrder),
      row('404 AFFILIATE_NOT_FOUND', /AFFILIATE_NOT_FOUND/),
      row('409 CLAIM_ALREADY_PROCESSING', /CLAIM_ALREADY_PROCESSING comes before/),
      row('400 NO_CLAIMABLE', /NO_CLAIMABLE without synced/),
      row('400 BELOW_MINIMUM', /BELOW_MINIMUM below 10/),
      row('500 CLAIM_PERSIST_ERROR', /CLAIM_PERSIST_ERROR where/),
      row('500 SIGNATURE_ERROR', /SIGNATURE_ERROR while the chain is away/),
      row('400 INVALID_AMOUNT', /claim-signature: INVALID_AMOUNT/),
      row(
        'JWT on referral and claim endpoints',
        /referral: GET status without a token/,
        /claims: no token is 401/,
      ),
      row(
        'batch settle every 5 minutes, events every 30 s, 3 attempts',
        /config: an empty environment has the defaults/,
        /failed: listed with what is missing and why/,
      ),
    ],
  },
];
