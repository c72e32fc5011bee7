import type { Part } from '../row.ts';

// The referral program.

const code =
  'referral-bindings > codes: the requested code is returned and makes an active tier-1 agent at the Starter rate';
const taken = 'referral-bindings > codes: a code of another account is CODE_TAKEN, a second one';
const bindErrors = 'referral-bindings > bind: CODE_NOT_FOUND, SELF_REFERRAL, ALREADY_BOUND';
const bound = 'referral-bindings > bind: binds to the owner of the code';
const unbound = 'referral-bindings > unbind: ends the binding; NOT_BOUND without one';
const tiers = 'referral-records > tiers: Starter, Silver, Gold, Platinum, Diamond at 0.10 to 0.30';
const terms = 'referral-affiliates > agents: a tier sets its rate, a rate keeps its tier';
const logs = 'referral-access > logs: create, bind, unbind, promote, sub_rate, newest first';
const dashboard =
  'referral-dashboard > dashboard: claimable, pending, failed and claimed commission';
const lines = 'referral-records > traders: spot and futures apart, total_commission their sum';
const spread =
  "share-fee > shareFee: an affiliate earns its sub_rate, its parent the parent's rate";
const retried = 'referral-claim-ends > retry: the same order and amount with a fresh nonce';
const retryErrors = 'referral-claim-ends > retry: CLAIM_NOT_FOUND, CLAIM_NOT_FAILED';

export const referralParts: readonly Part[] = [
  {
    id: 'referral',
    title: 'Referral: endpoints',
    rows: [
      ['tiers', 'Tiers and their default commission rates', tiers],
      ['tiers-chain', 'mirrored in the contract', 'register-mirror > mirror: codes, bindings and'],
      ['agent', 'Creating a code makes an active tier-1 agent at the Starter rate', code],
      ['agent-terms', 'An admin may set another tier, rate or status', terms],
      ['codes', 'POST codes: {ok: true, code}', code],
      [
        'codes-form',
        '4-20 of [A-Z0-9_]; 400 INVALID_CODE',
        'referral-bindings > codes: "ABC" is INVALID_CODE',
        'referral-bindings > codes: "abcd" is INVALID_CODE',
        'referral-bindings > codes: one of 4 and one of 20 letters are codes',
      ],
      [
        'codes-generated',
        'omitted: generated',
        'referral-bindings > codes: if omitted, one is generated ({})',
      ],
      ['CODE_TAKEN', '409 CODE_TAKEN', taken],
      ['CODE_ALREADY_CREATED', '409 CODE_ALREADY_CREATED', taken],
      ['bind', 'POST bind: {ok: true, referrer}', bound],
      ['CODE_NOT_FOUND', '404 CODE_NOT_FOUND', bindErrors],
      ['SELF_REFERRAL', '400 SELF_REFERRAL', bindErrors],
      ['ALREADY_BOUND', '409 ALREADY_BOUND', bindErrors],
      ['REFERRAL_CYCLE', '400 REFERRAL_CYCLE', bindErrors],
      ['unbind', 'POST unbind: {ok: true}; 409 NOT_BOUND', unbound],
      ['status', 'GET status: every field', bound],
      ['dashboard', 'GET dashboard: every field', dashboard],
      ['logs', 'GET logs: items with every field', logs],
      ['logs-type', 'type, page, page_size', 'referral-access > logs: filtered by type, and paged'],
      [
        'logs-claim',
        'type claim with amount and reference',
        'referral-claims > claims: the fields while processing, and when redeemed',
      ],
      ['agents', 'PUT admin/referral/agents/:wallet: tier_level, rebate_rate, status', terms],
      [
        'agents-unknown',
        '404 USER_NOT_FOUND',
        'referral-affiliates > agents: an address that never signed in is USER_NOT_FOUND',
      ],
      [
        'all-claims',
        'GET admin/referral/claims: all claims, failed ones included',
        'referral-claim-ends > all claims: failed ones included, by status, newest first',
      ],
      ['retry', 'POST admin/referral/claims/:claim_no/retry answers', retried],
      ['CLAIM_NOT_FOUND', '404 CLAIM_NOT_FOUND', retryErrors],
      ['CLAIM_NOT_FAILED', '409 CLAIM_NOT_FAILED', retryErrors],
      [
        'retry-errors',
        "and POST claim's own errors",
        "referral-claim-ends > retry: POST claim's own",
      ],
    ],
  },
  {
    id: 'referral-rule',
    title: 'Referral: rules',
    rows: [
      [
        'direct',
        "The referrer gets fee x the referrer's rate",
        'share-fee > shareFee: the referrer earns',
      ],
      ['spread', 'An affiliate gets its sub_rate, the parent the rest of its own rate', spread],
      [
        'spread-zero',
        'never less than nothing',
        'share-fee > shareFee: a sub_rate above the parent rate leaves no spread, and no row',
      ],
      [
        'suspended',
        'A suspended agent earns nothing',
        'share-fee > shareFee: a suspended agent earns nothing, its parent still the spread',
      ],
      [
        'promotion',
        'Promotion checks run in the order of the error table',
        'referral-refusal > checkPromotion: the rows of POST affiliates in the order of the error table',
        'referral-affiliates > affiliates: the errors come in the order of the table',
      ],
      [
        'micro',
        'Computed in micro-USDT, rounded down',
        'share-fee > shareFee: a fee of 1999n x 10^-8 is shared rounded down, and zero makes no row',
      ],
      [
        'zero',
        'One of zero writes no row',
        'share-fee > shareFee: a fee of 999n x 10^-8 is shared rounded down, and zero makes no row',
      ],
      [
        'valued',
        "A spot fee in another token is valued at the trade's price",
        'fee-value > valueSpotFee: a buyer pays in the base token, valued at the price of the',
      ],
      [
        'once',
        'No trade can be paid twice',
        'referral-earnings > earnings: no trade pays twice, even if it were written twice',
      ],
      [
        'order',
        'Traders and affiliates are listed by bound_at, newest first',
        'referral-dashboard > lists: traders and affiliates by bound_at, newest first',
      ],
      ['biz', 'With biz=spot the futures fields are "0", and the reverse', lines],
      [
        'time',
        'time bounds the aggregates, not the list',
        'referral-sums > time: bounds what is summed, not which traders are listed',
      ],
      [
        'q',
        'q matches without regard to case',
        'referral-sums > time: with q and paging the sums stay those of the trader, and total',
      ],
      [
        'expired',
        'A claim fails SIGNATURE_EXPIRED after its deadline on chain; claimable again',
        'referral-claim-ends > failed: SIGNATURE_EXPIRED by a confirmed block later than',
      ],
      [
        'nonce-used',
        'or NONCE_USED where another redemption took the nonce',
        'referral-claim-ends > failed: NONCE_USED if another redemption used the nonce; the rest is claimable',
      ],
      ['retry', 'Retry issues a fresh nonce, deadline and signature for the same order', retried],
      [
        'foreign',
        'A redemption that no order covers is a claim of its own, oldest first, split',
        'referral-claim-ends > claim-signature: its redemption is a separate claim and takes',
      ],
      [
        'failed-listed',
        'GET claims shows failed orders too, newest first',
        'referral-claim-ends > failed: NONCE_USED if another redemption used the nonce; the rest is claimable',
        "referral-claims > claims: newest first, paged, and only the caller's",
      ],
    ],
  },
];
