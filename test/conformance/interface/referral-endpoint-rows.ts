import type { Part } from '../row.ts';

// Endpoints of referral, on-chain queries, spot administration and points.

const lines = 'referral-records > traders: spot and futures apart, total_commission their sum';
const windows = 'referral-sums > time: bounds what is summed, not which traders are listed';
const found = 'referral-records > traders: q finds a part of the address; biz and time are of';
const nothing = 'referral-access > referral: a new account sees zeros and empty lists everywhere';
const traderPaging = 'referral-access > referral: malformed and out-of-range paging of traders';
const affiliatePaging =
  'referral-access > referral: malformed and out-of-range paging of affiliates';
const claimPaging = 'referral-claims > claims: page from 1, page_size from 1 to 100';
const promoted =
  'referral-affiliates > affiliates: promotion turns a direct trader into an affiliate';
const errorOrder = 'referral-affiliates > affiliates: the errors come in the order of the table';
const malformed =
  'referral-affiliates > affiliates: malformed fields are reported before the table';
const subRate = 'referral-affiliates > sub_rate: changes; SUB_RATE_EXCEEDS_OWN before';
const preview = 'referral-claims > preview: claimable is synced and unclaimed, pending is unsynced';
const listed = 'referral-claims > claims: the fields while processing, and when redeemed';
const paged = "referral-claims > claims: newest first, paged, and only the caller's";
const created = 'referral-claims > claim: the answer, field by field';
const allKinds = 'referral-records > claim: one order covers direct and spread, spot and futures';
const signed =
  'referral-claim-ends > claim-signature: signs every positive amount, without an order or a check of the balance';
const invalidAmount = 'referral-claim-ends > claim-signature: INVALID_AMOUNT for what is malformed';
const typedData = 'typed-data > typedData: both structs hash as EIP-712 says';
const rebate = 'referral-on-chain > user-rebate: claimed is the raw value divided by 10^6';
const addresses = 'referral-on-chain > on-chain: INVALID_ADDRESS for anything else than an address';
const market =
  'admin-spot > POST /admin/spot/markets: the market is listed, queryable and tradeable at once';
const credited = 'admin-spot > credit: the balance row and the audit row are committed when';
const disabled = 'admin-spot > credit: 404 DISABLED where TESTNET_ONLY is not exactly true';

export const referralEndpointParts: readonly Part[] = [
  {
    id: 'get-traders',
    title: 'GET /api/v1/referral/traders',
    rows: [
      ['biz', 'biz: default all; all / spot / futures', lines, found],
      ['time', 'time: default all; all / 7d / 30d, window for aggregates', windows, found, lines],
      ['q', 'q: optional substring filter on trader address', found],
      ['page', 'page: default 1, min 1', nothing, traderPaging],
      ['page_size', 'page_size: default 20, 1-100', nothing, traderPaging],
      ['items', 'items: only directly bound traders with is_affiliate = false', promoted],
      [
        'total',
        'total: all direct traders, unaffected by filters',
        'referral-sums > time: with q and paging the sums stay those of the trader, and total',
      ],
      ['answer', 'items, total, page, page_size', nothing],
    ],
  },
  {
    id: 'get-affiliates',
    title: 'GET /api/v1/referral/affiliates',
    rows: [
      ['page', 'page: default 1, min 1', promoted, affiliatePaging],
      ['page_size', 'page_size: default 20, 1-100', promoted, affiliatePaging],
      ['items', 'items: affiliates, with is_affiliate = true', promoted],
      ['answer', 'items, total, page, page_size', promoted],
    ],
  },
  {
    id: 'post-affiliates',
    title: 'POST /api/v1/referral/affiliates',
    rows: [
      ['wallet', 'wallet: string, required, a direct trader', malformed, errorOrder],
      ['sub_rate', 'sub_rate: Decimal, required', malformed, promoted],
      ['sub_rate-bounds', 'sub_rate: 0 <= sub_rate <= own rebate_rate', errorOrder],
      ['answer', '{ok: true}', errorOrder],
    ],
  },
  {
    id: 'put-affiliates',
    title: 'PUT /api/v1/referral/affiliates/:wallet',
    rows: [
      ['sub_rate', 'sub_rate: string decimal, bounded like the POST', subRate],
      ['answer', '{ok: true}', subRate],
    ],
  },
  {
    id: 'get-preview',
    title: 'GET /api/v1/referral/claims/preview',
    rows: [['answer', 'no request; the claim preview', preview]],
  },
  {
    id: 'get-claims',
    title: 'GET /api/v1/referral/claims',
    rows: [
      ['page', 'page: default 1, min 1', listed, claimPaging],
      ['page_size', 'page_size: default 20, 1-100', listed, claimPaging],
      ['answer', 'items, total, page, page_size', listed, paged],
    ],
  },
  {
    id: 'post-claim',
    title: 'POST /api/v1/referral/claim',
    rows: [
      ['body', 'JSON: empty object', 'referral-claims > claim: the body is an empty object or'],
      ['whole', 'The claim always covers the full claimable balance', allKinds],
      ['answer', 'create-claim response', created],
    ],
  },
  {
    id: 'post-claim-signature',
    title: 'POST /api/v1/referral/on-chain/claim-signature',
    rows: [
      ['amount', 'amount: string, required, USDT decimal, must be > 0', signed, invalidAmount],
      ['answer', 'claim-signature response', signed],
    ],
  },
  {
    id: 'claim-rule',
    title: 'Claim rules',
    rows: [
      ['1', 'POST claim snapshots all claimable earnings into one processing order', allKinds],
      ['1-signature', 'and returns the signature for it', created],
      [
        '2',
        'The user calls redeemReward(amount, deadline, signature) with the returned values',
        'claim-story > claim story: what trades earn is settled, claimed, redeemed and counted',
      ],
      [
        '3-struct',
        'RedeemReward(address account, uint256 value, uint256 nonce, uint256 deadline)',
        typedData,
      ],
      [
        '3-name',
        'The domain name comes from EIP712_REFERRAL_DOMAIN_NAME',
        'config > config: the names of the signing domains are settings',
        'signing > checkChain: another domain name is refused',
      ],
      ['3-version', 'The domain has version 1', typedData],
      [
        '3-chain',
        'chainId of the deployment chain',
        typedData,
        'signing > checkChain: another chain id',
      ],
      [
        '3-contract',
        'verifyingContract equal to the returned contract_address',
        typedData,
        'signing > rewardSigner: it signs what the contract accepts, and reports nonce and chain time',
      ],
      ['4', 'claim-signature signs an arbitrary amount without order or balance check', signed],
      ['5', 'Progress of an order is tracked through GET claims', listed],
    ],
  },
  {
    id: 'referral-named',
    title: 'Referral endpoints named without a path',
    rows: [
      [
        'status',
        'Referral Status: referred users and binding status',
        'referral-bindings > bind: binds to the owner of the code',
      ],
      [
        'dashboard',
        'Referral Dashboard: commission summary, downline counts, pending_commission',
        nothing,
        promoted,
        'referral-settlements > retry: it is pending again, is settled, and can be claimed',
      ],
      [
        'logs',
        'Referral Logs: paginated history of create, bind, unbind, claim',
        'referral-access > logs: create, bind, unbind, promote, sub_rate, newest first',
        'referral-access > logs: filtered by type, and paged',
        listed,
      ],
      ['rebate-info', 'On-Chain Rebate Info', rebate],
      [
        'retry',
        'The admin retry of failed claims',
        'referral-claim-ends > retry: the same order and amount with a fresh nonce',
      ],
    ],
  },
  {
    id: 'on-chain',
    title: 'On-chain queries',
    rows: [
      ['open', 'No authentication', rebate],
      ['user-rebate', 'GET user-rebate/:address answers user rebate info', rebate],
      ['user-rebate-address', 'address: 0x format, 42 characters', addresses],
      [
        'referral-info',
        'GET referral-info/:address answers trader referral info',
        'referral-on-chain > referral-info: discount and reward add up to the total',
      ],
      ['referral-info-address', 'address: 0x format', addresses],
      [
        'claimed',
        'GET claimed/:address answers the claimed amount',
        'referral-on-chain > claimed: address and amount',
      ],
      ['claimed-address', 'address: 0x format', addresses],
      [
        'operator-status',
        'GET operator-status answers the operator status',
        'referral-on-chain > operator-status: the signer, whether the contract accepts it, the register',
      ],
    ],
  },
  {
    id: 'admin-spot',
    title: 'Admin spot',
    rows: [
      ['create', 'POST /admin/spot/markets answers {ok: true, id} with the created id', market],
      ['credit', 'POST /admin/spot/balances/credit answers {ok: true}', credited],
      [
        'testnet',
        'Credit only when TESTNET_ONLY is exactly true',
        disabled,
        'config > config: TESTNET_ONLY=TRUE stops the start with one clear line',
      ],
      ['at-once', 'A market is queryable and tradeable without restart', market],
      ['credit-balance', 'A successful credit updates the balance', credited],
      ['credit-audit', 'and commits the audit row', credited],
      [
        'credit-push',
        'and pushes a balance update over WebSocket',
        'ws-database > balances: a spot balance credit pushes a balance update',
      ],
      [
        'weight',
        'Admin endpoints have weight 0',
        'limits > health and the administration have no weight, metrics have',
      ],
      [
        'status',
        'An admin endpoint changes a market status',
        'admin-spot > PUT status: a market can be halted and listed again, and delisting is final',
      ],
    ],
  },
];
