import { hkdfSync } from 'node:crypto';
import { type Hex, isAddress } from 'viem';
import { fromHexAddress } from '../evm-values.ts';
import type { ChainSigner, ChainSigners } from './chain-signer.ts';
import { createLocalSigner } from './local-signer.ts';
import { createRemoteSigner } from './remote-signer.ts';

// Where the service's keys lie. Either one key for development, from which those of the other roles
// are derived, or one setting for each role: `local:HEX` or `rpc:URL#ADDRESS`.

export type SignerSettings =
  | { readonly privateKey: string }
  | {
      readonly settler: string;
      readonly reward: string;
      readonly vault: string;
      /** Bearer token of remote signers. */
      readonly token: string | null;
    };

/** The keys for contracts that know roles, and for those of the first version. */
export interface SignerKeys {
  readonly byRole: ChainSigners;
  /** Contracts of the first version know one operator for everything. */
  readonly forFirstVersion: ChainSigners;
}

/** @throws Error that says which setting is wrong, never what it holds. */
export function createSigners(settings: SignerSettings): SignerKeys {
  if ('privateKey' in settings) return derivedSigners(settings.privateKey);
  const { token } = settings;
  const byRole = {
    settler: createSigner('SETTLER_SIGNER', settings.settler, token),
    reward: createSigner('REWARD_SIGNER', settings.reward, token),
    vault: createSigner('VAULT_SIGNER', settings.vault, token),
  };
  return { byRole, forFirstVersion: byRole };
}

// The rewards' key is the setting itself: it is the one that claims are signed with.
function derivedSigners(privateKey: string): SignerKeys {
  const reward = createLocalSigner(privateKey);
  const byRole = {
    reward,
    settler: createLocalSigner(derivedKey(privateKey, 'settler')),
    vault: createLocalSigner(derivedKey(privateKey, 'vault')),
  };
  return { byRole, forFirstVersion: { reward, settler: reward, vault: reward } };
}

/** The key of another role that follows from the one for rewards. */
export function derivedKey(privateKey: string, role: string): Hex {
  const secret = Buffer.from(privateKey.slice(2), 'hex');
  const bytes = hkdfSync('sha256', secret, '', `openbourse signer ${role}`, 32);
  return `0x${Buffer.from(bytes).toString('hex')}`;
}

const remotePattern = /^rpc:(?<url>(?:https?:\/\/|unix:\/)[^#]+)#(?<address>0x[0-9a-fA-F]{40})$/;

/** Whether the text names a signer; a checksum is held to where there is one. */
export function isSignerSetting(text: string): boolean {
  if (/^local:(0x)?[0-9a-fA-F]{64}$/.test(text)) return true;
  const { address } = remotePattern.exec(text)?.groups ?? {};
  return address !== undefined && isAddress(address);
}

/**
 * The signer that a setting names.
 * @throws Error that says which setting is wrong, never what it holds.
 */
export function createSigner(name: string, setting: string, token: string | null): ChainSigner {
  if (!isSignerSetting(setting)) throw new Error(`${name} must be local:HEX or rpc:URL#ADDRESS`);
  if (setting.startsWith('local:')) {
    return createLocalSigner(`0x${setting.slice('local:'.length).replace(/^0x/, '')}`);
  }
  const { url = '', address = '' } = remotePattern.exec(setting)?.groups ?? {};
  return createRemoteSigner({ url, address: fromHexAddress(address as Hex), token });
}
