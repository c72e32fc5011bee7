import type { Logger } from '../../observability/log.ts';
import type { ChainConnection } from '../chain-connection.ts';
import type { ChainHalts } from '../halts.ts';
import type { ChainNode } from '../node/chain-node.ts';
import { ChainUnavailableError } from '../node/json-rpc.ts';
import { addressesOf } from '../signers/chain-signer.ts';
import { findDeploymentFaults } from './check-deployment.ts';
import { type CheckedNode } from './checked-node.ts';
import type {
  CheckedPart,
  ContractName,
  DeploymentFault,
  ExpectedDeployment,
} from './expected-deployment.ts';

// Compares the chain with the manifest at each connection, after each interruption, and again from
// time to time. What differs stops signing and settling with the contracts concerned. A role that
// changes under a running service was not announced in its manifest: that halts signing.

export interface DeploymentWatchOptions {
  /** Null without a manifest: then there is nothing to compare. */
  readonly expected: ExpectedDeployment | null;
  readonly halts: Pick<ChainHalts, 'raise'>;
  readonly log: Logger;
  /** Milliseconds. */
  readonly now: () => number;
}

const againMs = 10 * 60_000;
const unknownFault = 'the contracts have not been compared with the manifest yet';

interface Comparison {
  readonly connection: ChainConnection;
  readonly at: number;
  readonly faults: readonly DeploymentFault[];
}

export class DeploymentWatch {
  readonly #options: DeploymentWatchOptions;
  #last: Comparison | null = null;
  #isDue = true;

  constructor(options: DeploymentWatchOptions) {
    this.#options = options;
  }

  /** The number of differences of each contract; empty without a manifest. */
  get differences(): readonly (readonly [part: CheckedPart, count: number])[] {
    if (this.#options.expected === null || this.#last === null) return [];
    const { faults } = this.#last;
    return parts.map((part) => [part, faults.filter((fault) => fault.part === part).length]);
  }

  /** Why this contract is not used; null while everything is as the manifest says. */
  faultOf(name: ContractName): string | null {
    if (this.#options.expected === null) return null;
    if (this.#last === null) return unknownFault;
    const fault = this.#last.faults.find(({ part }) => concerns(part, name));
    return fault === undefined ? null : `differs from the manifest: ${fault.text}`;
  }

  /** The node was out of reach: what it shows is compared again once it is back. */
  noteInterruption(): void {
    this.#isDue = true;
  }

  /**
   * Compares if the connection is new or was interrupted, if something differed, or if the last
   * comparison is old.
   * @throws ChainUnavailableError, DatabaseError
   */
  async checkIfDue(connection: ChainConnection): Promise<void> {
    const { expected, now } = this.#options;
    if (expected === null || !this.#mustCheck(connection)) return;
    const faults = [
      ...(await findDeploymentFaults(checkedNode(connection.node), { expected, deployer: null })),
      ...keyFaults(connection, expected),
    ];
    const before = this.#last?.connection === connection ? this.#last.faults : null;
    this.#last = { connection, at: now(), faults };
    this.#isDue = false;
    await this.#report(faults, before);
  }

  #mustCheck(connection: ChainConnection): boolean {
    const last = this.#last;
    if (last?.connection !== connection || this.#isDue) return true;
    return last.faults.length > 0 || this.#options.now() - last.at >= againMs;
  }

  async #report(
    faults: readonly DeploymentFault[],
    before: readonly DeploymentFault[] | null,
  ): Promise<void> {
    const { log, halts } = this.#options;
    const known = new Set((before ?? []).map(({ text }) => text));
    for (const { part, isRole, text } of faults) {
      if (known.has(text)) continue;
      log.error({ part, fault: text }, 'the chain differs from the manifest');
      if (before !== null && isRole) await halts.raise({ kind: 'role_changed', detail: text });
    }
  }
}

const parts = ['rewardRouter', 'referralRebate', 'spotVault', 'timelock', 'node', 'asset'] as const;

// An asset's fault is about that asset alone, which the connection's own check switches off.
function concerns(part: CheckedPart, name: ContractName): boolean {
  return part === name || part === 'timelock' || part === 'node';
}

/** Compares the service's keys with the roles in the manifest. */
function keyFaults(
  { signers }: ChainConnection,
  { roles }: ExpectedDeployment,
): readonly DeploymentFault[] {
  if (roles === undefined) return [];
  const { settler, reward, vault } = addressesOf(signers);
  const keys = [
    ['rewardRouter', 'settler', settler, roles.settler],
    ['referralRebate', 'settler', settler, roles.settler],
    ['rewardRouter', 'reward signer', reward, roles.rewardSigner],
    ['spotVault', 'vault signer', vault, roles.vaultSigner],
  ] as const;
  return keys.flatMap(([part, role, own, wanted]) => {
    if (own === wanted.toLowerCase()) return [];
    const text = `${part}: the ${role} of this service is ${own}, not ${wanted}`;
    return [{ part, isRole: false, text }];
  });
}

function checkedNode(node: ChainNode): CheckedNode {
  const { loadSlot } = node;
  return {
    loadChainId: () => node.loadChainId(),
    loadCode: (address) => node.loadCode(address),
    call: (call, at) => node.call(call, at),
    loadHead: () => node.loadHead(),
    loadFinal: (tag) => node.loadFinal(tag),
    findHeader: (number) => node.findHeader(number),
    provesSlot:
      loadSlot === undefined
        ? undefined
        : async (contract, { hash }) => {
            try {
              await loadSlot({ contract, slot: firstSlot, blockHash: hash });
              return true;
            } catch (error) {
              if (error instanceof ChainUnavailableError) return false;
              throw error;
            }
          },
  };
}

const firstSlot = `0x${'00'.repeat(32)}` as const;
