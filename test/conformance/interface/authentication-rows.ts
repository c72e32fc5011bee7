import type { Part } from '../row.ts';

// Authentication: mechanisms, rules, and failures on /fapi.

const referral = (call: string) =>
  `referral-access > referral: ${call} without a token is UNAUTHORIZED`;
const claims = 'referral-claims > claims: no token is 401 UNAUTHORIZED, an API key is not enough';
const rawAndEncoded = 'signatures > the raw text and its URL-encoded form both count';
const spot401 = 'spot-orders > POST /spot/orders: without credentials 401 with an empty body';
const envelope = 'fapi-access > auth: failures come in the envelope, before the endpoint';
const invalid = 'fapi-order-rules > auth: a timestamp outside the window, or with a bad signature';
const disabled = 'fapi-access > auth: a disabled key is API_KEY_DISABLED, a foreign address';
const unknownKey = 'signatures > unknown key "short": 401';
const outside = (ms: string) => `signatures > a timestamp ${ms} ms off`;

export const authenticationParts: readonly Part[] = [
  {
    id: 'auth',
    title: 'Authentication',
    rows: [
      [
        'referral',
        'Referral: JWT Bearer token in Authorization',
        referral('GET traders'),
        referral('GET affiliates'),
        referral('POST affiliates'),
        'tokens > a token with iss, aud, sub, iat and exp under HS256: 200',
      ],
      ['claim', 'Claim, claim-signature: JWT', claims],
      [
        'on-chain',
        'On-chain query endpoints: none',
        'referral-on-chain > user-rebate: claimed is the raw value divided by 10^6',
      ],
      [
        'points',
        'Points endpoints: none',
        'points-leaderboards > envelope: success, data, error null, timestamp in Unix seconds',
      ],
      [
        'fee-info',
        'GET /account/fee-info: anonymous allowed; login adds personal data',
        'derivatives-fees > fee-info: an anonymous call answers the full VIP table',
        'derivatives-fees > fee-info: an account that never traded, by token',
      ],
      [
        'admin',
        'Admin endpoints: header X-API-Key',
        'admin-spot > administration: a wrong or missing key is 401 UNAUTHORIZED',
      ],
      [
        'admin-setting',
        'The server must have ADMIN_API_KEY configured',
        'admin-spot > administration: without ADMIN_API_KEY 503 ADMIN_NOT_CONFIGURED',
      ],
      [
        'spot',
        'Spot trading: JWT, or API key with HMAC signature',
        'spot-orders > POST /spot/orders: a limit order rests and the answer is the order',
        'spot-orders > POST /spot/orders: an API key that may trade signs the query string',
      ],
      [
        'spot-transfer',
        'API-key callers are denied POST /spot/transfer',
        'wallet-transfers > transfer: 401 with an empty body without a token, 403 for an API key',
      ],
      [
        'spot-withdraw',
        'API-key callers are denied POST /spot/withdraw/request',
        'spot-withdrawals > withdraw: 401 with an empty body without a valid token',
      ],
      [
        'fapi',
        '/fapi: HMAC SHA-256, X-MBX-APIKEY, signature and timestamp parameters',
        'fapi-access > auth: every account endpoint requires key and signature',
        invalid,
      ],
      [
        'margin-mode',
        'POST /account/margin-mode: JWT',
        'derivatives-account > margin-mode: takes a JWT only',
      ],
      [
        'ws',
        'WebSocket: {type: auth, listenKey} with a key from POST /fapi/v1/listenKey',
        'ws-private > ws: a listen key signs in if the service has listen keys',
        'ws-listen-keys > listen key: a long-lived connection keeps it alive',
      ],
      [
        'ws-lookup',
        "Each lookup also refreshes the key's TTL",
        'listen-key-store > listen keys: a key lives for 3600 seconds after its last use',
      ],
      [
        'ws-alive',
        'so a long-lived connection keeps it alive',
        'ws-listen-keys > listen key: a long-lived connection keeps it alive',
      ],
    ],
  },
  {
    id: 'auth-rule',
    title: 'Authentication rules',
    rows: [
      ['1', 'Timestamp within +/-60000 ms of server time', outside('-60000'), outside('60000')],
      [
        '1-outside',
        'Outside it the request is rejected with 401',
        outside('-60001'),
        outside('60001'),
      ],
      ['1-fixed', 'Fixed window', 'signatures > recvWindow: accepted and ignored'],
      ['2', 'Raw and URL-encoded form of the signed payload are accepted', rawAndEncoded],
      [
        '3-ip',
        'A client outside the IP whitelist gets 403 IP_NOT_ALLOWED',
        'signatures > a client outside the whitelist: 403 IP_NOT_ALLOWED, before its signature',
      ],
      [
        '3-disabled',
        'A disabled key gets 401 API_KEY_DISABLED',
        'signatures > a disabled key: 401 API_KEY_DISABLED, whatever its signature',
      ],
      ['3-unknown', 'An unknown key gets 401 INVALID_API_KEY', unknownKey],
      ['4-missing-jwt', 'Spot: 401, empty body for a missing JWT', spot401],
      [
        '4-invalid-jwt',
        'Spot: 401, empty body for an invalid JWT',
        'tokens > a token that is signed with another secret: 401 UNAUTHORIZED',
      ],
      [
        '4-missing-hmac',
        'Spot: 401, empty body for a missing HMAC signature',
        'signatures > a signature that is missing: 401 with an empty body',
      ],
      [
        '4-wrong-hmac',
        'Spot: 401, empty body for a wrong HMAC signature',
        'signatures > a signature that is of something else: 401 with an empty body',
      ],
      ['4-timestamp', 'Spot: 401, empty body for a timestamp outside', outside('60001')],
      [
        '5',
        "Claim amounts are accepted only if the signer is the contract's operator",
        'prove-cap > proveCap: a different operator, a pause and a different key are distinguished',
        'chain-service > chain: signing is off while the contract has a different operator',
      ],
    ],
  },
  {
    id: 'fapi-auth',
    title: 'Authentication failures on /fapi',
    rows: [
      ['before', 'Rejected before the endpoint, not in the {code, msg} form', envelope],
      ['body', '{success: false, data: null, error: {code, message}, timestamp}', envelope],
      ['missing', '401 SIGNATURE_INVALID: missing signature or timestamp parameter', envelope],
      ['invalid', '401 SIGNATURE_INVALID: invalid signature', envelope, invalid],
      ['window', '401 SIGNATURE_INVALID: timestamp outside the +/-60000 ms window', invalid],
      ['unknown', '401 INVALID_API_KEY: key header matches no known key', envelope],
      ['disabled', '401 API_KEY_DISABLED: key exists but is disabled', disabled],
      ['ip', "403 IP_NOT_ALLOWED: client IP not in the key's whitelist", disabled],
      ['no-1021', 'No -1021 or -1022: always 401 SIGNATURE_INVALID', envelope, invalid],
    ],
  },
];
