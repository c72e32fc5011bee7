import type { Session } from '@openbourse/client';
import { computed, signal } from '@preact/signals';
import { stream, token, whenSignedOut } from '../api/api.ts';

// The account that is signed in, in this tab.

export const address = signal<string | null>(sessionStorage.getItem('address'));
export const expiresAt = signal<string | null>(sessionStorage.getItem('expires_at'));
export const isSignedIn = computed(() => token.value !== null && address.value !== null);
/** Why the session ended, if the user did not end it. */
export const signedOutBecause = signal<string | null>(null);

export function beginSession({ token: text, address: whose, expires_at: until }: Session): void {
  sessionStorage.setItem('token', text);
  sessionStorage.setItem('address', whose);
  sessionStorage.setItem('expires_at', until);
  token.value = text;
  address.value = whose;
  expiresAt.value = until;
  signedOutBecause.value = null;
  stream.refreshToken();
}

export function endSession(because: string | null = null): void {
  if (token.value === null) return;
  for (const name of ['token', 'address', 'expires_at']) sessionStorage.removeItem(name);
  token.value = null;
  address.value = null;
  expiresAt.value = null;
  signedOutBecause.value = because;
  stream.refreshToken();
}

whenSignedOut(() => endSession('TOKEN_EXPIRED'));
