import { formatUnits } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { approvalTypedData } from '../application/admin/withdrawal-reviews.ts';
import type { DeploymentManifest } from '../config/deployment-manifest.ts';
import type { Address } from '../domain/identifiers.ts';
import { readKey } from './read-key.ts';

// What an approver sees of a withdrawal, and the data that is signed.

/** A withdrawal as GET /api/v1/admin/withdrawals/reviews lists it. */
export interface ListedReview {
  readonly id: string;
  readonly status: string;
  readonly wallet: string;
  readonly reasons: readonly string[];
  readonly account: string;
  readonly token: string;
  readonly amount: string;
  readonly token_address: string;
  readonly raw_amount: string;
  readonly contract_address: string;
  readonly chain_id: number;
  readonly domain_name: string;
}

/** One person's approval, as POST /api/v1/admin/withdrawals/:id/approve accepts it. */
export interface GivenApproval {
  readonly expires: number;
  readonly signature: string;
}

/** What is signed; `expires` in Unix seconds. */
export function typedDataOf(review: ListedReview, expires: number) {
  return approvalTypedData(
    { chainId: review.chain_id, vaultDomainName: review.domain_name },
    {
      id: review.id,
      account: review.account as Address,
      tokenAddress: review.token_address as Address,
      rawAmount: BigInt(review.raw_amount),
      contractAddress: review.contract_address as Address,
    },
    expires,
  );
}

/** The same as JSON for a wallet's eth_signTypedData_v4. */
export function walletJson(review: ListedReview, expires: number): string {
  const { domain, types, primaryType, message } = typedDataOf(review, expires);
  const domainType = [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ];
  const data = { domain, types: { EIP712Domain: domainType, ...types }, primaryType, message };
  return JSON.stringify(data, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

/**
 * Returns what the withdrawal pays according to the approver's own copy of the manifest, so that a
 * server that misrepresents the token is detected.
 * @throws Error that says what differs
 */
export function amountByManifest(review: ListedReview, manifest: DeploymentManifest): string {
  const { chainId, contracts, assets } = manifest;
  if (review.chain_id !== chainId) {
    throw new Error(`the withdrawal is for chain ${review.chain_id}, the manifest for ${chainId}`);
  }
  const vault = contracts.spotVault.address;
  if (review.contract_address.toLowerCase() !== vault) {
    throw new Error(`the vault is ${review.contract_address}, the manifest has ${vault}`);
  }
  const asset = assets.find(({ address }) => address === review.token_address.toLowerCase());
  if (asset === undefined) {
    throw new Error(`the manifest does not name the token ${review.token_address}`);
  }
  if (asset.symbol !== review.token) {
    throw new Error(`the token is ${review.token}, in the manifest ${asset.symbol}`);
  }
  return `${formatUnits(BigInt(review.raw_amount), asset.decimals)} ${asset.symbol}`;
}

/** @throws Error that does not reveal the file's content */
export async function signApproval(
  review: ListedReview,
  expires: number,
  keyFile: string,
): Promise<GivenApproval> {
  const account = privateKeyToAccount(readKey(keyFile));
  if (account.address.toLowerCase() === review.account.toLowerCase()) {
    throw new Error('an approver cannot approve a withdrawal to their own wallet');
  }
  return { expires, signature: await account.signTypedData(typedDataOf(review, expires)) };
}
