import type { Sequence } from '../domain/identifiers.ts';
import type { Unfitness } from './candidacy.ts';
import type { ClusterRole, ClusterStatus } from './cluster-options.ts';
import type { JoinedCluster } from './joined-cluster.ts';

export interface StatusParts {
  readonly role: ClusterRole;
  readonly epoch: number;
  readonly sequence: Sequence;
  readonly joined: JoinedCluster | null;
  readonly isEnding: boolean;
  readonly failure: unknown;
  readonly unfitness: Unfitness | null;
  readonly hasOwner: boolean;
}

export function describeStatus({ joined, ...own }: StatusParts): ClusterStatus {
  const place = joined?.place;
  const isAhead = place?.isAhead === true && own.role === 'standby';
  return {
    ...own,
    role: isAhead ? 'ahead' : own.role,
    isConnected: joined?.link.isConnected === true,
    takesOnlyCancels: joined?.lease.takesOnlyCancels ?? false,
    isBehind: own.role !== 'owner' && place?.isBehind === true,
    position: joined?.replica.position ?? 0,
    lagEntries: own.role === 'owner' ? 0 : (place?.lagEntries ?? 0),
    logUsedRatio: joined?.log.usedRatio ?? null,
    agreementAgeMs: place?.agreementAgeMs ?? null,
  };
}
