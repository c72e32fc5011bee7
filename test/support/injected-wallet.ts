import type { BrowserContext } from 'playwright-core';
import { createWalletClient, http, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';

// A wallet's extension as pages meet it (EIP-6963, EIP-1193): it announces itself, keeps its key
// outside the page, and outlives a reload.

interface Call {
  readonly method: string;
  readonly params?: readonly unknown[];
}

export interface InjectedWallet {
  readonly address: string;
  /** Refuses whatever it is asked, as its owner would (EIP-1193, 4001). */
  isRefusing: boolean;
  /** The chain that it shows; null: that of its node. */
  chainId: number | null;
  /** What it answers to a method in place of its node. */
  readonly answers: Map<string, (params: readonly unknown[]) => unknown>;
  /** The page's requests to it, in order. */
  readonly asked: readonly string[];
}

const script = `{
  const listeners = new Map();
  const request = async (call) => {
    const { result, error } = await window.askInjectedWallet(call);
    if (error) throw error;
    return result;
  };
  const provider = {
    request,
    on: (name, listener) => listeners.set(name, listener),
    removeListener: (name) => listeners.delete(name),
  };
  window.isInjectedWalletHeard = (name) => listeners.has(name);
  window.tellInjectedWallet = (name, value) => listeners.get(name)?.(value);
  const info = { uuid: 'injected', name: 'Injected wallet', icon: '', rdns: 'test.injected' };
  const detail = Object.freeze({ info, provider });
  const announce = () =>
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  addEventListener('eip6963:requestProvider', announce);
  announce();
}`;

export interface InjectedWalletOptions {
  /** Absent: a new one. */
  readonly privateKey?: `0x${string}`;
  /** The node that the wallet uses. Absent: the one that the service names. */
  readonly rpcUrl?: string;
}

/** Puts a wallet into every page of the context. */
export async function injectWallet(
  context: BrowserContext,
  serviceUrl: string,
  { privateKey = generatePrivateKey(), rpcUrl }: InjectedWalletOptions = {},
): Promise<InjectedWallet> {
  const account = privateKeyToAccount(privateKey);
  const asked: string[] = [];
  const wallet: InjectedWallet = {
    address: account.address.toLowerCase(),
    isRefusing: false,
    chainId: null,
    answers: new Map(),
    asked,
  };
  const info = (await (await fetch(`${serviceUrl}/api/v1/chain/info`)).json()) as {
    readonly chain_id: number;
    readonly rpc_url: string;
  };
  const chain = { ...foundry, id: info.chain_id };
  const client = createWalletClient({ account, chain, transport: http(rpcUrl ?? info.rpc_url) });
  const ask = (method: string, params: readonly unknown[]): Promise<unknown> =>
    client.request({ method, params } as never);

  const answerCall = async ({ method, params = [] }: Call): Promise<unknown> => {
    const own = wallet.answers.get(method);
    if (own !== undefined) return own(params);
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [account.address];
    if (method === 'eth_chainId' && wallet.chainId !== null) return toHex(wallet.chainId);
    if (method === 'wallet_switchEthereumChain') {
      wallet.chainId = Number((params[0] as { chainId: string }).chainId);
      return null;
    }
    if (method === 'personal_sign') {
      return account.signMessage({ message: { raw: params[0] as `0x${string}` } });
    }
    if (method === 'eth_signTypedData_v4') {
      const typedData: unknown = JSON.parse(params[1] as string);
      return account.signTypedData(typedData as Parameters<typeof account.signTypedData>[0]);
    }
    if (method !== 'eth_sendTransaction') return ask(method, params);
    await ask('anvil_setBalance', [account.address, '0xde0b6b3a7640000']);
    const { to, data } = params[0] as { to: `0x${string}`; data: `0x${string}` };
    return client.sendTransaction({ to, data });
  };

  await context.exposeFunction('askInjectedWallet', async (call: Call) => {
    asked.push(call.method);
    const isQuestion = ['personal_sign', 'eth_signTypedData_v4', 'eth_sendTransaction'].includes(
      call.method,
    );
    if (wallet.isRefusing && isQuestion) return { error: { code: 4001, message: 'rejected' } };
    try {
      return { result: await answerCall(call) };
    } catch (error) {
      return { error: { code: -32_000, message: String(error) } };
    }
  });
  await context.addInitScript(script);
  return wallet;
}
