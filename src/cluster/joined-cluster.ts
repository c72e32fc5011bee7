import type { CopyTracker } from './copy-tracker.ts';
import type { LogAppender } from './log-appender.ts';
import type { LogPlace } from './log-place.ts';
import type { LogReplica } from './log-replica.ts';
import type { MemberFile } from './member-file.ts';
import type { MembershipCoordinator } from './membership-coordinator.ts';
import type { OperatorLink } from './operator.ts';
import type { OrderReplies } from './order-replies.ts';
import type { OwnChain } from './own-chain.ts';
import type { OwnerLease } from './owner-lease.ts';
import type { RecentOrigins } from './recent-origins.ts';
import type { RequestForwarder } from './request-forwarder.ts';
import type { RequestLink } from './request-link.ts';
import type { RequestServer } from './request-server.ts';
import type { RollCall } from './roll-call.ts';
import type { SharedLog } from './shared-log.ts';

/** What exists once this process follows the log. */
export interface JoinedCluster {
  readonly log: SharedLog;
  readonly member: MemberFile;
  readonly chain: OwnChain;
  readonly replica: LogReplica;
  readonly place: LogPlace;
  readonly lease: OwnerLease;
  readonly link: RequestLink;
  readonly forwarder: RequestForwarder;
  readonly server: RequestServer;
  readonly origins: RecentOrigins;
  readonly appends: LogAppender;
  readonly replies: OrderReplies;
  readonly rollCall: RollCall;
  readonly operator: OperatorLink;
  readonly coordinator: MembershipCoordinator;
  readonly copies: CopyTracker;
  readonly leave: () => Promise<void>;
}
