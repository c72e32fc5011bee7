import { encodeFunctionData, parseAbi } from 'viem';
import type { ChainLedger } from '../../application/ports/chain-ledger.ts';
import type {
  ContractGuardian,
  ContractPauseStore,
  PausableContract,
} from '../../application/ports/contract-pauses.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { Logger } from '../../observability/log.ts';
import type { ChainConnection } from '../chain-connection.ts';
import { readContract } from '../contract-calls.ts';
import { toHexAddress } from '../evm-values.ts';
import {
  type BlockSelector,
  type ChainNode,
  ChainRevertedError,
  type FeeSuggestion,
} from '../node/chain-node.ts';
import { ChainUnavailableError } from '../node/json-rpc.ts';
import type { ChainSigner, TransactionDraft } from '../signers/chain-signer.ts';

// Pauses contracts with the guardian's key. Pausing twice does no harm, so nothing has to be saved
// before it is sent: a request stays open, and is sent again with a higher fee, until a counted
// block shows the contract paused. None of the service's own halts or faults keeps it from that.

/** What each of the three contracts has for a guardian; a test compares it with contracts/abi. */
export const guardedAbi = parseAbi([
  'function pause()',
  'function paused() view returns (bool)',
  'function isGuardian(address account) view returns (bool)',
]);

export interface ContractGuardianOptions {
  /** Null: no guardian's key is set. */
  readonly signer: ChainSigner | null;
  readonly connection: () => ChainConnection | null;
  readonly pauses: ContractPauseStore;
  readonly ledger: Pick<ChainLedger, 'loadCountedBlocks'>;
  /** In wei, the maximum that a unit of gas may cost. */
  readonly feePerGasMax: bigint;
  /** Milliseconds. */
  readonly now: () => number;
  readonly log: Logger;
}

interface Attempt {
  readonly nonce: number;
  readonly at: number;
  readonly fees: FeeSuggestion;
  readonly gasLimit: bigint;
}

/** After this long without being mined it is sent again with a higher fee. */
const resendMs = 12_000;
/** The contracts' error EnforcedPause(). */
const enforcedPause = '0xd93c0665';
const pausedGasLimit = 300_000n;
const pauseCall = encodeFunctionData({ abi: guardedAbi, functionName: 'pause' });

export class ChainGuardian implements ContractGuardian {
  readonly #options: ContractGuardianOptions;
  readonly #attempts = new Map<PausableContract, Attempt>();
  #turn: Promise<void> = Promise.resolve();

  constructor(options: ContractGuardianOptions) {
    this.#options = options;
  }

  async canPause(contracts: readonly PausableContract[]): Promise<boolean> {
    const { signer } = this.#options;
    if (signer === null) return false;
    const connection = this.#options.connection();
    if (connection === null) return true;
    const named = contracts.map((contract) =>
      readContract(connection.node, {
        address: connection.contracts[contract],
        abi: guardedAbi,
        functionName: 'isGuardian',
        args: [toHexAddress(signer.address)],
      }),
    );
    try {
      return (await Promise.all(named)).every((isGuardian) => isGuardian);
    } catch (error) {
      if (error instanceof ChainUnavailableError) return true;
      // Contracts of the first version have no guardians.
      if (error instanceof ChainRevertedError) return false;
      throw error;
    }
  }

  async pauseRequested(): Promise<void> {
    const turn = this.#turn.then(() => this.#pauseRequested());
    this.#turn = turn.catch(() => undefined);
    try {
      await turn;
    } catch (error) {
      this.#options.log.error({ err: error }, 'the requests to pause contracts wait');
    }
  }

  async #pauseRequested(): Promise<void> {
    const { signer, pauses, ledger } = this.#options;
    const connection = this.#options.connection();
    if (signer === null || connection === null) return;
    const open = await pauses.listOpen();
    if (open.length === 0) return;
    const counted = (await ledger.loadCountedBlocks()).at(-1);
    let nonce = await connection.node.loadTransactionCount(signer.address, 'latest');
    for (const contract of new Set(open.map((pause) => pause.contract))) {
      const isPausedAt = (at: BlockSelector) => isPaused(connection, contract, at);
      if (!(await isPausedAt('latest'))) {
        await this.#trySending(connection, signer, { contract, nonce });
        nonce += 1;
      } else if (counted !== undefined && (await isPausedAt({ blockHash: counted.hash }))) {
        await pauses.finish(contract);
        this.#attempts.delete(contract);
        this.#options.log.warn({ contract }, 'a contract is paused as requested');
      }
    }
  }

  // What keeps one contract from being paused says nothing about the others.
  async #trySending(
    connection: ChainConnection,
    signer: ChainSigner,
    call: { readonly contract: PausableContract; readonly nonce: number },
  ): Promise<void> {
    try {
      await this.#send(connection, signer, call);
    } catch (err) {
      const { contract } = call;
      this.#options.log.error({ err, contract }, 'a contract could not be paused');
    }
  }

  async #send(
    { node, chainId, contracts }: ChainConnection,
    signer: ChainSigner,
    { contract, nonce }: { readonly contract: PausableContract; readonly nonce: number },
  ): Promise<void> {
    const { pauses, feePerGasMax, now, log } = this.#options;
    const last = this.#attempts.get(contract);
    const isSame = last?.nonce === nonce;
    if (isSame && now() - last.at < resendMs) return;
    const suggested = await node.loadFees();
    const fees = limited(isSame ? raised(last.fees, suggested) : suggested, feePerGasMax);
    const to = contracts[contract];
    const gasLimit = isSame ? last.gasLimit : await loadGasLimit(node, signer.address, to);
    const draft: TransactionDraft = { to, nonce, data: pauseCall, gasLimit, ...fees };
    const { hash, bytes } = await signer.signTransaction(chainId, draft);
    const result = await node.broadcast(bytes);
    // An earlier process may have sent it with a higher fee: then the next turn raises the fee
    // immediately.
    const at = result === 'underpriced' ? Number.NEGATIVE_INFINITY : now();
    this.#attempts.set(contract, { nonce, at, fees, gasLimit });
    const isTaken = result === 'accepted' || result === 'known';
    if (!isTaken) log.error({ contract, result }, "no node accepts the guardian's transaction");
    if (isTaken) await pauses.noteSent(contract, hash);
  }
}

function isPaused(
  { node, contracts }: ChainConnection,
  contract: PausableContract,
  at: BlockSelector,
) {
  return readContract(node, {
    address: contracts[contract],
    abi: guardedAbi,
    functionName: 'paused',
    at,
  });
}

// Nodes estimate on top of their pool, where an earlier attempt may have paused the contract.
async function loadGasLimit(node: ChainNode, from: Address, to: Address): Promise<bigint> {
  try {
    return ((await node.estimateGas({ from, to, data: pauseCall })) * 3n) / 2n;
  } catch (error) {
    if (error instanceof ChainRevertedError && error.data === enforcedPause) return pausedGasLimit;
    throw error;
  }
}

// A node replaces a transaction only for a fee that is an eighth higher.
function raised(last: FeeSuggestion, suggested: FeeSuggestion): FeeSuggestion {
  const raise = (fee: bigint, other: bigint) => {
    const higher = (fee * 9n) / 8n + 1n;
    return higher > other ? higher : other;
  };
  return {
    maxFeePerGas: raise(last.maxFeePerGas, suggested.maxFeePerGas),
    maxPriorityFeePerGas: raise(last.maxPriorityFeePerGas, suggested.maxPriorityFeePerGas),
  };
}

function limited({ maxFeePerGas, maxPriorityFeePerGas }: FeeSuggestion, max: bigint) {
  const least = (fee: bigint) => (fee < max ? fee : max);
  return {
    maxFeePerGas: least(maxFeePerGas),
    maxPriorityFeePerGas: least(maxPriorityFeePerGas),
  };
}
