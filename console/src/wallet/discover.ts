import { signal } from '@preact/signals';

// Wallets announce themselves (EIP-6963). `window.ethereum` is not looked at: several extensions
// fight over it, and another one than the chosen would answer.

export interface Provider {
  request(call: {
    readonly method: string;
    readonly params?: readonly unknown[];
  }): Promise<unknown>;
  on?(event: string, listener: (value: unknown) => void): void;
  removeListener?(event: string, listener: (value: unknown) => void): void;
}

export interface AnnouncedWallet {
  /** The wallet's name for itself in reverse domain notation, kept as the one last used. */
  readonly rdns: string;
  readonly name: string;
  /** A data URI, shown as an image only. */
  readonly icon: string;
  readonly provider: Provider;
}

export const announced = signal<readonly AnnouncedWallet[]>([]);

addEventListener('eip6963:announceProvider', (event) => {
  const { info, provider } = (
    event as CustomEvent<{ info: Omit<AnnouncedWallet, 'provider'>; provider: Provider }>
  ).detail;
  const wallet = { rdns: info.rdns, name: info.name, icon: info.icon, provider };
  announced.value = [...announced.value.filter(({ rdns }) => rdns !== wallet.rdns), wallet];
});

/** Asks the wallets that are there to announce themselves. */
export function askForWallets(): void {
  dispatchEvent(new Event('eip6963:requestProvider'));
}
