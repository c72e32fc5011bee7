import type { AbiEvent, Hex } from 'viem';
import type { ChainEvent } from '../../application/ports-chain-ledger.ts';
import type { ContractAddresses } from '../chain-addresses.ts';
import type { ChainLog } from '../node/chain-node.ts';

/** One event of one contract: its contract, its topic and how to decode its log. */
export interface EventReader {
  readonly contract: keyof Pick<ContractAddresses, 'rewardRouter' | 'spotVault'>;
  readonly abi: AbiEvent;
  /** The hash of the event's signature, which is the log's first topic. */
  readonly topic: Hex;
  /** Throws if the log is not of this event. */
  read(log: ChainLog): ChainEvent;
}

/** A log's arguments in the form that the decoder expects, with at least the first topic. */
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

/** A number that the contract increments by one, so it never exceeds the safe integers. */
export function toCount(value: bigint): number {
  const count = Number(value);
  if (!Number.isSafeInteger(count)) throw new Error(`${value} is no count`);
  return count;
}
