import type { Time } from '../system/time.ts';
import type { ClusterStatus } from './cluster-options.ts';
import { type ServedRequests, servedRequestsOf } from './served-requests.ts';

/** A process's condition, as shown to balancers and operators. */
export interface ClusterCondition extends ServedRequests {
  readonly status: ClusterStatus;
}

/** The answer to a load balancer. */
type Answer = Pick<ServedRequests, 'canRead' | 'canWrite' | 'reason'>;

const settleMs = 500;

/**
 * Whether requests can be sent to a process, with brief changes filtered out: the answer changes
 * only after the condition has differed for 500 ms, so that a short silence moves no clients. A
 * condition that is certain counts at once.
 */
export class ConditionWatch {
  readonly #cluster: { readonly status: ClusterStatus };
  readonly #time: Pick<Time, 'monotonicMs'>;
  #ownedAt: number | null = null;
  #answered: Answer | null = null;
  /** Since when each observation has differed from the answer given; null while they agree. */
  #otherSince: number | null = null;

  constructor(cluster: { readonly status: ClusterStatus }, time: Pick<Time, 'monotonicMs'>) {
    this.#cluster = cluster;
    this.#time = time;
  }

  /** Called regularly, so that a change settles without any request. */
  observe(): ClusterCondition {
    const { status } = this.#cluster;
    const now = this.#time.monotonicMs();
    if (status.hasOwner) this.#ownedAt = now;
    const served = servedRequestsOf(status, this.#ownedAt === null ? null : now - this.#ownedAt);
    return { ...served, ...this.#settle(served, now), status };
  }

  #settle(seen: ServedRequests, now: number): Answer {
    const answered = this.#answered;
    if (answered === null || seen.isCertain || isSame(answered, seen)) return this.#change(seen);
    this.#otherSince ??= now;
    return now - this.#otherSince >= settleMs ? this.#change(seen) : answered;
  }

  #change({ canRead, canWrite, reason }: ServedRequests): Answer {
    this.#otherSince = null;
    this.#answered = { canRead, canWrite, reason };
    return this.#answered;
  }
}

function isSame(one: Answer, other: Answer): boolean {
  return one.canRead === other.canRead && one.canWrite === other.canWrite;
}
