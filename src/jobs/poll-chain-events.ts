import type { TimedJob } from './timed-job.ts';

export interface ChainJobPorts {
  readonly chain: {
    readonly isConnected: boolean;
    pollEvents(): Promise<void>;
    settleRewards(): Promise<void>;
  };
  /** From the end of one run to the beginning of the next. */
  readonly intervalMs: number;
}

/** Events are counted and transactions sent by one process, one thing at a time. */
export const chainLease = 'work-on-chain';

/**
 * Counts what the confirmed chain shows, and sees the operator's transactions through.
 *
 * A late run does no harm: blocks are counted under a lock of the database and only where they
 * follow the last counted one, and a transaction's bytes are saved under its purpose and its nonce,
 * both once, before they are sent. What a late run still sends is what is saved.
 */
export function pollChainEventsJob({ chain, intervalMs }: ChainJobPorts): TimedJob {
  return {
    name: 'poll-chain-events',
    keptLease: chainLease,
    intervalMs,
    isReady: () => chain.isConnected,
    run: () => chain.pollEvents(),
  };
}
