import type { ErrorCatalog } from './error-row.ts';

/** Errors of the WebSocket API itself; its methods have the errors of the corresponding paths. */
export const socketErrors = {
  unknownMethod: { status: 400, code: -1100, text: 'Unknown method.' },
  malformedRequest: { status: 400, code: -1100, text: 'Malformed request.' },
  unknownSubscription: { status: 400, code: -1100, text: 'Unknown subscriptionId.' },
  tooManySubscriptions: {
    status: 400,
    code: -1100,
    text: 'At most 10 subscriptions a connection.',
  },
} as const satisfies ErrorCatalog;
