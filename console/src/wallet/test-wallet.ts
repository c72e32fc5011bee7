import type { Endpoints } from '@openbourse/client';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { api } from '../api/api.ts';
import * as texts from '../text/en/wallet.ts';
import type { Provider } from './discover.ts';
import type { Wallet } from './wallet.ts';

// A wallet for test networks: its key exists only in this page's memory, and is worth nothing.

interface Call {
  readonly method: string;
  readonly params?: readonly unknown[];
}

interface Transaction {
  readonly to: `0x${string}`;
  readonly data: `0x${string}`;
}

type ChainMethod = Endpoints['POST /api/v1/chain/rpc']['body']['method'];

/** Calls the development chain through the service, since pages cannot call any other origin. */
async function askChain<T>(method: ChainMethod, params: readonly unknown[]): Promise<T> {
  const body = { method, params: [...params] };
  return (await api.call('POST /api/v1/chain/rpc', { body })).result as T;
}

// One ETH, which is free on a development chain.
const gasMoney = '0xde0b6b3a7640000';

export function makeTestWallet(chainId: number): Wallet {
  const account = privateKeyToAccount(generatePrivateKey());
  const { address } = account;
  const send = async ({ to, data }: Transaction): Promise<string> => {
    await askChain('anvil_setBalance', [address, gasMoney]);
    const [nonce, gas, gasPrice] = await Promise.all([
      askChain<string>('eth_getTransactionCount', [address, 'pending']),
      askChain<string>('eth_estimateGas', [{ from: address, to, data }]),
      askChain<string>('eth_gasPrice', []),
    ]);
    const signed = await account.signTransaction({
      chainId,
      to,
      data,
      type: 'legacy' as const,
      nonce: Number(nonce),
      gas: BigInt(gas),
      gasPrice: BigInt(gasPrice) * 2n,
    });
    return askChain('eth_sendRawTransaction', [signed]);
  };
  const request = async ({ method, params = [] }: Call): Promise<unknown> => {
    switch (method) {
      case 'eth_requestAccounts':
      case 'eth_accounts':
        return [address];
      case 'eth_chainId':
        return `0x${chainId.toString(16)}`;
      case 'personal_sign':
        return account.signMessage({ message: { raw: params[0] as `0x${string}` } });
      case 'eth_sendTransaction':
        return send(params[0] as Transaction);
      default:
        return askChain(method as ChainMethod, params);
    }
  };
  const provider: Provider = { request };
  return { name: texts.testWallet, provider, isTest: true };
}
