import { parseAbi } from 'viem';
import type {
  ContractKind,
  ContractSet,
  ContractStore,
  CountedAccount,
  ForeignWithdrawal,
} from '../application/ports/contracts.ts';
import type { Address } from '../domain/identifiers.ts';
import { rewardRouterAbi } from './abi/reward-router-abi.ts';
import { spotVaultAbi } from './abi/spot-vault-abi.ts';
import { readContract } from './contract-calls.ts';
import { fromHexAddress, toHexAddress } from './evm-values.ts';
import { type ChainNode, ChainRevertedError } from './node/chain-node.ts';
import { ChainRpcError, ChainUnavailableError } from './node/json-rpc.ts';

// Checks that the contracts in the settings are the ones that the database counts. A router that
// does not know what another one has paid would pay it again, and a vault's numbers would collide.
// So nothing is counted, settled or signed for contracts that do not continue these numbers.

export interface IdentityOptions {
  readonly node: ChainNode;
  readonly chainId: number;
  readonly contracts: ContractSet;
  readonly store: ContractStore;
}

const predecessorAbi = parseAbi(['function predecessor() view returns (address)']);
const accountsAtOnce = 20;
/** The withdrawals of one vault that a message names. */
const shownMax = 20;
const migrate = 'run contracts:migrate';

/**
 * Returns null if the database counts these contracts, or does so from now on; otherwise the reason
 * why not.
 * @throws ChainUnavailableError, DatabaseError
 */
export async function identifyContracts(options: IdentityOptions): Promise<string | null> {
  const { contracts, store, chainId } = options;
  const active = await store.loadActive();
  if (active === null) return adopt(options);
  const countedChain = await store.loadChainId();
  if (countedChain !== null && countedChain !== chainId) {
    return `this database counted chain ${countedChain}, not ${chainId}`;
  }
  for (const kind of ['rewardRouter', 'spotVault', 'referralRebate'] as const) {
    if (active[kind] === contracts[kind]) continue;
    // The database relies on nothing in the register; the other contracts must continue the
    // numbers.
    const fault =
      kind === 'referralRebate' ? null : await findSuccessionFault(options, kind, active[kind]);
    if (fault !== null) return fault;
    await store.succeed(kind, contracts[kind], chainId);
  }
  return null;
}

// The first connection of this database, which may already have counted events: everything it
// counted must then be in these contracts.
async function adopt({ node, store, contracts, chainId }: IdentityOptions): Promise<string | null> {
  const foreign = await store.listForeignWithdrawals(contracts.spotVault);
  if (foreign.length > 0) return `${listOf(foreign)}: ${migrate} -- --adopt`;
  const fault = await findDifference({ node, store, contracts });
  if (fault !== null) return `${fault}: this database counted another contract; ${migrate}`;
  await store.adopt(contracts, chainId);
  return null;
}

function listOf(foreign: readonly ForeignWithdrawal[]): string {
  const vaults = [...new Set(foreign.map(({ contractAddress }) => contractAddress))];
  return vaults
    .map((vault) => {
      const ids = foreign.filter(({ contractAddress }) => contractAddress === vault);
      const shown = ids.slice(0, shownMax).map(({ id }) => id);
      const more = ids.length > shownMax ? ` and ${ids.length - shownMax} more` : '';
      return `withdrawals ${shown.join(', ')}${more} are open with the vault ${vault}`;
    })
    .join('; ');
}

async function findSuccessionFault(
  { node, contracts, store }: IdentityOptions,
  kind: ContractKind,
  counted: Address,
): Promise<string | null> {
  const successor = contracts[kind];
  const refusal = `this database counted the contract ${counted}, not ${successor}; ${migrate}`;
  if ((await loadPredecessor(node, successor)) !== counted) return refusal;
  const fault = await findDifference({ node, store, contracts });
  return fault === null ? null : `${successor} cannot replace it yet: ${fault}`;
}

async function loadPredecessor(node: ChainNode, address: Address): Promise<Address | null> {
  try {
    const answer = await readContract(node, {
      address,
      abi: predecessorAbi,
      functionName: 'predecessor',
    });
    return fromHexAddress(answer);
  } catch (error) {
    // The first version has no such view, and returns nothing or reverts.
    const isSilent = error instanceof ChainRevertedError || isUndecodable(error);
    if (isSilent) return null;
    throw error;
  }
}

function isUndecodable(error: unknown): boolean {
  const isOwn = error instanceof ChainUnavailableError && !(error instanceof ChainRpcError);
  return isOwn && error.message.includes('gave an invalid answer');
}

type Comparison = Pick<IdentityOptions, 'node' | 'store' | 'contracts'>;

async function findDifference({ node, store, contracts }: Comparison): Promise<string | null> {
  const counted = await store.listCounted();
  for (let start = 0; start < counted.length; start += accountsAtOnce) {
    const faults = await Promise.all(
      counted
        .slice(start, start + accountsAtOnce)
        .map((account) => findDifferenceOf(node, contracts, account)),
    );
    const fault = faults.find((each) => each !== null);
    if (fault !== undefined) return fault;
  }
  return null;
}

// The chain may be ahead of the database, since unconfirmed events are not counted, but never
// behind.
async function findDifferenceOf(
  node: ChainNode,
  contracts: ContractSet,
  counted: CountedAccount,
): Promise<string | null> {
  const args = [toHexAddress(counted.account)] as const;
  const router = { address: contracts.rewardRouter, abi: rewardRouterAbi, args };
  const vault = { address: contracts.spotVault, abi: spotVaultAbi, args };
  const [settled, claimed, redemptions, deposits, releases] = await Promise.all([
    readContract(node, { ...router, functionName: 'settled' }),
    readContract(node, { ...router, functionName: 'claimed' }),
    readContract(node, { ...router, functionName: 'nonces' }),
    readContract(node, { ...vault, functionName: 'depositCount' }),
    readContract(node, { ...vault, functionName: 'releaseNonce' }),
  ]);
  const pairs = [
    ['settled', settled, counted.settled],
    ['claimed', claimed, counted.claimed],
    ['redemptions', redemptions, BigInt(counted.redemptions)],
    ['deposits', deposits, BigInt(counted.deposits)],
    ['releases', releases, BigInt(counted.releases)],
  ] as const;
  const behind = pairs.find(([, onChain, known]) => onChain < known);
  if (behind === undefined) return null;
  const [what, onChain, known] = behind;
  return `${what} of ${counted.account} are ${onChain} on chain and ${known} in the database`;
}
