import { ChainError, SigningError } from '../application/ports/chain.ts';
import type { SignerRole } from '../application/ports/chain-halts.ts';
import type { ChainToken, ContractAddresses } from './chain-addresses.ts';
import type { ChainNode } from './node/chain-node.ts';
import { ChainRevertedError } from './node/chain-node.ts';
import { ChainUnavailableError } from './node/json-rpc.ts';
import type { ChainSigners } from './signers/chain-signer.ts';
import type { ContractVersion } from './signing/contract-version.ts';
import type { SigningDomain } from './typed-data.ts';

/** A chain that was checked once against the settings. */
export interface ChainConnection {
  readonly node: ChainNode;
  readonly chainId: number;
  readonly contracts: ContractAddresses;
  readonly usdt: ChainToken;
  readonly tokens: readonly ChainToken[];
  readonly rewardDomain: SigningDomain;
  readonly vaultDomain: SigningDomain;
  /** The version of the contracts; the first has one operator for every role. */
  readonly version: ContractVersion;
  readonly signers: ChainSigners;
}

/** What the readers and signers share: the connection, once there is one, and whether to sign. */
export interface ChainAccess {
  readonly connection: ChainConnection | null;
  /** Why no redemption may be signed; null while signing is on. */
  readonly signingFault: string | null;
  /** The same for releases of the vault: each contract is judged separately. */
  readonly vaultFault: string | null;
  /** The reason read from the database now; null if no halt is open. */
  loadHaltFault(role: SignerRole): Promise<string | null>;
}

/** @throws ChainError if the chain was never reached */
export function requireConnection({ connection }: ChainAccess): ChainConnection {
  if (connection === null) throw new ChainError('the chain is not connected');
  return connection;
}

/** @throws SigningError if nothing may be signed */
export function requireSigning(access: ChainAccess): ChainConnection {
  if (access.connection === null) throw new SigningError('the chain is not connected');
  if (access.signingFault !== null) throw new SigningError(access.signingFault);
  return access.connection;
}

/**
 * The last check before anything is signed: a halt raised in another process counts too.
 * @throws SigningError
 */
export async function requireNoHalt(access: ChainAccess, role: SignerRole): Promise<void> {
  const fault = await access.loadHaltFault(role).catch((cause: unknown) => {
    throw new SigningError('the halts cannot be read', { cause, isUnavailable: true });
  });
  if (fault !== null) throw new SigningError(fault, { isUnavailable: true });
}

/** @throws SigningError if no release may be signed */
export function requireVaultSigning(access: ChainAccess): ChainConnection {
  if (access.connection === null) throw new SigningError('the chain is not connected');
  if (access.vaultFault !== null) {
    throw new SigningError(access.vaultFault, { isUnavailable: true });
  }
  return access.connection;
}

/** Returns the work's result; a node failure or a contract's refusal is thrown as a ChainError. */
export async function asChainError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof ChainUnavailableError || cause instanceof ChainRevertedError) {
      throw new ChainError(cause.message, { cause });
    }
    throw cause;
  }
}
