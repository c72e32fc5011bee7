// A sentence for each error code of docs/api.md and docs/streams.md, used through sentence.ts.

const sentences: Readonly<Record<string, string>> = {
  // Every path
  INVALID_PARAMETER: 'A field is missing or malformed.',
  UNAUTHORIZED: 'You are not signed in, or the key is wrong.',
  SIGNATURE_INVALID: "The request's signature is invalid.",
  INVALID_API_KEY: 'This API key is unknown.',
  API_KEY_DISABLED: 'This API key is disabled.',
  IP_NOT_ALLOWED: 'The API key may not be used from this address.',
  PERMISSION_DENIED: 'This needs another permission.',
  NOT_FOUND: 'This does not exist.',
  METHOD_NOT_ALLOWED: 'This action is not available here.',
  REQUEST_REPEATED: 'This request has already been sent.',
  PAYLOAD_TOO_LARGE: 'The request is too large.',
  RATE_LIMITED: 'Too many requests. Wait a moment and try again.',
  INTERNAL_ERROR: 'The service failed. As far as is known, nothing has changed.',
  DB_ERROR: 'The database is unavailable. Try again soon.',
  ENGINE_BUSY: 'The engine is busy and did not accept the request. Try again.',
  ENGINE_RESTARTING: 'The engine is restarting. Try again in a few seconds.',
  ADMIN_NOT_CONFIGURED: 'This service has no administrator key.',
  NO_ANSWER: 'There was no response. Check your open orders before you try again.',
  PAGE_ERROR: 'Something failed on this page.',
  // Administration
  MARKET_EXISTS: 'A market with this name already exists.',
  AMOUNT_NON_POSITIVE: 'The amount must be above 0.',
  DISABLED: 'This works on test networks only.',
  INVALID_STATUS: 'The market cannot change into this status.',
  // Spot
  FORBIDDEN: 'This order belongs to another account.',
  MARKET_NOT_FOUND: 'There is no such market.',
  TICKER_NOT_FOUND: 'This market has not traded yet.',
  'spot trading disabled': 'Spot trading is switched off.',
  MARKET_HALTED: 'The market is halted: no new orders; open ones can be canceled.',
  MARKET_DELISTED: 'The market is delisted.',
  'market.status invalid': 'The market has an unknown status.',
  'invalid side': 'Choose to buy or to sell.',
  'invalid type': 'Choose limit or market.',
  'invalid tif': 'This time in force is unknown.',
  'price required for limit': 'A limit order needs a price.',
  'quantity required for limit': 'A limit order needs a quantity.',
  'quantity required for market sell': 'Enter how much to sell.',
  'quote_quantity required for market buy': 'Enter how much to spend.',
  INVALID_TICK: "The price is not a multiple of this market's tick size.",
  INVALID_CALLBACK_RATE:
    'The callback rate of a trailing stop is 0.1 to 5 percent, in steps of 0.01.',
  INVALID_LOT: "The quantity is not a multiple of this market's lot size.",
  BELOW_MIN_NOTIONAL: "The order is worth less than this market's minimum.",
  INSUFFICIENT_BALANCE: 'The available balance is too small.',
  DUPLICATE_CLIENT_ORDER_ID: 'An open order already has this id.',
  POST_ONLY_REJECT: 'This post-only order would trade at once.',
  SELF_TRADE: 'The order would trade with one of your own.',
  'invalid id': 'This is not an order id.',
  ORDER_NOT_FOUND: 'The order is finished or does not exist.',
  // Referral
  INVALID_CODE: 'A code is 4 to 20 capital letters, digits and underscores.',
  CODE_TAKEN: 'This code is taken.',
  CODE_ALREADY_CREATED: 'You already have a code.',
  CODE_NOT_FOUND: 'This code does not exist.',
  SELF_REFERRAL: 'This is your own code.',
  ALREADY_BOUND: 'You already have a referrer.',
  REFERRAL_CYCLE: 'The owner of this code was referred by you.',
  NOT_BOUND: 'You have no referrer.',
  SELF_ASSIGNMENT: 'You cannot promote yourself.',
  SUB_RATE_EXCEEDS_OWN: 'The rate is above your own.',
  USER_NOT_FOUND: 'This wallet has never signed in.',
  TARGET_NOT_AGENT: 'This wallet has not created a code yet.',
  TARGET_NOT_DIRECT_TRADER: 'This wallet is not one of your direct traders.',
  ALREADY_AFFILIATE: 'This wallet is already your affiliate.',
  AFFILIATE_NOT_FOUND: 'This wallet is not one of your affiliates.',
  // Halts
  HALT_NOT_FOUND: 'No such halt is open.',
  NO_GUARDIAN: 'No guardian key that the contracts accept is configured. Nothing was changed.',
  HALT_ALREADY_OPEN: 'A manual halt is already open.',
  APPROVALS_REQUIRED: 'Two different approvers must have signed exactly this.',
  // Pauses
  PAUSE_ALREADY_ON: 'This is already paused.',
  PAUSE_NOT_FOUND: 'There is no such pause.',
  // Waiting events
  EVENT_NOT_WAITING: 'There is no such parked event.',
  EVENT_STILL_WAITS: 'The event still contradicts the records.',
  RESOLUTION_IMPOSSIBLE:
    'The event cannot be resolved this way, or an earlier one of its account is parked too.',
  ASSET_UNKNOWN: 'The exchange has no token with this symbol.',
  AMOUNT_TOO_LARGE: 'The amount must be above 0 and at most what arrived.',
  CHAIN_DOES_NOT_ANSWER: 'The chain does not respond. Try again.',
  // Claims and the chain
  CLAIM_ALREADY_PROCESSING: 'An earlier claim is still being processed.',
  NO_CLAIMABLE: 'There is nothing to claim yet.',
  BELOW_MINIMUM: 'The claimable amount is below the minimum of a claim.',
  CLAIM_PERSIST_ERROR: 'The claim could not be stored. Try again.',
  INVALID_AMOUNT: 'The amount must be above 0, with at most 6 decimals.',
  SIGNATURE_ERROR: 'The service could not sign. The status page says why.',
  CLAIM_NOT_FOUND: 'You have no such claim.',
  CLAIM_NOT_PROCESSING: 'The claim is finished.',
  CLAIM_NOT_FAILED: 'The claim has not failed.',
  SETTLEMENT_NOT_FAILED: 'No commission of this account has failed.',
  SETTLEMENT_UNDER_WAY: 'Other commission of this account is being settled.',
  INVALID_ADDRESS: 'An address is 0x and 40 hex digits.',
  CHAIN_ERROR: 'The chain could not be reached.',
  // Wallets
  'API Key permission denied: transfers not allowed': 'An API key may not move money.',
  'API Key permission denied: withdraws not allowed': 'An API key may not move money.',
  'amount must be positive': 'The amount must be above 0.',
  'spot blockchain not initialized': 'The chain is unavailable.',
  'insufficient balance': 'The available balance is too small.',
  'chain query failed': 'The vault could not be reached.',
  'you have a pending withdrawal - submit it on-chain or wait for expiry':
    'A signed withdrawal is waiting: send it from your wallet, or wait until it expires.',
  'withdrawal slot conflict - try again in a moment': 'Another withdrawal is being processed.',
  'signer unavailable': 'Withdrawals are paused, or signing is off.',
  'sign failed': 'The service could not sign.',
  'not found': 'You have no such withdrawal.',
  'internal error': 'The service failed.',
  UNSUPPORTED_TOKEN: 'The perp wallet holds USDT only.',
  AMOUNT_BELOW_MINIMUM: 'The amount is below the minimum.',
  CHAIN_NOT_INITIALIZED: 'The chain is unavailable.',
  WITHDRAWALS_PAUSED: 'Withdrawals are paused.',
  WITHDRAWAL_NOT_FOUND: 'You have no such withdrawal.',
  WITHDRAWAL_NOT_IN_REVIEW: 'No such withdrawal is waiting for review.',
  'withdrawal is not approved':
    'The withdrawal is not approved, is finished, or its approval has expired.',
  WITHDRAWAL_NOT_PENDING: 'The withdrawal is signed, canceled or finished.',
  SIGNED_WITHDRAWAL_EXISTS: 'A signed withdrawal is waiting for you to send it.',
  TOO_MANY_WITHDRAWALS: 'First confirm or cancel one of the withdrawals that are waiting.',
  WITHDRAWAL_SLOT_CONFLICT: 'Another withdrawal is being processed.',
  SIGNER_UNAVAILABLE: 'Signing is off. The status page says why.',
  // Points
  SEASON_EXISTS: 'A season with this number already exists.',
  SEASON_NOT_FOUND: 'There is no season with this number.',
  SEASON_COMPLETED: 'The season is closed and cannot change.',
  // Sign-in and account
  INVALID_SIGNATURE: 'The signature does not match the message.',
  NONCE_EXPIRED: 'The sign-in took too long. Try again.',
  DOMAIN_MISMATCH: 'The message was made for another site or chain.',
  USERNAME_TAKEN: 'This name is taken.',
  API_KEY_NOT_FOUND: 'You have no such API key.',
  API_KEY_LIMIT_REACHED: 'You have the maximum number of API keys.',
  SESSION_ENDED: 'You signed out in another tab. What you typed is kept.',
  TOKEN_EXPIRED: 'Your sign-in has ended. Sign in again; what you typed is kept.',
  // Perpetuals
  SIDE_MISMATCH: 'The order has the opposite side.',
  POSITION_LIMIT_EXCEEDED:
    'The position would be larger than your leverage allows. Lower the leverage first.',
  ABOVE_MAX_NOTIONAL: "The order is worth more than this market's maximum.",
  INSUFFICIENT_MARGIN: 'The available balance does not cover the margin.',
  WOULD_TRIGGER_IMMEDIATELY: 'The trigger price has already been reached.',
  REDUCE_ONLY_REJECTED: 'There is no position on the opposite side to reduce.',
  INVALID_LEVERAGE: 'This leverage is not offered here.',
  INDEX_PRICE_STALE: 'The index price is missing or too old.',
  INDEX_PRICE_MISSING: 'The market has no index price yet.',
  MARKET_DELISTING: 'The market is about to be delisted. You can only close what you hold.',
  SETTLEMENT_PRICE_REQUIRED:
    'The market has too few index prices. Enter the price at which its positions are settled.',
  MARKET_SETTLING: 'The market is settling a price move. Try again in a moment.',
  SLIPPAGE_EXCEEDED: 'The order would fill at a worse price than you allow.',
  NO_LIQUIDITY: 'There is no price to trade at.',
  NO_PRICE_TO_MATCH: 'The book has no level to take the price from.',
  TOO_MANY_ORDERS: 'You have too many open orders.',
  ORDER_NOT_AMENDABLE: 'This order cannot be changed.',
  ACCOUNT_IN_LIQUIDATION: 'The account is being liquidated.',
  MARGIN_MODE_NOT_SUPPORTED: 'Margin is cross only.',
  // Streams
  INVALID_MESSAGE: 'The page sent a message that the service cannot read.',
  UNKNOWN_TYPE: 'The page asked for something that the service does not know.',
  UNKNOWN_CHANNEL: 'The service has no such channel.',
  ALREADY_AUTHENTICATED: 'The connection belongs to another account.',
  INVALID_LISTEN_KEY: 'The listen key has expired.',
  TOO_MANY_SUBSCRIPTIONS: 'This page has too many subscriptions.',
  TOO_MANY_CONNECTIONS: 'Too many pages of this account are open.',
  // Wallets in the browser
  REFUSED_IN_WALLET: 'You rejected it in your wallet.',
  LOOK_INTO_WALLET: 'Your wallet is waiting for your answer.',
  NO_WALLET: 'No wallet is connected. Sign in with it first.',
  WRONG_NETWORK: 'Your wallet is on another network.',
  WRONG_ACCOUNT: 'Your wallet shows another account than the one signed in.',
  WRONG_MESSAGE: 'The sign-in message is not for this site, chain and account. It was not signed.',
  WALLET_ERROR: 'Your wallet failed.',
  REVERTED: 'The chain refused the transaction.',
};

/** Codes whose text contains a value. */
const patterns: readonly (readonly [RegExp, (value: string) => string])[] = [
  [/^amount below minimum (.*)$/, (least) => `The minimum amount is ${least}.`],
  [/^unsupported token: (.*)$/, (name) => `${name} cannot be moved here.`],
  [/^invalid direction: (.*)$/, () => 'Choose a direction.'],
  [/^HTTP_(\d+)$/, (status) => `The service answered ${status}.`],
];

/** What a code means, in a sentence; a malformed field is named. */
export function explain(code: string, detail: string | null = null): string {
  if (code === 'INVALID_PARAMETER' && detail !== null) return `Not accepted: ${detail}.`;
  if (code === 'PAGE_ERROR' && detail !== null) return `Something failed on this page: ${detail}.`;
  if (code === 'WRONG_ACCOUNT' && detail !== null)
    return `Your wallet shows another account: ${detail}.`;
  if (code === 'WALLET_ERROR' && detail !== null) return `Your wallet says: ${detail}`;
  const own = sentences[code];
  if (own !== undefined) return own;
  for (const [pattern, make] of patterns) {
    const match = pattern.exec(code);
    if (match !== null) return make(match[1] ?? '');
  }
  return detail ?? `The service answered ${code}.`;
}

/** True if the code has its own sentence. */
export function hasSentence(code: string): boolean {
  return code in sentences || patterns.some(([pattern]) => pattern.test(code));
}
