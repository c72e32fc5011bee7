import { type Answer, ApiError, HttpClient, Stream, type StreamState } from '@openbourse/client';
import { signal } from '@preact/signals';
import { describeError, type ShownError } from './shown-error.ts';

/** The sign-in token, kept in this tab only. */
export const token = signal<string | null>(sessionStorage.getItem('token'));

export type AdminSession = Answer<'POST /api/v1/admin/session'>;

/** The operator's session; kept in memory only. */
export const adminSession = signal<AdminSession | null>(null);

/**
 * When the service accepts requests from this page again, in milliseconds since 1970 by this clock.
 */
export const limitedUntil = signal(0);
const limitedSeconds = 1;

/** Every request of the page; the answer 429 to one of them makes all wait. */
const send: typeof fetch = async (...request) => {
  const reply = await fetch(...request);
  if (reply.status === 429) {
    const seconds = Number(reply.headers.get('retry-after')) || limitedSeconds;
    limitedUntil.value = Date.now() + seconds * 1_000;
  }
  return reply;
};

export const api = new HttpClient({
  url: '',
  fetch: send,
  token: () => token.value,
  adminToken: () => adminSession.value?.token ?? null,
});

export const link = signal<StreamState>({ kind: 'connecting' });
export const roundTripMs = signal<number | null>(null);
/** The server's clock minus this one, in milliseconds. */
export const clockOffsetMs = signal(0);

const offsets: number[] = [];

function onPong(tripMs: number, offsetMs: number): void {
  roundTripMs.value = tripMs;
  offsets.push(offsetMs);
  if (offsets.length > 5) offsets.shift();
  clockOffsetMs.value = offsets.toSorted((a, b) => a - b)[offsets.length >> 1] ?? 0;
}

/**
 * Exchanges the administrator's key for a session, and keeps only that.
 * @throws ApiError, ConnectionError
 */
export async function openAdminSession(key: string, role: AdminSession['role']): Promise<void> {
  const client = new HttpClient({ url: '', fetch: send, adminKey: () => key });
  adminSession.value = await client.call('POST /api/v1/admin/session', { body: { role } });
}

/** Returns the server's time as far as it is known. */
export function serverNow(): number {
  return Date.now() + clockOffsetMs.value;
}

let onSignedOut: (code: string) => void = () => undefined;

/** Sets the function to call when the server no longer accepts the token. */
export function whenSignedOut(listener: (code: string) => void): void {
  onSignedOut = listener;
}

export const stream = new Stream({
  url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`,
  token: () => token.value,
  onState: (state) => {
    link.value = state;
  },
  onPong,
  onSignedOut: (code) => onSignedOut(code),
});

addEventListener('online', () => stream.retryNow());
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) stream.retryNow();
});

/** What to show for a thrown error of any kind; a token that the service refuses is discarded. */
export function shownErrorOf(error: unknown): ShownError {
  const isAdmin = error instanceof ApiError && error.url.includes('/api/v1/admin/');
  const isRefused = error instanceof ApiError && error.status === 401 && !isAdmin;
  if (isAdmin && error.status === 401) adminSession.value = null;
  if (isRefused && token.value !== null && error.code !== 'INVALID_SIGNATURE') {
    onSignedOut('TOKEN_EXPIRED');
  }
  return describeError(error);
}

const busyWaitsMs = [200, 400, 800];

/** Retries while the engine reports that it is busy and accepted nothing. */
export async function withBusyRetries<T>(send: () => Promise<T>): Promise<T> {
  for (const waitMs of busyWaitsMs) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'ENGINE_BUSY')) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
  return send();
}
