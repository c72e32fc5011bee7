import { type ChainJobPorts, chainLease } from './poll-chain-events.ts';
import type { TimedJob } from './timed-job.ts';

/**
 * Settles commission on chain, and mirrors the referral program to its on-chain register.
 *
 * A late run is harmless: batches are planned, split and closed under a lock in the database, each
 * has one transaction, ever, and the contract takes totals, so that a settlement made twice adds
 * nothing.
 */
export function settleRewardsJob({ chain, intervalMs }: ChainJobPorts): TimedJob {
  return {
    name: 'settle-rewards',
    longLease: chainLease,
    intervalMs,
    // A failed run may have counted attempts, and commission has only three in a row.
    retryMs: intervalMs,
    isReady: () => chain.isConnected,
    run: () => chain.settleRewards(),
  };
}
