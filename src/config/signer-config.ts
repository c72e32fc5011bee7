import type { Environment } from './env.ts';
import type { NetworkKind } from './test-networks.ts';

/** Where the service's keys are stored: one from which the others are derived, or one per role. */
export type SignerConfig =
  | { readonly privateKey: string }
  | {
      readonly settler: string;
      readonly reward: string;
      readonly vault: string;
      readonly guardian: string | null;
      readonly token: string | null;
    };

const roleSettings = ['SETTLER_SIGNER', 'REWARD_SIGNER', 'VAULT_SIGNER'] as const;
/** With the guardian's, which nobody needs. */
const allSettings = [...roleSettings, 'GUARDIAN_SIGNER'] as const;

export function hasRoleSigners(environment: Environment): boolean {
  return roleSettings.every((name) => environment[name] !== null);
}

/**
 * Contradictions between the settings of the keys, one sentence each, none of which quotes a key.
 */
export function findSignerProblems(environment: Environment, kind: NetworkKind): readonly string[] {
  const given = allSettings.filter((name) => environment[name] !== null);
  const isRealChain = kind === 'main' && environment.CHAIN_RPC_URL !== null;
  const problems: string[] = [];
  if (given.length > 0 || isRealChain) {
    for (const name of roleSettings) {
      if (given.includes(name)) continue;
      const reason = isRealChain ? 'on a main network' : `with ${given.join(' and ')}`;
      problems.push(`${name} is required ${reason}`);
    }
    if (environment.SIGNER_PRIVATE_KEY !== null) {
      const reason = isRealChain ? 'one key for all roles' : 'each role has its own signer';
      problems.push(`SIGNER_PRIVATE_KEY must not be set: ${reason}`);
    }
  }
  if (isRealChain) {
    for (const name of given) {
      if (environment[name]?.startsWith('local:')) {
        problems.push(`${name} must not be local: on a main network`);
      }
    }
  }
  const signers = given.map((name) => environment[name]?.replace(/^.*[#:]/, '').toLowerCase());
  if (new Set(signers).size < signers.length) {
    problems.push(`${given.join(', ')} must be different keys`);
  }
  return problems;
}

export function signerConfig(environment: Environment, privateKey: string): SignerConfig {
  const { SETTLER_SIGNER, REWARD_SIGNER, VAULT_SIGNER, GUARDIAN_SIGNER, SIGNER_TOKEN } =
    environment;
  if (SETTLER_SIGNER === null || REWARD_SIGNER === null || VAULT_SIGNER === null) {
    return { privateKey: `0x${privateKey}` };
  }
  return {
    settler: SETTLER_SIGNER,
    reward: REWARD_SIGNER,
    vault: VAULT_SIGNER,
    guardian: GUARDIAN_SIGNER,
    token: SIGNER_TOKEN,
  };
}
