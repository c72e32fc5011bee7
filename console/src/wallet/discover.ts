import { signal } from '@preact/signals';
import { foreignText } from '../text/foreign.ts';

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
  /** Of this announcement, in this page. */
  readonly uuid: string;
  /** The wallet's identifier in reverse domain notation, stored as the one last used. */
  readonly rdns: string;
  readonly name: string;
  /** A data URI, only shown as an image. */
  readonly icon: string;
  readonly provider: Provider;
}

export const announced = signal<readonly AnnouncedWallet[]>([]);

const nameLengthMax = 40;

// Any extension can announce anything: one that takes the name of another does not take its place.
addEventListener('eip6963:announceProvider', (event) => {
  const { info, provider } = (
    event as CustomEvent<{ info: Omit<AnnouncedWallet, 'provider'>; provider: Provider }>
  ).detail;
  const { uuid, rdns, icon } = info;
  const wallet = { uuid, rdns, name: foreignText(info.name, nameLengthMax), icon, provider };
  announced.value = [...announced.value.filter((each) => each.uuid !== uuid), wallet];
});

/** Asks the installed wallets to announce themselves. */
export function askForWallets(): void {
  dispatchEvent(new Event('eip6963:requestProvider'));
}
