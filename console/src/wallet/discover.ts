import { signal } from '@preact/signals';

// Wallets announce themselves (EIP-6963). `window.ethereum` is not used: several extensions compete
// for it, and one other than the chosen would answer.

export interface Provider {
  request(call: {
    readonly method: string;
    readonly params?: readonly unknown[];
  }): Promise<unknown>;
  on?(event: string, listener: (value: unknown) => void): void;
  removeListener?(event: string, listener: (value: unknown) => void): void;
}

export interface AnnouncedWallet {
  /** The wallet's identifier in reverse domain notation, stored as the one last used. */
  readonly rdns: string;
  readonly name: string;
  /** A data URI, only shown as an image. */
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

/** Asks the installed wallets to announce themselves. */
export function askForWallets(): void {
  dispatchEvent(new Event('eip6963:requestProvider'));
}
