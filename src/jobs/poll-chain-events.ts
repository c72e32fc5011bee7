import type { TimedJob } from './timed-job.ts';

export interface ChainJobPorts {
  readonly chain: {
    readonly isConnected: boolean;
    pollEvents(): Promise<void>;
    settleRewards(): Promise<void>;
  };
  /** From the end of one run to the start of the next. */
  readonly intervalMs: number;
}

/** One process counts events and sends transactions, one thing at a time. */
export const chainLease = 'work-on-chain';

/**
 * Counts the events of the confirmed chain, and follows the operator's transactions to their end.
 *
 * A late run is harmless: blocks are counted under a lock in the database and only if they follow
 * the last counted one; a transaction's bytes are saved once under its purpose and once under its
 * nonce before they are sent. A late run can only send what is saved.
 */
export function pollChainEventsJob({ chain, intervalMs }: ChainJobPorts): TimedJob {
  return {
    name: 'poll-chain-events',
    longLease: chainLease,
    intervalMs,
    isReady: () => chain.isConnected,
    run: () => chain.pollEvents(),
  };
}
