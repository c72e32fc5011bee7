import { signal } from '@preact/signals';

export const isMenuOpen = signal(false);

/** Opens the list of wallets from any place that offers to sign in. */
export function openSignIn(): void {
  isMenuOpen.value = true;
}
