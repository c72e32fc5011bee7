import { isWeakness } from './candidacy.ts';
import type { ClusterStatus } from './cluster-options.ts';
import { ForkedError } from './fork-errors.ts';

/** What a process is doing, or what keeps it from serving. */
export type ClusterState =
  | 'joining'
  | 'standby'
  | 'owner'
  | 'leaving'
  | 'retired'
  | 'lost'
  | 'ahead'
  | 'forked'
  | 'unfit'
  | 'behind';

/** Which requests succeed at a process. */
export interface ServedRequests {
  readonly state: ClusterState;
  readonly canRead: boolean;
  /** Whether both reads and writes succeed. */
  readonly canWrite: boolean;
  /** Why not, or which writes alone succeed, for the operator; null if all do. */
  readonly reason: string | null;
  /** Whether this counts at once, not only after it has lasted for a moment. */
  readonly isCertain: boolean;
}

const agreementMs = 1_000;
/** The owner confirms its place once a second. */
const ownerAgreementMs = 2_000;
/** A takeover may take this long; requests wait for it, or are refused as restarting. */
const takeoverMs = 3_000;

/**
 * @param ownerlessMs For how long no owner has been known; 0 while one is, null if none ever was
 */
export function servedRequestsOf(
  status: ClusterStatus,
  ownerlessMs: number | null,
): ServedRequests {
  const { role, failure, unfitness } = status;
  if (failure instanceof ForkedError) return unable('forked', failure.message);
  if (failure !== null) return unable('leaving', 'the process is leaving the exchange');
  if (role === 'starting') return unable('joining', 'the process has not joined yet');
  if (role === 'leaving') return unable('leaving', 'the process is handing over');
  if (role === 'retired' || role === 'stopped') return unable('retired', 'the process is stopping');
  if (status.isEnding) return unable('leaving', 'the process is stopping');
  if (role === 'ahead')
    return unable('ahead', 'the shared log has fewer entries than this process');
  if (!status.isConnected) return unable('lost', 'the connection to NATS is lost');
  if (!isAgreed(status)) {
    const reason = 'the shared log does not confirm the place of this process';
    return { ...unable('lost', reason), isCertain: false };
  }
  if (status.isBehind) {
    return { ...unable('behind', 'more than 2 s of the shared log are missing'), isCertain: false };
  }
  if (unfitness !== null && !isWeakness(unfitness) && role !== 'owner') {
    const reason = `unfit to own the exchange: ${unfitness}`;
    return { state: 'unfit', canRead: true, canWrite: false, reason, isCertain: true };
  }
  const canWrite = ownerlessMs !== null && ownerlessMs < takeoverMs;
  // Cancels have to come in, so the balancer goes on sending requests.
  const limit = status.takesOnlyCancels ? 'cancels_only' : null;
  const reason = canWrite ? limit : 'no process owns the exchange';
  return { state: role, canRead: true, canWrite, reason, isCertain: false };
}

function isAgreed({ role, agreementAgeMs: age }: ClusterStatus): boolean {
  return age !== null && age <= (role === 'owner' ? ownerAgreementMs : agreementMs);
}

function unable(state: ClusterState, reason: string): ServedRequests {
  return { state, canRead: false, canWrite: false, reason, isCertain: true };
}
