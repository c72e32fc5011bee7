import type { ErrorCatalog } from './error-row.ts';

/** Requests that name no method of the WebSocket API; the methods have the errors of /fapi. */
export const socketErrors = {
  unknownMethod: { status: 400, code: -1100, text: 'Unknown method.' },
  malformedRequest: { status: 400, code: -1100, text: 'Malformed request.' },
} as const satisfies ErrorCatalog;
