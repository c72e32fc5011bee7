import { type ChainJobPorts, chainLease } from './poll-chain-events.ts';
import type { TimedJob } from './timed-job.ts';

/**
 * Settles commission on the chain, and mirrors the referral program to its register.
 *
 * A late run does no harm: batches are planned, split and closed under a lock of the database, each
 * has one transaction for ever, and the contract takes totals, so that a settlement that is made
 * twice adds nothing.
 */
export function settleRewardsJob({ chain, intervalMs }: ChainJobPorts): TimedJob {
  return {
    name: 'settle-rewards',
    keptLease: chainLease,
    intervalMs,
    // A failed run may have counted attempts, and three in a row are all that commission gets.
    retryMs: intervalMs,
    isReady: () => chain.isConnected,
    run: () => chain.settleRewards(),
  };
}
