import {
  type AccountNonce,
  type InstantCapacity,
  type IssuedSignature,
  type ReleaseApproval,
  type ReleaseVoucherTerms,
  SigningError,
  type VaultSigner,
  type VaultToken,
} from '../../application/ports/chain.ts';
import type { Address } from '../../domain/identifiers.ts';
import { spotVaultAbi } from '../abi/spot-vault-abi.ts';
import {
  asChainError,
  type ChainAccess,
  requireConnection,
  requireNoHalt,
  requireVaultSigning,
} from '../chain-connection.ts';
import { readContract } from '../contract-calls.ts';
import { toHexAddress } from '../evm-values.ts';
import { SignerRefusedError } from '../signers/remote-signer.ts';
import { loadAccountNonce } from './load-account-nonce.ts';
import { loadInstantCapacity } from './load-instant-capacity.ts';

/** Signs withdrawals from the vault. */
export class ChainVaultSigner implements VaultSigner {
  readonly #access: ChainAccess;

  constructor(access: ChainAccess) {
    this.#access = access;
  }

  get contractAddress(): Address | null {
    return this.#access.connection?.contracts.spotVault ?? null;
  }

  get isSigning(): boolean {
    return this.#access.connection !== null && this.#access.vaultFault === null;
  }

  findToken(symbol: string, isReturn = false): VaultToken | null {
    const tokens = this.#access.connection?.tokens ?? [];
    const found = tokens.find((token) => token.symbol === symbol && token.areWithdrawalsOn);
    return found === undefined || (found.isAddedLater === true && !isReturn) ? null : found;
  }

  findTokenAt(address: Address): VaultToken | null {
    const tokens = this.#access.connection?.tokens ?? [];
    return tokens.find((token) => token.address === address && token.areDepositsOn) ?? null;
  }

  async loadStanding(account: Address): Promise<AccountNonce> {
    const { node, contracts } = requireConnection(this.#access);
    return loadAccountNonce(node, (at) =>
      readContract(node, {
        address: contracts.spotVault,
        abi: spotVaultAbi,
        functionName: 'releaseNonce',
        args: [toHexAddress(account)],
        at,
      }),
    );
  }

  async loadWindowUsed(token: Address): Promise<bigint> {
    const { node, contracts, version } = requireConnection(this.#access);
    // The first version has no limits.
    if (version === 1) return 0n;
    return asChainError(() =>
      readContract(node, {
        address: contracts.spotVault,
        abi: spotVaultAbi,
        functionName: 'windowUsed',
        args: [toHexAddress(token)],
      }),
    );
  }

  async loadInstantCapacity(token: Address): Promise<InstantCapacity | null> {
    const connection = requireConnection(this.#access);
    // The first version has no limits.
    if (connection.version === 1) return null;
    return asChainError(() => loadInstantCapacity(connection, token));
  }

  async signRelease(
    terms: ReleaseVoucherTerms,
    approval?: ReleaseApproval,
  ): Promise<IssuedSignature> {
    const { signers, vaultDomain } = requireVaultSigning(this.#access);
    await requireNoHalt(this.#access, 'vault');
    try {
      const voucher = {
        account: terms.account,
        token: terms.token,
        value: terms.rawAmount,
        nonce: BigInt(terms.nonce),
        deadline: BigInt(terms.deadline),
      };
      const signature = await signers.vault.signRelease(vaultDomain, voucher, approval);
      return { signature, signer: signers.vault.address };
    } catch (cause) {
      const isUnavailable = cause instanceof SignerRefusedError && cause.refusal === null;
      throw new SigningError('the release could not be signed', { cause, isUnavailable });
    }
  }
}
