import type { AbiEvent, Hex } from 'viem';
import type { ChainEvent } from '../../application/ports-chain-ledger.ts';
import type { ContractAddresses } from '../chain-addresses.ts';
import type { ChainLog } from '../node/chain-node.ts';

/** One event of one contract: where it comes from, and how its log is read. */
export interface EventReader {
  readonly contract: keyof Pick<ContractAddresses, 'rewardRouter' | 'spotVault'>;
  readonly abi: AbiEvent;
  /** The hash of the event's signature, which is its log's first topic. */
  readonly topic: Hex;
  /** Throws where the log is not of this event. */
  read(log: ChainLog): ChainEvent;
}

/** The arguments of a log in the form that the decoder wants; it has at least its first topic. */
export function decodable({ topics, data }: ChainLog): {
  readonly topics: [Hex, ...Hex[]];
  readonly data: Hex;
} {
  const [first, ...rest] = topics;
  if (first === undefined) throw new Error('a log without topics');
  return { topics: [first, ...rest], data };
}

export function placeOf({ transactionHash, logIndex }: ChainLog) {
  return { transactionHash, logIndex };
}

/** A number that the contract counts by one, so it never leaves the safe integers. */
export function toCount(value: bigint): number {
  const count = Number(value);
  if (!Number.isSafeInteger(count)) throw new Error(`${value} is no count`);
  return count;
}
