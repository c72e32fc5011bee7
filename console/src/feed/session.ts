import type { Session } from '@openbourse/client';
import { computed, signal } from '@preact/signals';
import { api, stream, token, whenSignedOut } from '../api/api.ts';

// The account that is signed in, in this tab.

export const address = signal<string | null>(sessionStorage.getItem('address'));
export const expiresAt = signal<string | null>(sessionStorage.getItem('expires_at'));
export const isSignedIn = computed(() => token.value !== null && address.value !== null);
/** Why the session ended, if the user did not end it. */
export const signedOutBecause = signal<string | null>(null);

function keep({ token: text, address: whose, expires_at: until }: Session): void {
  sessionStorage.setItem('token', text);
  sessionStorage.setItem('address', whose);
  sessionStorage.setItem('expires_at', until);
  token.value = text;
  address.value = whose;
  expiresAt.value = until;
}

export function beginSession(session: Session): void {
  keep(session);
  signedOutBecause.value = null;
  stream.refreshToken();
}

function endSession(because: string | null = null): void {
  if (token.value === null) return;
  for (const name of ['token', 'address', 'expires_at']) sessionStorage.removeItem(name);
  token.value = null;
  address.value = null;
  expiresAt.value = null;
  signedOutBecause.value = because;
  stream.refreshToken();
}

/**
 * Ends the session on the server, and in this tab whatever the server answers.
 * @throws ApiError or ConnectionError if the server did not confirm it.
 */
export async function signOut(because: string | null = null): Promise<void> {
  if (token.value === null) return;
  const ended = api.call('POST /api/v1/auth/logout');
  endSession(because);
  await ended;
}

/**
 * Replaces the token by a later one of the same session, which its server keeps for seven days.
 * @throws ApiError or ConnectionError
 */
export async function renewSession(): Promise<void> {
  const renewed = await api.call('POST /api/v1/auth/renew');
  // Signed out, or in with another account, while the answer was on its way.
  if (address.value !== renewed.address) return;
  keep(renewed);
  stream.renewToken();
}

whenSignedOut((code) => endSession(code === 'SESSION_ENDED' ? code : 'TOKEN_EXPIRED'));
