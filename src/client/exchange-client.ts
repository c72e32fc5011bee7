import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, type ClientOptions, ConnectionError, HttpClient } from '@openbourse/client';
import type { HttpConnection } from './http-connection.ts';

/** The typed client over its own keep-alive connections. */
export function clientOver(
  connection: HttpConnection,
  credentials: Pick<ClientOptions, 'token' | 'apiKey' | 'adminKey'> = {},
): HttpClient {
  return new HttpClient({ ...credentials, url: '', fetch: connection.fetch });
}

/** Whether nothing listens at the service's address. */
export function isUnreachable(error: unknown): boolean {
  const cause = error instanceof ConnectionError ? error.cause : error;
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}

// The delays that the interface recommends for a busy engine, then some for a longer recovery.
const busyWaitsMs = [200, 400, 800, 1600, 3200, 5000];
const limitedWaitMs = 1_000;
const limitedTriesMax = 120;

/**
 * Calls and retries on 429, ENGINE_BUSY and ENGINE_RESTARTING. The request is rebuilt for each
 * attempt, since a signature contains a timestamp.
 */
export async function withRetries<T>(call: () => Promise<T>): Promise<T> {
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
