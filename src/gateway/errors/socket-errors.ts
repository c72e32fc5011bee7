import type { ErrorCatalog } from './error-row.ts';

/** Refusals of the WebSocket API's own; its methods have the errors of the paths that they are. */
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
