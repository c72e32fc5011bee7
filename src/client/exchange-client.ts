import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, type ClientOptions, ConnectionError, HttpClient } from '@openbourse/client';
import type { HttpConnection } from './http-connection.ts';
import { Retries } from './retries.ts';

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

/**
 * Calls and retries on 429, ENGINE_BUSY and ENGINE_RESTARTING. The request is rebuilt for each
 * attempt, since a signature contains a timestamp.
 */
export async function withRetries<T>(call: () => Promise<T>): Promise<T> {
  const retries = new Retries();
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ApiError && error.isTemporary)) throw error;
      const waitMs = retries.next(error.status === 429 ? 'limited' : 'busy', error.retryAfterMs);
      if (waitMs === null) throw error;
      await pause(waitMs);
    }
  }
}
