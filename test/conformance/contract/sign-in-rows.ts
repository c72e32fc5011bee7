import type { Part } from '../row.ts';

// Signing in, API keys, signatures.

const nonce = 'sign-in > answers nonce, message and expiry in five minutes';
const login = 'sign-in > a signed message: token, lowercase address, expiry; the account is open';
const made = 'api-keys > answers key and secret of 64 letters and digits, with the defaults';
const rawAndEncoded = 'signatures > the raw text and its URL-encoded form both count';
const twice = 'signatures > a name twice: 401 with an empty body';

export const signInParts: readonly Part[] = [
  {
    id: 'sign-in',
    title: 'Signing in and API keys',
    rows: [
      ['nonce', 'POST auth/nonce: nonce, message, expires_at (5 minutes)', nonce],
      ['nonce-once', 'single use', 'sign-in > a message used before: 401 NONCE_EXPIRED'],
      [
        'message',
        'EIP-4361 text',
        'sign-in > the message is EIP-4361 to the byte, as other libraries write it',
      ],
      ['login', 'POST auth/login: token, address, expires_at', login],
      ['registers', 'Registers the address on first login', login],
      [
        'INVALID_SIGNATURE',
        '401 INVALID_SIGNATURE',
        "sign-in > another wallet's signature: 401 INVALID_SIGNATURE",
      ],
      [
        'NONCE_EXPIRED',
        '401 NONCE_EXPIRED: used, unknown or expired',
        'sign-in > a message used before: 401 NONCE_EXPIRED',
        'sign-in > a nonce that was never issued: 401 NONCE_EXPIRED',
        'sign-in > a message older than five minutes: 401 NONCE_EXPIRED',
      ],
      [
        'other-nonce',
        "Another address's nonce: INVALID_SIGNATURE",
        "sign-in > another address's nonce: 401 INVALID_SIGNATURE",
      ],
      [
        'DOMAIN_MISMATCH',
        '401 DOMAIN_MISMATCH',
        'sign-in > a message for another host: 401 DOMAIN_MISMATCH',
        'sign-in > a message for another chain: 401 DOMAIN_MISMATCH',
      ],
      [
        'contract-wallet',
        'Contract wallets (EIP-1271) too',
        'sign-in > a contract wallet is asked (EIP-1271) and signs in',
        'contract-signatures > contract signatures: the magic value means yes, any other value no',
      ],
      ['key', 'POST account/api-keys: key and secret of 64 letters and digits', made],
      [
        'key-fields',
        'label, ip_whitelist, permissions',
        'api-keys > accepts label, whitelist and permissions',
      ],
      ['key-default', 'permissions default both', made],
      [
        'key-secret',
        'The secret is shown this once',
        'api-keys > the list and the single key show no secret',
      ],
      [
        'key-patch',
        'PATCH label, enabled, ip_whitelist',
        'api-keys > only the given fields change',
      ],
      ['key-delete', 'DELETE', 'api-keys > once deleted, it is unknown'],
      [
        'key-unknown',
        '404 API_KEY_NOT_FOUND',
        "api-keys > another account's key is not found, by any method",
      ],
      [
        'key-jwt',
        'Keys are made with a JWT',
        'api-keys > an API key cannot make, change or delete keys: 403 PERMISSION_DENIED',
      ],
      [
        'profile',
        'GET account/profile: address, username, created_at',
        'api-keys > address, username (null at first) and age',
      ],
      [
        'username',
        'PUT account/profile: username, unique; 409 USERNAME_TAKEN',
        'api-keys > a username in use, in any letter case: 409 USERNAME_TAKEN',
      ],
      [
        'username-form',
        '3-24 of [A-Za-z0-9_]',
        'api-keys > username "ab": 400 INVALID_PARAMETER',
        'api-keys > username "xxxxxxxxxxxxxxxxxxxxxxxxx": 400 INVALID_PARAMETER',
        'api-keys > username "a b c": 400 INVALID_PARAMETER',
      ],
    ],
  },
  {
    id: 'hmac',
    title: 'Signatures',
    rows: [
      [
        'query',
        'The query string without signature, in the order sent',
        'signatures > query only: the query string without signature, in the order sent',
        'signatures > the signature can be at any position',
      ],
      [
        'body',
        'followed directly by the raw body without signature',
        'signatures > query and body: the query directly followed by the body',
      ],
      [
        'form',
        'timestamp and signature may be fields of a form body',
        'signatures > form body only: all fields in the body',
      ],
      ['encoded', 'Raw text and URL-encoded form are both accepted', rawAndEncoded],
      [
        'ambiguous',
        'The decoded reading only where it cannot mean another request',
        'signatures > a signed text that decodes to two different requests is refused',
        'signatures > a decoded text with %26 is refused',
        'signatures > a decoded text with %0A is refused',
      ],
      ['twice', 'A parameter that stands twice is rejected', twice],
      [
        'split',
        'Form parameters split between query and body are rejected',
        'signatures > parameters moved between query and body are refused',
        'signatures > a name in query and body: 401',
      ],
      [
        'verified',
        'Handlers read the parameters that were verified',
        'signatures > the handler reads the parameters that were verified',
      ],
      [
        'repeated',
        'A byte-identical signed order within 120 s: the first answer, no second order',
        'repeated-orders > byte-identical within 120 s: the first answer, no second order',
      ],
      ['recvWindow', 'recvWindow is accepted and ignored', 'signatures > recvWindow: accepted and'],
      [
        'listenKey',
        'FAPI_LISTEN_KEY_UNSIGNED lets the listenKey calls come with the key alone',
        'fapi-access > listenKey: without a signature only if FAPI_LISTEN_KEY_UNSIGNED is set',
      ],
      [
        'json',
        'A JSON body is signed as sent',
        'signatures > JSON body: signed as sent, byte for byte',
      ],
      [
        'bearer',
        'Where both are sent, the Bearer token decides',
        'signatures > the Bearer token decides: its account, whatever the key',
        'signatures > the Bearer token decides: a bad one is 401 although the key is good',
      ],
      [
        'spot-codes',
        'On spot INVALID_API_KEY, API_KEY_DISABLED, IP_NOT_ALLOWED come as {error: CODE}',
        'signatures > unknown key "short": 401',
        'signatures > a disabled key: 401 API_KEY_DISABLED, whatever its signature',
        'signatures > a client outside the whitelist: 403 IP_NOT_ALLOWED, before its signature',
      ],
      [
        'permission',
        'A key without trade permission: 403 PERMISSION_DENIED on writes',
        'signatures > a key without trade: reads, but 403 PERMISSION_DENIED on writes',
      ],
    ],
  },
];
