import { encodeAbiParameters, encodeEventTopics, type Hex } from 'viem';
import type { ReleaseVoucherTerms } from '../../../src/application/ports/chain.ts';
import { spotVaultAbi } from '../../../src/chain/abi/spot-vault-abi.ts';
import { toHexAddress } from '../../../src/chain/evm-values.ts';
import type { BlockHeader, ChainLog } from '../../../src/chain/node/chain-node.ts';
import type { Address } from '../../../src/domain/identifiers.ts';
import type { Draws } from './draws.ts';
import type { World } from './world.ts';

export const vaultAddress = `0x${'5a'.repeat(20)}` as Address;
export const vaultToken = {
  symbol: 'ETH',
  address: `0x${'e7'.repeat(20)}` as Address,
  decimals: 18,
};

/** What an account sends to the vault. */
export type ChainTransaction =
  | { readonly id: number; readonly kind: 'deposit'; readonly account: Address; raw: bigint }
  | {
      readonly id: number;
      readonly kind: 'release';
      readonly terms: ReleaseVoucherTerms;
      readonly signature: Hex;
    };

interface VaultState {
  readonly deposits: ReadonlyMap<Address, readonly bigint[]>;
  readonly payments: readonly ReleaseVoucherTerms[];
  readonly nonces: ReadonlyMap<Address, number>;
}

export interface ChainBlock {
  readonly header: BlockHeader;
  readonly transactions: readonly ChainTransaction[];
  readonly logs: readonly ChainLog[];
  readonly state: VaultState;
}

const blockMs = 200;
const transactionsMax = 30;

/** What the vault accepts as the signature of these terms. */
export function signatureOf(terms: ReleaseVoucherTerms): Hex {
  const { account, rawAmount, nonce, deadline } = terms;
  const words = [rawAmount, BigInt(nonce), BigInt(deadline)];
  return `0x${account.slice(2)}${words.map((word) => word.toString(16).padStart(64, '0')).join('')}`;
}

/** A chain with the vault: blocks, a pool, and forks that take blocks back. */
export class ChainModel {
  /** The current chain; the first block is empty. */
  readonly blocks: ChainBlock[] = [];
  readonly #byHash = new Map<string, ChainBlock>();
  readonly #world: World;
  readonly #draws: Draws;
  readonly #secondsPerBlock: number;
  #pool: ChainTransaction[] = [];
  #made = 0;
  #sent = 0;
  isStopped = false;
  /** Whether the vault pays; otherwise each payment reverts. */
  isPaying = true;

  constructor(world: World, draws: Draws) {
    this.#world = world;
    this.#draws = draws;
    // A signature lives for an hour: some tens of blocks, or more than a run has.
    this.#secondsPerBlock = draws.pick([60, 120]);
    this.#append([]);
  }

  start(): void {
    this.#world.schedule(blockMs * (0.5 + this.#draws.fraction()), this.#world.outside, () => {
      if (!this.isStopped) this.#append(this.#takeFromPool());
      this.start();
    });
  }

  get head(): ChainBlock {
    return this.blocks.at(-1)!;
  }

  /** A block that is, or was, on the chain. */
  find(hash: string): ChainBlock | undefined {
    return this.#byHash.get(hash);
  }

  deposit(account: Address, raw: bigint): void {
    this.#sent += 1;
    this.#pool.push({ id: this.#sent, kind: 'deposit', account, raw });
  }

  release(terms: ReleaseVoucherTerms, signature: Hex): void {
    this.#sent += 1;
    this.#pool.push({ id: this.#sent, kind: 'release', terms, signature });
  }

  /**
   * The last blocks leave the chain, and one more takes their place than there were; returns those
   * that left. What was in them is in the pool again; some of the payments are lost permanently.
   */
  fork(depth: number): readonly ChainBlock[] {
    const left = this.blocks.splice(Math.max(1, this.blocks.length - depth));
    const orphans = left.flatMap(({ transactions }) => transactions);
    const kept = orphans.filter(({ kind }) => kind === 'deposit' || !this.#draws.chance(0.2));
    this.#pool.unshift(...kept);
    for (let at = 0; at <= left.length; at += 1) {
      this.#append(this.#draws.chance(0.5) ? this.#takeFromPool() : []);
    }
    return left;
  }

  #takeFromPool(): readonly ChainTransaction[] {
    return this.#pool.splice(0, this.#draws.below(transactionsMax + 1));
  }

  #append(wanted: readonly ChainTransaction[]): void {
    const before = this.blocks.at(-1);
    const number = before === undefined ? 0 : before.header.number + 1;
    this.#made += 1;
    const header: BlockHeader = {
      number,
      hash: hashOf(this.#made),
      parentHash: before?.header.hash ?? hashOf(0),
      timestamp: (before?.header.timestamp ?? 1_750_000_000) + this.#secondsPerBlock,
      logsBloom: '0x',
    };
    let state: VaultState = before?.state ?? {
      deposits: new Map(),
      payments: [],
      nonces: new Map(),
    };
    const logs: ChainLog[] = [];
    for (const transaction of wanted) {
      const isReverted = transaction.kind === 'release' && !this.isPaying;
      const done = isReverted ? null : execute(state, transaction, header.timestamp);
      if (done === null) continue;
      state = done.state;
      const transactionHash = hashOf(1_000_000 + transaction.id);
      const { topics, data } = done;
      const blockHash = header.hash;
      const place = { blockHash, transactionHash, logIndex: logs.length };
      logs.push({ address: vaultAddress, topics, data, ...place });
    }
    const block = { header, transactions: wanted, logs, state };
    this.blocks.push(block);
    this.#byHash.set(header.hash, block);
    this.#world.record(this.#made);
  }
}

interface Executed {
  readonly state: VaultState;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

// Like the contract: a call that is not allowed is reverted and changes nothing.
function execute(
  state: VaultState,
  transaction: ChainTransaction,
  seconds: number,
): Executed | null {
  if (transaction.kind === 'deposit') {
    const { account, raw } = transaction;
    const known = state.deposits.get(account) ?? [];
    const deposits = new Map(state.deposits).set(account, [...known, raw]);
    return { state: { ...state, deposits }, ...logOf('Deposited', account, raw, known.length) };
  }
  const { terms, signature } = transaction;
  const { account, rawAmount, nonce, deadline } = terms;
  const next = state.nonces.get(account) ?? 0;
  if (signature !== signatureOf(terms) || nonce !== next || seconds > deadline) return null;
  const payments = [...state.payments, terms];
  const nonces = new Map(state.nonces).set(account, nonce + 1);
  const paid = { ...state, payments, nonces };
  // It pays only what it holds.
  if (balanceOf(paid) < 0n) return null;
  return { state: paid, ...logOf('Released', account, rawAmount, nonce) };
}

function balanceOf({ deposits, payments }: VaultState): bigint {
  const paidIn = [...deposits.values()].flat().reduce((sum, raw) => sum + raw, 0n);
  return payments.reduce((rest, { rawAmount }) => rest - rawAmount, paidIn);
}

/** A log of the vault's, true or not. */
export function logOf(
  eventName: 'Deposited' | 'Released',
  account: Address,
  raw: bigint,
  number: number,
): Pick<Executed, 'topics' | 'data'> {
  const args = { account: toHexAddress(account), token: toHexAddress(vaultToken.address) };
  const topics = encodeEventTopics({ abi: spotVaultAbi, eventName, args }) as Hex[];
  const words = [{ type: 'uint256' }, { type: 'uint256' }] as const;
  return { topics, data: encodeAbiParameters(words, [raw, BigInt(number)]) };
}

function hashOf(seed: number): Hex {
  return `0x${seed.toString(16).padStart(64, '0')}`;
}
