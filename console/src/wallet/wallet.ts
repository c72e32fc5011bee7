import { signIn } from '@openbourse/client';
import { signal } from '@preact/signals';
import { api } from '../api/api.ts';
import { WalletError } from '../api/trouble.ts';
import { address, beginSession, endSession } from '../feed/session.ts';
import { type AnnouncedWallet, announced, type Provider } from './discover.ts';

// The wallet in use: it signs in, and it sends the steps that happen on the chain.

export interface Wallet {
  readonly name: string;
  readonly provider: Provider;
  /** Made by this page for a test network. */
  readonly isTest: boolean;
}

export const wallet = signal<Wallet | null>(null);
/** In lower case; what the wallet shows now, which need not be who is signed in. */
export const walletAccount = signal<string | null>(null);
export const walletChain = signal<number | null>(null);

interface RpcError {
  readonly code?: number;
  readonly message?: string;
}

const refusals: Readonly<Record<number, string>> = {
  4001: 'REFUSED_IN_WALLET',
  [-32002]: 'LOOK_INTO_WALLET',
  4100: 'NO_WALLET',
  4901: 'WRONG_NETWORK',
};

/** Asks the wallet. @throws WalletError with a code of the page. */
export async function ask<T>(
  provider: Provider,
  method: string,
  params: readonly unknown[] = [],
): Promise<T> {
  try {
    return (await provider.request({ method, params })) as T;
  } catch (error) {
    const { code, message } = error as RpcError;
    const known = refusals[code ?? 0];
    if (known !== undefined) throw new WalletError(known, { cause: error });
    throw new WalletError('WALLET_ERROR', { detail: message ?? null, cause: error });
  }
}

function takeAccounts(accounts: unknown): void {
  const first = (accounts as readonly string[])[0]?.toLowerCase() ?? null;
  const before = walletAccount.value;
  walletAccount.value = first;
  // Who changes the account in the wallet is somebody else now.
  if (before !== null && first !== before && address.value !== null) endSession('WRONG_ACCOUNT');
}

function takeChain(chain: unknown): void {
  walletChain.value = Number(chain);
}

function leave(): void {
  wallet.value?.provider.removeListener?.('accountsChanged', takeAccounts);
  wallet.value?.provider.removeListener?.('chainChanged', takeChain);
}

/** Begins to use a wallet; listens to the chosen one alone. */
export async function useWallet(
  chosen: Wallet,
  method: 'eth_requestAccounts' | 'eth_accounts',
): Promise<string | null> {
  const accounts = await ask<readonly string[]>(chosen.provider, method);
  leave();
  wallet.value = chosen;
  walletAccount.value = accounts[0]?.toLowerCase() ?? null;
  walletChain.value = Number(await ask(chosen.provider, 'eth_chainId'));
  chosen.provider.on?.('accountsChanged', takeAccounts);
  chosen.provider.on?.('chainChanged', takeChain);
  return accounts[0] ?? null;
}

/** Asks the wallet to change to a chain. @throws WalletError */
export async function switchChain(chainId: number): Promise<void> {
  const used = wallet.value;
  if (used === null) throw new WalletError('NO_WALLET');
  await ask(used.provider, 'wallet_switchEthereumChain', [
    { chainId: `0x${chainId.toString(16)}` },
  ]);
  walletChain.value = Number(await ask(used.provider, 'eth_chainId'));
}

export function walletOf({ name, provider }: AnnouncedWallet): Wallet {
  return { name, provider, isTest: false };
}

/** Takes up the wallet of the last sign-in again, without a question to its owner. */
export function reconnect(): void {
  const rdns = localStorage.getItem('wallet');
  if (rdns === null || address.value === null || wallet.value !== null) return;
  const known = announced.value.find((each) => each.rdns === rdns);
  if (known !== undefined) useWallet(walletOf(known), 'eth_accounts').catch(() => undefined);
}

/** The bytes of a text as wallets take them. */
export function hexOf(text: string): string {
  const bytes = [...new TextEncoder().encode(text)];
  return `0x${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Signs in with a wallet; `show` sees the message first and says whether to go on. */
export async function signInWith(
  chosen: Wallet,
  show: (text: string) => Promise<boolean>,
): Promise<void> {
  const account = await useWallet(chosen, 'eth_requestAccounts');
  if (account === null) throw new WalletError('NO_WALLET');
  const { chain_id: chainId } = await api.call('GET /api/v1/chain/info');
  const session = await signIn(api, {
    address: account,
    review: async (message, text) => {
      const isOurs =
        message.domain === location.host &&
        message.address.toLowerCase() === account.toLowerCase() &&
        message.chainId === chainId;
      if (!isOurs) throw new WalletError('WRONG_MESSAGE');
      if (!(await show(text))) throw new WalletError('REFUSED_IN_WALLET');
    },
    signMessage: (message) =>
      ask<string>(chosen.provider, 'personal_sign', [hexOf(message), account]),
  });
  beginSession(session);
}
