import { hkdfSync } from 'node:crypto';
import { type Hex, isAddress } from 'viem';
import type { SignerHead } from '../../application/ports/signer-log.ts';
import type { Address } from '../../domain/identifiers.ts';
import { fromHexAddress } from '../evm-values.ts';
import type { ChainSigner, ChainSigners } from './chain-signer.ts';
import { createLocalSigner } from './local-signer.ts';
import { createRemoteSigner } from './remote-signer.ts';

// Where the service's keys are. Either one key for development, from which the other roles' keys
// are derived, or one setting for each role: `local:HEX` or `rpc:URL#ADDRESS`.

export type SignerSettings =
  | { readonly privateKey: string }
  | {
      readonly settler: string;
      readonly reward: string;
      readonly vault: string;
      /** Without it, no contract is paused from here. */
      readonly guardian?: string | null;
      /** The bearer token for remote signers. */
      readonly token: string | null;
    };

/** Called with the length of a signer's log, before its signature is used. */
export type NoteHead = (signer: Address, head: SignerHead) => Promise<void>;

/** The keys for contracts with roles, and for contracts of the first version. */
export interface SignerKeys {
  readonly byRole: ChainSigners;
  /** Contracts of the first version have one operator for everything. */
  readonly forFirstVersion: ChainSigners;
  /** Pauses contracts; null without a setting. */
  readonly guardian: ChainSigner | null;
}

/** @throws Error that says which setting is wrong, never its value. */
export function createSigners(settings: SignerSettings, noteHead?: NoteHead): SignerKeys {
  if ('privateKey' in settings) return derivedSigners(settings.privateKey);
  const { token, guardian = null } = settings;
  const byRole = {
    settler: createSigner('SETTLER_SIGNER', settings.settler, token, noteHead),
    reward: createSigner('REWARD_SIGNER', settings.reward, token, noteHead),
    vault: createSigner('VAULT_SIGNER', settings.vault, token, noteHead),
  };
  return {
    byRole,
    forFirstVersion: byRole,
    guardian: guardian === null ? null : createSigner('GUARDIAN_SIGNER', guardian, token, noteHead),
  };
}

// The key for rewards is the setting itself: claims are signed with it.
function derivedSigners(privateKey: string): SignerKeys {
  const reward = createLocalSigner(privateKey);
  const byRole = {
    reward,
    settler: createLocalSigner(derivedKey(privateKey, 'settler')),
    vault: createLocalSigner(derivedKey(privateKey, 'vault')),
  };
  return {
    byRole,
    forFirstVersion: { reward, settler: reward, vault: reward },
    guardian: createLocalSigner(derivedKey(privateKey, 'guardian')),
  };
}

/** Derives another role's key from the key for rewards. */
export function derivedKey(privateKey: string, role: string): Hex {
  const secret = Buffer.from(privateKey.slice(2), 'hex');
  const bytes = hkdfSync('sha256', secret, '', `openbourse signer ${role}`, 32);
  return `0x${Buffer.from(bytes).toString('hex')}`;
}

const remotePattern = /^rpc:(?<url>(?:https?:\/\/|unix:\/)[^#]+)#(?<address>0x[0-9a-fA-F]{40})$/;

/** Whether the text names a signer; if the address has a checksum, it must be correct. */
function isSignerSetting(text: string): boolean {
  if (/^local:(0x)?[0-9a-fA-F]{64}$/.test(text)) return true;
  const { address } = remotePattern.exec(text)?.groups ?? {};
  return address !== undefined && isAddress(address);
}

/**
 * Creates the signer that a setting names.
 * @throws Error that says which setting is wrong, never its value.
 */
export function createSigner(
  name: string,
  setting: string,
  token: string | null,
  noteHead?: NoteHead,
): ChainSigner {
  if (!isSignerSetting(setting)) throw new Error(`${name} must be local:HEX or rpc:URL#ADDRESS`);
  if (setting.startsWith('local:')) {
    return createLocalSigner(`0x${setting.slice('local:'.length).replace(/^0x/, '')}`);
  }
  const { url = '', address = '' } = remotePattern.exec(setting)?.groups ?? {};
  const signer = fromHexAddress(address as Hex);
  return createRemoteSigner({
    url,
    address: signer,
    token,
    noteHead: noteHead === undefined ? undefined : (head) => noteHead(signer, head),
  });
}
