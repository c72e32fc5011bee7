// Everything that a client can do wrong, or be told, without losing the connection.

export const streamErrorCodes = [
  'INVALID_MESSAGE',
  'UNKNOWN_TYPE',
  'UNKNOWN_CHANNEL',
  'INVALID_PARAMETER',
  'MARKET_NOT_FOUND',
  'UNAUTHORIZED',
  'ALREADY_AUTHENTICATED',
  'INVALID_LISTEN_KEY',
  'TOKEN_EXPIRED',
  'TOO_MANY_SUBSCRIPTIONS',
  'TOO_MANY_CONNECTIONS',
  'RATE_LIMITED',
  'ENGINE_BUSY',
  'ENGINE_RESTARTING',
  'DB_ERROR',
] as const;
export type StreamErrorCode = (typeof streamErrorCodes)[number];

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
