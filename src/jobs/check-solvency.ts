import { setTimeout as delay } from 'node:timers/promises';
import type { ChainStatus } from '../application/ports-chain.ts';
import {
  checkSolvency,
  type SolvencyPorts,
  type SolvencyReport,
} from '../application/upkeep/check-solvency.ts';
import type { TimedJob } from './timed-job.ts';

export interface SolvencyJobPorts extends SolvencyPorts {
  readonly chain: { readonly status: Pick<ChainStatus, 'state'> };
  readonly onReport: (report: SolvencyReport) => void;
}

const intervalMs = 60_000;
// Engine and database are asked one after the other, so what is credited or paid in between seems
// to be missing. A look a second later tells.
const looksMax = 3;
const pauseMs = 1_000;

/**
 * Compares what the contracts hold with what is owed.
 *
 * A late run does no harm: it changes nothing, and its report is of this process alone.
 */
export function checkSolvencyJob(ports: SolvencyJobPorts): TimedJob {
  const { chain, exchange, onReport } = ports;
  const name = 'check-solvency';
  return {
    ...{ name, keptLease: name, intervalMs },
    // Before it has caught up, the last counted block may be one without the contracts.
    isReady: () => isCaughtUp(chain.status.state) && exchange.state === 'ready',
    run: async ({ signal }) => {
      let report = await checkSolvency(ports);
      for (let look = 1; look < looksMax && isShort(report); look += 1) {
        await delay(pauseMs, undefined, { signal });
        report = await checkSolvency(ports);
      }
      if (report !== null) onReport(report);
    },
  };
}

function isCaughtUp(state: ChainStatus['state']): boolean {
  return state === 'ready' || state === 'degraded';
}

function isShort(report: SolvencyReport | null): boolean {
  return report !== null && (report.rewards.isShort || report.tokens.some((each) => each.isShort));
}
