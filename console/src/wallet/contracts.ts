import { encodeFunctionData, parseAbi } from 'viem';
import { WalletError } from '../api/shown-error.ts';
import { address } from '../feed/session.ts';
import { site } from '../feed/site.ts';
import * as texts from '../text/en/wallet.ts';
import { ask, wallet, walletAccount, walletChain } from './wallet.ts';

// The contract calls that the wallet sends, and waiting for their receipts.

const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function allowance(address owner, address spender)',
  'function mint(address to, uint256 amount)',
  'function deposit(address token, uint256 amount)',
  'function release(address token, uint256 amount, uint256 nonce, uint256 deadline, bytes signature)',
  'function redeemReward(uint256 amount, uint256 deadline, bytes signature)',
]);

type Hex = `0x${string}`;

function requireWallet() {
  const used = wallet.value;
  if (used === null) throw new WalletError('NO_WALLET');
  if (walletAccount.value !== address.value) {
    const detail = texts.walletAtOtherAccount(walletAccount.value, address.value);
    throw new WalletError('WRONG_ACCOUNT', { detail });
  }
  if (site.value !== null && walletChain.value !== site.value.chain_id)
    throw new WalletError('WRONG_NETWORK');
  return used;
}

/**
 * Sends a call with the wallet and returns the transaction's hash.
 * @throws WalletError
 */
async function send(to: string, data: Hex): Promise<string> {
  const { provider } = requireWallet();
  return ask<string>(provider, 'eth_sendTransaction', [{ from: walletAccount.value, to, data }]);
}

const receiptWaitMs = 1_000;

/**
 * Resolves once the transaction is in a block.
 * @throws WalletError REVERTED
 */
export async function waitForReceipt(hash: string): Promise<void> {
  const { provider } = requireWallet();
  for (;;) {
    const receipt = await ask<{ readonly status: string } | null>(
      provider,
      'eth_getTransactionReceipt',
      [hash],
    );
    if (receipt !== null) {
      if (receipt.status !== '0x1') throw new WalletError('REVERTED');
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, receiptWaitMs));
  }
}

export function approve(token: string, spender: string, amount: bigint): Promise<string> {
  return send(
    token,
    encodeFunctionData({ abi, functionName: 'approve', args: [spender as Hex, amount] }),
  );
}

/** Mints test tokens on a development chain. */
export function mint(token: string, to: string, amount: bigint): Promise<string> {
  return send(token, encodeFunctionData({ abi, functionName: 'mint', args: [to as Hex, amount] }));
}

export function deposit(vault: string, token: string, amount: bigint): Promise<string> {
  return send(
    vault,
    encodeFunctionData({ abi, functionName: 'deposit', args: [token as Hex, amount] }),
  );
}

export interface SignedRelease {
  readonly contract_address: string;
  readonly raw_amount: string;
  readonly nonce: number | null;
  readonly deadline: number | null;
  readonly signature: string | null;
}

export function release(token: string, signed: SignedRelease): Promise<string> {
  const args = [
    token as Hex,
    BigInt(signed.raw_amount),
    BigInt(signed.nonce ?? 0),
    BigInt(signed.deadline ?? 0),
    signed.signature as Hex,
  ] as const;
  return send(signed.contract_address, encodeFunctionData({ abi, functionName: 'release', args }));
}

export interface SignedReward {
  readonly contract_address: string;
  readonly amount: string;
  readonly deadline: number;
  readonly signature: string;
}

export function redeemReward(signed: SignedReward): Promise<string> {
  const args = [BigInt(signed.amount), BigInt(signed.deadline), signed.signature as Hex] as const;
  return send(
    signed.contract_address,
    encodeFunctionData({ abi, functionName: 'redeemReward', args }),
  );
}

/** Reads a token's number of decimals from its contract. */
export async function decimalsOfToken(token: string): Promise<number> {
  const { provider } = requireWallet();
  const data = '0x313ce567';
  return Number(await ask<string>(provider, 'eth_call', [{ to: token, data }, 'latest']));
}

/** Reads how much of a token the wallet's account lets `spender` take. */
export async function allowanceOf(token: string, spender: string): Promise<bigint> {
  const { provider } = requireWallet();
  const args = [walletAccount.value as Hex, spender as Hex] as const;
  const data = encodeFunctionData({ abi, functionName: 'allowance', args });
  return BigInt(await ask<string>(provider, 'eth_call', [{ to: token, data }, 'latest']));
}
