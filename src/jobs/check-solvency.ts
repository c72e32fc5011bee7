import { setTimeout as delay } from 'node:timers/promises';
import type { ChainStatus } from '../application/ports-chain.ts';
import {
  checkSolvency,
  type SolvencyPorts,
  type SolvencyReport,
  type TokenAmount,
} from '../application/upkeep/check-solvency.ts';
import { callsForPause, shortagesOf } from '../application/upkeep/pause-for-shortage.ts';
import type { TimedJob } from './timed-job.ts';

export interface SolvencyJobPorts extends SolvencyPorts {
  readonly chain: { readonly status: Pick<ChainStatus, 'state'> };
  readonly onReport: (report: SolvencyReport) => void;
  /** Withdrawals were paused, as so much is missing. */
  readonly onPause: (shortages: readonly TokenAmount[]) => void;
  /** Between two looks; left out: a second. */
  readonly pauseMs?: number;
}

const intervalMs = 60_000;
// Engine and database are asked one after the other, so what is credited or paid in between seems
// to be missing. A shortage counts once so many looks, between which time has passed, found it
// while nothing moved.
const looksNeeded = 3;
const looksMax = 10;
const usualPauseMs = 1_000;

/**
 * Compares what the contracts hold with what is owed, and pauses withdrawals where the vault turns
 * out to be short.
 *
 * A late run does no harm: it notes nothing once its lease is lost, and a pause waits for a person.
 */
export function checkSolvencyJob(ports: SolvencyJobPorts): TimedJob {
  const { chain, exchange, onReport, onPause, solvencyStore } = ports;
  const name = 'check-solvency';
  return {
    name,
    keptLease: name,
    intervalMs,
    // Before it has caught up, the last counted block may be one without the contracts.
    isReady: () => isCaughtUp(chain.status.state) && exchange.state === 'ready',
    run: async ({ signal }) => {
      const { last, proof } = await look(ports, signal);
      if (last !== null) onReport(last);
      if (proof.length === 0 || signal.aborted) return;
      const present = shortagesOf(proof);
      const isPaused = await solvencyStore.noteShortages(present, (kept) =>
        callsForPause(kept, present),
      );
      if (isPaused) onPause(present);
    },
  };
}

interface Looks {
  /** Null while no block is counted. */
  readonly last: SolvencyReport | null;
  /** What is enough to tell sound from short; empty where too much moved. */
  readonly proof: readonly SolvencyReport[];
}

async function look(ports: SolvencyJobPorts, signal: AbortSignal): Promise<Looks> {
  const still: SolvencyReport[] = [];
  let last: SolvencyReport | null = null;
  for (let count = 0; count < looksMax && still.length < looksNeeded; count += 1) {
    if (count > 0) await delay(ports.pauseMs ?? usualPauseMs, undefined, { signal });
    last = await checkSolvency(ports);
    if (last === null) return { last, proof: [] };
    if (!isShort(last)) return { last, proof: last.isStill ? [last] : [] };
    if (last.isStill) still.push(last);
  }
  return { last, proof: still.length < looksNeeded ? [] : still };
}

function isCaughtUp(state: ChainStatus['state']): boolean {
  return state === 'ready' || state === 'degraded';
}

function isShort({ tokens, rewards }: SolvencyReport): boolean {
  return rewards.isShort || tokens.some((each) => each.isShort);
}
