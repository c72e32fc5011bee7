import {
  type AbiEvent,
  type ContractEventArgsFromTopics,
  decodeEventLog,
  type Hex,
  toEventSelector,
} from 'viem';
import type { ChainEvent } from '../../application/ports/chain-ledger.ts';
import type { ContractAddresses } from '../chain-addresses.ts';
import type { ChainLog } from '../node/chain-node.ts';

type WatchedContract = keyof Pick<ContractAddresses, 'rewardRouter' | 'spotVault'>;

/** One event of one contract: its contract, its topic and how to decode its log. */
export interface EventReader {
  readonly contract: WatchedContract;
  readonly abi: AbiEvent;
  /** The hash of the event's signature, which is the log's first topic. */
  readonly topic: Hex;
  /** Throws if the log is not of this event. */
  read(log: ChainLog): ChainEvent;
}

type Placed = 'transactionHash' | 'logIndex';
type WithoutPlace<Event> = Event extends ChainEvent ? Omit<Event, Placed> : never;

/** The reader of an event, from what its arguments mean. */
export function eventReader<const Abi extends AbiEvent>(
  contract: WatchedContract,
  abi: Abi,
  interpret: (
    args: ContractEventArgsFromTopics<readonly [Abi]>,
    log: ChainLog,
  ) => WithoutPlace<ChainEvent>,
): EventReader {
  return {
    contract,
    abi,
    topic: toEventSelector(abi),
    read: (log) => {
      const [first, ...rest] = log.topics;
      if (first === undefined) throw new Error('a log without topics');
      const { args } = decodeEventLog({ abi: [abi], topics: [first, ...rest], data: log.data });
      const { transactionHash, logIndex } = log;
      const event = interpret(args as Parameters<typeof interpret>[0], log);
      return { transactionHash, logIndex, ...event };
    },
  };
}

/** A number that the contract increments by one, so it never exceeds the safe integers. */
export function toCount(value: bigint): number {
  const count = Number(value);
  if (!Number.isSafeInteger(count)) throw new Error(`${value} is not a count`);
  return count;
}
