import type { Part } from '../row.ts';

// Operation, and the smaller decisions.

const stopped = 'process > process: SIGTERM ends it with 0 within 10 seconds, and the next start';
const forms = 'signatures > no credentials: empty 401 on spot, UNAUTHORIZED, INVALID_API_KEY on';
const limits = 'spot-cancels-and-reads > GET /spot/orders: { limit:';

export const operationParts: readonly Part[] = [
  {
    id: 'operation',
    title: 'Operation',
    rows: [
      ['healthz', '/healthz: alive', 'operation > /healthz: 200 as long as the process answers'],
      ['readyz', '/readyz: each part with a state', 'operation > every part ready: 200, each with'],
      ['readyz-503', '503 until all is ready', 'operation > one part not ready: 503 and why'],
      [
        'metrics',
        '/metrics (Prometheus)',
        'operation > request durations by method, route and status, and the other registered metrics',
      ],
      [
        'docs',
        '/docs',
        'operation > /docs: the page and its script are served here, and it may fetch from nowhere else',
      ],
      [
        'openapi',
        '/openapi.json: OpenAPI 3.1',
        'operation > /openapi.json: OpenAPI 3.1 with every route described',
      ],
      ['asyncapi', '/asyncapi.json', 'ws-on-gateway > ws on the gateway: /asyncapi.json answers'],
      ['sigterm', 'SIGTERM: exits 0 within 10 s', stopped],
      [
        'sigterm-flight',
        'It finishes what is in flight and flushes',
        'operation > requests in flight are answered, then the server is stopped',
        'stop-under-load > stop: after SIGTERM in the middle of orders every acknowledged one',
      ],
      [
        'weight',
        'Request weights: X-MBX-USED-WEIGHT-1M',
        'limits > X-MBX-USED-WEIGHT-1M counts up and starts again with the minute',
      ],
      [
        'order-count',
        'X-MBX-ORDER-COUNT-10S, -1M',
        'limits > counted per account in ten seconds and in a minute',
      ],
      ['per-ip', 'per IP', 'limits > each client address has its own limit'],
      ['per-key', 'and per key', 'limits > a key has one limit, wherever its requests come from'],
      [
        'admin',
        'Admin weighs 0',
        'limits > health and the administration have no weight, metrics have',
      ],
    ],
  },
  {
    id: 'decision',
    title: 'Smaller decisions',
    rows: [
      [
        'malformed-first',
        "Malformed fields are judged before an error table's order applies",
        'referral-affiliates > affiliates: malformed fields are reported before the table',
        'spot-withdrawals > withdraw: malformed fields come before the error table',
        'wallet-transfers > transfer: malformed first, then direction, amount, token and balance',
      ],
      [
        'claimable',
        'Earnings of a processing order still count as claimable',
        'referral-claims > preview: earnings of a processing order count until they are claimed',
      ],
      [
        'retry-fields',
        'Admin retry answers all fields of create-claim',
        'referral-claim-ends > retry: the same order and amount with a fresh nonce, deadline',
      ],
      [
        'lost-signature',
        "GET claims/:claim_no/signature gives the open order's response again",
        'referral-claim-ends > signature: the open order returns the same signature again',
      ],
      [
        'lost-signature-404',
        '404 CLAIM_NOT_FOUND',
        "referral-claim-ends > signature: absent and another account's are CLAIM_NOT_FOUND",
      ],
      [
        'lost-signature-409',
        '409 CLAIM_NOT_PROCESSING',
        'referral-claim-ends > signature: a finished order is CLAIM_NOT_PROCESSING',
      ],
      [
        'amount-decimals',
        'claim-signature: missing, null or over 6 decimals is INVALID_AMOUNT',
        'referral-claim-ends > claim-signature: INVALID_AMOUNT for what is malformed, too fine',
      ],
      [
        'spread-total',
        'Dashboard total_commission includes spread',
        "referral-sums > affiliates: the team's fee value and the spread of it",
      ],
      [
        'agent-null',
        'agent_tier is 1 for an agent, else null',
        'referral-bindings > bind: binds to the owner of the code',
        'referral-bindings > codes: the requested code is returned and makes an active tier-1 agent at the Starter rate',
      ],
      [
        'chain-restart',
        "The development chain's state survives a restart",
        'development-chain > developmentChain: blocks, contracts and port survive a restart',
      ],
      [
        'chain-away',
        'With the chain out of reach the server starts, trades, answers readyz 503',
        'chain-outage > outage: the service starts without its chain, trades, and says what is',
      ],
      [
        'chain-mirror',
        'Codes and tiers are mirrored on chain',
        'register-mirror > mirror: codes, bindings and terms arrive in order, batch by',
      ],
      [
        'spot-foreign',
        "DELETE of another user's order 403, GET of it 404",
        "spot-cancels-and-reads > DELETE /spot/orders/:id: another user's live order is FORBIDDEN",
        "spot-cancels-and-reads > GET /spot/orders/:id: another user's order, live or finished",
      ],
      ['spot-limit', 'Lists take limit 1-500', `${limits} '0' }`, `${limits} '501' }`],
      [
        'vip0',
        "A market's own maker and taker bps are its VIP 0 base",
        'fapi-account > commissionRate: base rate x discount multiplier',
        'fapi-account > userTrades: each field of a trade, and only of the order asked for',
      ],
      [
        'leverage',
        'Default leverage 20',
        'futures-rules > margin: an order holds its notional over the leverage, 20 by default',
      ],
      [
        'market-margin',
        "A market order's margin is at its protection price",
        'futures-rules > margin: a market order is checked at its protection price, 5 % from the',
      ],
      ['no-key', 'No API key header: INVALID_API_KEY', forms],
      [
        'envelope-signature',
        'A bad signature on envelope paths: SIGNATURE_INVALID',
        'signatures > no signature: empty 401 on spot, SIGNATURE_INVALID elsewhere',
      ],
      [
        'general-names',
        "General endpoints take /fapi's names and values",
        'derivatives-orders > orders: a limit order by the names and words of /fapi',
      ],
      [
        'market-row',
        'Market rows carry status, mark_price, index_price, funding_rate',
        'derivatives-market-data > markets: each carries min_order_size_usd, lot_size, tick_size',
      ],
      [
        'unified',
        'Unified account: equity to positions',
        'derivatives-account > unified: positions with their margins, and uniMMR as equity over',
      ],
      [
        'refreshed_at',
        'refreshed_at ends in :00Z',
        'points-leaderboards > daily: only what was earned since UTC 00:00;',
      ],
      [
        'futures-admin',
        'Futures admin answers carry ok: true',
        'admin-futures > create: listed and tradeable at once; a second one is 409',
      ],
      ['npm-start', 'npm start passes signals on', stopped],
      [
        'secrets-json',
        'Generated development secrets lie in DATA_DIR/secrets.json',
        'config > config: generated secrets are stored for the next start, readable by their owner only',
      ],
      [
        'fapi-json',
        '/fapi also takes JSON bodies, signed as sent',
        'fapi-orders > order: a form body and a JSON body are read like the query',
      ],
    ],
  },
];
