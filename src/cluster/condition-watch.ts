import type { Time } from '../system/time.ts';
import type { ClusterStatus } from './cluster-options.ts';
import { type Judgment, judgeStatus } from './judge-status.ts';

/** A process's condition, as shown to balancers and operators. */
export interface ClusterCondition extends Judgment {
  readonly status: ClusterStatus;
}

/** What a load balancer is answered. */
type Verdict = Pick<Judgment, 'canRead' | 'canWrite' | 'reason'>;

const settleMs = 500;

/**
 * Whether requests can be sent to a process, without its brief changes: the verdict changes
 * once it has been different for 500 ms, so a moment of silence moves no clients. What is certain
 * counts at once.
 */
export class ConditionWatch {
  readonly #cluster: { readonly status: ClusterStatus };
  readonly #time: Pick<Time, 'monotonicMs'>;
  #ownedAt: number | null = null;
  #told: Verdict | null = null;
  /** Since when each look has given another verdict than the told one. */
  #otherSince: number | null = null;

  constructor(cluster: { readonly status: ClusterStatus }, time: Pick<Time, 'monotonicMs'>) {
    this.#cluster = cluster;
    this.#time = time;
  }

  /** Called regularly, so that a change settles without any request. */
  look(): ClusterCondition {
    const { status } = this.#cluster;
    const now = this.#time.monotonicMs();
    if (status.hasOwner) this.#ownedAt = now;
    const judgment = judgeStatus(status, this.#ownedAt === null ? null : now - this.#ownedAt);
    return { ...judgment, ...this.#settle(judgment, now), status };
  }

  #settle(seen: Judgment, now: number): Verdict {
    const told = this.#told;
    if (told === null || seen.isCertain || isSame(told, seen)) return this.#tell(seen);
    this.#otherSince ??= now;
    return now - this.#otherSince >= settleMs ? this.#tell(seen) : told;
  }

  #tell({ canRead, canWrite, reason }: Judgment): Verdict {
    this.#otherSince = null;
    this.#told = { canRead, canWrite, reason };
    return this.#told;
  }
}

function isSame(one: Verdict, other: Verdict): boolean {
  return one.canRead === other.canRead && one.canWrite === other.canWrite;
}
