import type { ErrorCatalog } from './error-row.ts';

/** Authentication failures with Binance's numbers. */
export const binanceAccessErrors = {
  timestampOutside: {
    status: 400,
    code: -1021,
    text: 'Timestamp for this request is outside of the recvWindow.',
  },
  signatureInvalid: {
    status: 400,
    code: -1022,
    text: 'Signature for this request is not valid.',
  },
  timestampMissing: {
    status: 400,
    code: -1102,
    text: "Mandatory parameter 'timestamp' was not sent, was empty/null, or malformed.",
  },
  signatureMissing: {
    status: 400,
    code: -1102,
    text: "Mandatory parameter 'signature' was not sent, was empty/null, or malformed.",
  },
  keyMalformed: { status: 401, code: -2014, text: 'API-key format invalid.' },
  keyRejected: {
    status: 401,
    code: -2015,
    text: 'Invalid API-key, IP, or permissions for action.',
  },
} as const satisfies ErrorCatalog;

/** The rows of those failures, for each surface that uses them. */
export const binanceAccessRows = {
  unauthorized: binanceAccessErrors.keyMalformed,
  timestamp_missing: binanceAccessErrors.timestampMissing,
  signature_missing: binanceAccessErrors.signatureMissing,
  timestamp_invalid: binanceAccessErrors.timestampOutside,
  signature_invalid: binanceAccessErrors.signatureInvalid,
  api_key_missing: binanceAccessErrors.keyMalformed,
  api_key_malformed: binanceAccessErrors.keyMalformed,
  api_key_unknown: binanceAccessErrors.keyRejected,
  api_key_disabled: binanceAccessErrors.keyRejected,
  ip_not_allowed: binanceAccessErrors.keyRejected,
  permission_denied: binanceAccessErrors.keyRejected,
  token_required: binanceAccessErrors.keyRejected,
  admin_not_configured: binanceAccessErrors.keyRejected,
  admin_unauthorized: binanceAccessErrors.keyRejected,
} as const;
