import { signIn } from '@openbourse/client';
import { signal } from '@preact/signals';
import { api } from '../api/api.ts';
import { WalletError } from '../api/shown-error.ts';
import { address, beginSession, signOut } from '../feed/session.ts';
import { type AnnouncedWallet, announced, type Provider } from './discover.ts';

// The wallet in use: it signs in, and sends the transactions.

export interface Wallet {
  readonly name: string;
  readonly provider: Provider;
  /** Created by this page for a test network. */
  readonly isTest: boolean;
}

export const wallet = signal<Wallet | null>(null);
/** In lower case; the wallet's current account, which need not be the one that is signed in. */
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

/**
 * Calls the wallet.
 * @throws WalletError with a code of the page.
 */
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
  // Changing the account in the wallet means a different user, unless it is the one signed in.
  if (first === before || first === address.value || address.value === null) return;
  // The page no longer has the token; a service out of reach takes it until it expires.
  signOut('WRONG_ACCOUNT').catch(() => undefined);
}

function takeChain(chain: unknown): void {
  walletChain.value = Number(chain);
}

function leave(): void {
  wallet.value?.provider.removeListener?.('accountsChanged', takeAccounts);
  wallet.value?.provider.removeListener?.('chainChanged', takeChain);
}

/** Starts using a wallet; only the chosen one's events are handled. */
export async function useWallet(
  chosen: Wallet,
  method: 'eth_requestAccounts' | 'eth_accounts',
): Promise<string | null> {
  const accounts = await ask<readonly string[]>(chosen.provider, method);
  // A wallet without its node can still sign in; its chain is unknown.
  const chain = await ask(chosen.provider, 'eth_chainId').then(Number, () => null);
  leave();
  walletAccount.value = accounts[0]?.toLowerCase() ?? null;
  walletChain.value = chain;
  // Last, as what waits for a wallet uses its account and chain at once.
  wallet.value = chosen;
  chosen.provider.on?.('accountsChanged', takeAccounts);
  chosen.provider.on?.('chainChanged', takeChain);
  return accounts[0] ?? null;
}

/**
 * Asks the wallet to switch to a chain.
 * @throws WalletError
 */
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

/** Restores the wallet of the last sign-in without prompting its owner. */
export function reconnect(): void {
  const rdns = localStorage.getItem('wallet');
  if (rdns === null || address.value === null || wallet.value !== null) return;
  const known = announced.value.find((each) => each.rdns === rdns);
  if (known !== undefined) useWallet(walletOf(known), 'eth_accounts').catch(() => undefined);
}

/** The bytes of a text in the hex form that wallets expect. */
export function hexOf(text: string): string {
  const bytes = [...new TextEncoder().encode(text)];
  return `0x${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Signs in with a wallet; `show` gets the message first and resolves to whether to continue. */
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
