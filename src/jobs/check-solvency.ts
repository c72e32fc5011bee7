import { setTimeout as delay } from 'node:timers/promises';
import type { ChainStatus } from '../application/ports/chain.ts';
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
  /** Called when withdrawals were paused because of these shortages. */
  readonly onPause: (shortages: readonly TokenAmount[]) => void;
  /** Milliseconds between two checks; 1000 by default. */
  readonly pauseMs?: number;
}

const intervalMs = 60_000;
// Engine and database are queried one after the other, so what is credited or paid in between
// appears to be missing. A shortage counts once this many checks at different times found it while
// nothing moved.
const reportsNeeded = 3;
const reportsMax = 10;
const usualPauseMs = 1_000;

/**
 * Compares what the contracts hold with what is owed, and pauses withdrawals if the vault is short.
 *
 * A late run is harmless: it records nothing once its lease is lost, and a pause waits for an
 * operator.
 */
export function checkSolvencyJob(ports: SolvencyJobPorts): TimedJob {
  const { chain, exchange, onReport, onPause, solvencyStore } = ports;
  const name = 'check-solvency';
  return {
    name,
    longLease: name,
    intervalMs,
    // Before it has caught up, the last counted block may be one without the contracts.
    isReady: () => isCaughtUp(chain.status.state) && exchange.state === 'ready',
    run: async ({ signal }) => {
      const { last, proof } = await compare(ports, signal);
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

interface Comparison {
  /** Null while no block is counted. */
  readonly last: SolvencyReport | null;
  /** The reports that prove soundness or a shortage; empty if too much moved. */
  readonly proof: readonly SolvencyReport[];
}

async function compare(ports: SolvencyJobPorts, signal: AbortSignal): Promise<Comparison> {
  const still: SolvencyReport[] = [];
  let last: SolvencyReport | null = null;
  for (let count = 0; count < reportsMax && still.length < reportsNeeded; count += 1) {
    if (count > 0) await delay(ports.pauseMs ?? usualPauseMs, undefined, { signal });
    last = await checkSolvency(ports);
    if (last === null) return { last, proof: [] };
    if (!isShort(last)) return { last, proof: last.isStill ? [last] : [] };
    if (last.isStill) still.push(last);
  }
  return { last, proof: still.length < reportsNeeded ? [] : still };
}

function isCaughtUp(state: ChainStatus['state']): boolean {
  return state === 'ready' || state === 'degraded';
}

function isShort({ tokens, rewards }: SolvencyReport): boolean {
  return rewards.isShort || tokens.some((each) => each.isShort);
}
