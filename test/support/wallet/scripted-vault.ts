import {
  type AccountNonce,
  ChainError,
  type InstantCapacity,
  type IssuedSignature,
  type ReleaseApproval,
  type ReleaseVoucherTerms,
  SigningError,
  type VaultSigner,
  type VaultToken,
} from '../../../src/application/ports/chain.ts';
import type { Address } from '../../../src/domain/identifiers.ts';

export const vaultAddress = `0x${'5a'.repeat(20)}` as Address;
export const dfToken: VaultToken = {
  symbol: 'DF',
  address: `0x${'df'.repeat(20)}` as Address,
  decimals: 18,
};
export const usdtToken: VaultToken = {
  symbol: 'USDT',
  address: `0x${'dd'.repeat(20)}` as Address,
  decimals: 6,
};

/** The vault in the state that a test sets. */
export class ScriptedVault implements VaultSigner {
  contractAddress: Address | null = vaultAddress;
  isSigning = true;
  isQueryFailing = false;
  isSigningFailing = false;
  blockSeconds = 1_000_000;
  signer = `0x${'51'.repeat(20)}` as Address;
  /** Signatures that left this signer. */
  readonly signed: ReleaseVoucherTerms[] = [];
  /** What came with them. */
  readonly approvals: ReleaseApproval[] = [];
  windowUsed = 0n;
  instantRoom: InstantCapacity | null = null;
  readonly nonces = new Map<Address, number>();
  tokens: readonly VaultToken[] = [dfToken, usdtToken];
  /** A token that was named after the start and takes no deposits. */
  addedLater: VaultToken | null = null;

  findToken(symbol: string, isReturn = false): VaultToken | null {
    if (isReturn && this.addedLater?.symbol === symbol) return this.addedLater;
    return this.tokens.find((token) => token.symbol === symbol) ?? null;
  }

  findTokenAt(address: Address): VaultToken | null {
    return this.tokens.find((token) => token.address === address) ?? null;
  }

  async loadStanding(account: Address): Promise<AccountNonce> {
    if (this.isQueryFailing) throw new ChainError('the node does not answer');
    return { nonce: this.nonces.get(account) ?? 0, blockSeconds: this.blockSeconds };
  }

  async loadWindowUsed(): Promise<bigint> {
    if (this.isQueryFailing) throw new ChainError('the node does not answer');
    return this.windowUsed;
  }

  async loadInstantCapacity(): Promise<InstantCapacity | null> {
    return this.instantRoom;
  }

  async signRelease(
    terms: ReleaseVoucherTerms,
    approval?: ReleaseApproval,
  ): Promise<IssuedSignature> {
    if (approval !== undefined) this.approvals.push(approval);
    if (this.isSigningFailing) throw new SigningError('the key is gone');
    this.signed.push(terms);
    const words = `${terms.nonce.toString(16).padStart(4, '0')}${terms.deadline.toString(16)}`;
    return { signature: `0x${words}`, signer: this.signer };
  }
}
