// Client errors and notices that do not end the connection.

/** What each error code means, for the interface description. */
export const streamErrorMeanings = {
  INVALID_MESSAGE: 'the message is not one JSON object in a text frame',
  UNKNOWN_TYPE: 'unknown message type',
  UNKNOWN_CHANNEL: 'unknown channel',
  INVALID_PARAMETER: 'a field is missing or malformed; the message names it',
  MARKET_NOT_FOUND: 'there is no such market; symbols are case-sensitive',
  UNAUTHORIZED: 'the token is invalid, or a private channel was requested before auth',
  ALREADY_AUTHENTICATED: 'the connection is authenticated for another account',
  INVALID_LISTEN_KEY: 'the listen key has expired or never existed',
  TOKEN_EXPIRED: 'the token has expired; private channels have ended, public ones continue',
  SESSION_ENDED: 'the session was ended; private channels have ended, public ones continue',
  TOO_MANY_SUBSCRIPTIONS: 'the connection has the maximum number of subscriptions',
  TOO_MANY_CONNECTIONS: 'the account has the maximum number of connections',
  RATE_LIMITED: 'messages arrive too fast and are not processed; continuing closes the connection',
  ENGINE_BUSY: 'the engine is busy; retry soon',
  ENGINE_RESTARTING: 'the engine is restarting; retry soon',
  DB_ERROR: 'history is unavailable; retry soon',
} as const;
export type StreamErrorCode = keyof typeof streamErrorMeanings;

export const streamErrorCodes = Object.keys(streamErrorMeanings) as readonly StreamErrorCode[];

export interface StreamError {
  readonly code: StreamErrorCode;
  readonly message: string;
}

/** Why the server ends a connection (RFC 6455, section 7.4). */
export const closeCodes = {
  goingAway: 1001,
  policyViolation: 1008,
  internalError: 1011,
  tryAgainLater: 1013,
} as const;
export type CloseCode = (typeof closeCodes)[keyof typeof closeCodes];

/** The same, with those that the protocol itself sends, for the interface description. */
export const closeCodeMeanings: Readonly<Record<CloseCode | 1007 | 1009, string>> = {
  1001: 'the server is stopping',
  1007: 'a text message is not UTF-8',
  1008: 'silent for 60 s, or far too many messages',
  1009: 'a message over 8 KiB',
  1011: 'internal error',
  1013: 'too slow: read faster or subscribe to less',
};
