import type { Answer } from '@openbourse/client';
import { WalletError } from '../api/shown-error.ts';
import * as texts from '../text/en/wallet.ts';
import type { Provider } from './discover.ts';
import { ask, hexOf } from './wallet.ts';

// What an approver's wallet signs about a withdrawal in review. Any wallet can be used: it need not
// be the one that is signed in here, and one console can collect both signatures.

export type Review = Answer<'GET /api/v1/admin/withdrawals/reviews'>['items'][number];

export interface Verdict {
  readonly id: string;
  /**
   * In lower case, as reported by the wallet; the service recovers the signer from the signature.
   */
  readonly approver: string;
  readonly signature: string;
  /** For an approval, in Unix seconds. */
  readonly expires?: number;
  /** For a refusal. */
  readonly reason?: string;
}

const domainTypes = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];

const approvalTypes = [
  { name: 'id', type: 'string' },
  { name: 'account', type: 'address' },
  { name: 'token', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'expires', type: 'uint256' },
];

async function accountOf(provider: Provider): Promise<string> {
  const [account] = await ask<readonly string[]>(provider, 'eth_requestAccounts');
  if (account === undefined) throw new WalletError('NO_WALLET');
  return account;
}

/**
 * Signs ApproveRelease (eth_signTypedData_v4), valid until a Unix second.
 * @throws WalletError
 */
export async function signApproval(
  provider: Provider,
  review: Review,
  expires: number,
): Promise<Verdict> {
  const account = await accountOf(provider);
  const data = {
    types: { EIP712Domain: domainTypes, ApproveRelease: approvalTypes },
    primaryType: 'ApproveRelease',
    domain: {
      name: review.domain_name,
      version: '1',
      chainId: review.chain_id,
      verifyingContract: review.contract_address,
    },
    message: {
      id: review.id,
      account: review.account,
      token: review.token_address,
      value: review.raw_amount,
      expires: String(expires),
    },
  };
  const signature = await ask<string>(provider, 'eth_signTypedData_v4', [
    account,
    JSON.stringify(data),
  ]);
  return { id: review.id, approver: account.toLowerCase(), signature, expires };
}

/**
 * Signs the text of a refusal (personal_sign).
 * @throws WalletError
 */
export async function signRefusal(
  provider: Provider,
  { id, chain_id: chainId }: Review,
  reason: string,
): Promise<Verdict> {
  const account = await accountOf(provider);
  const text = `openbourse: refuse withdrawal ${id} on chain ${chainId}\nReason: ${reason}`;
  const signature = await ask<string>(provider, 'personal_sign', [hexOf(text), account]);
  return { id, approver: account.toLowerCase(), signature, reason };
}

/**
 * Parses a verdict as a colleague's console copies it or as `npm run approve` prints it; null if
 * the text is not a verdict on this withdrawal.
 */
export function readVerdict(text: string, id: string): Verdict | null {
  try {
    const value = JSON.parse(text) as Partial<Verdict>;
    const { signature = '', approver = texts.signedElsewhere(signature.slice(0, 12)) } = value;
    const isWhole =
      (value.id ?? id) === id &&
      /^0x[0-9a-fA-F]{130}$/.test(signature) &&
      (typeof value.expires === 'number') !== (typeof value.reason === 'string');
    return isWhole ? { ...value, id, approver, signature } : null;
  } catch {
    return null;
  }
}
