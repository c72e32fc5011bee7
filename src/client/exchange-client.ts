import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, type ClientOptions, ConnectionError, HttpClient } from '@openbourse/client';
import type { HttpConnection } from './http-connection.ts';

/** The typed client over kept-alive connections of one's own. */
export function clientOver(
  connection: HttpConnection,
  credentials: Pick<ClientOptions, 'token' | 'apiKey' | 'adminKey'> = {},
): HttpClient {
  return new HttpClient({ ...credentials, url: '', fetch: connection.fetch });
}

/** Whether nobody listens at the service's address. */
export function isUnreachable(error: unknown): boolean {
  const cause = error instanceof ConnectionError ? error.cause : error;
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}

// The waits that the interface recommends for a busy engine, then some for a longer recovery.
const busyWaitsMs = [200, 400, 800, 1600, 3200, 5000];
const limitedWaitMs = 1_000;
const limitedTriesMax = 120;

/**
 * Calls until the answer is more than "later": waits out 429, ENGINE_BUSY and ENGINE_RESTARTING.
 * Each call is made anew, since a signature names its moment.
 */
export async function patiently<T>(call: () => Promise<T>): Promise<T> {
  let busyCount = 0;
  for (let limitedCount = 0; ; ) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ApiError && error.isTemporary)) throw error;
      if (error.status === 429) {
        if (limitedCount >= limitedTriesMax) throw error;
        limitedCount += 1;
        await pause(error.retryAfterMs ?? limitedWaitMs);
      } else {
        const waitMs = busyWaitsMs[busyCount];
        if (waitMs === undefined) throw error;
        busyCount += 1;
        await pause(waitMs);
      }
    }
  }
}
