import { type Logger } from 'pino';
import { type Sequence } from '../domain/identifiers.ts';
import { type Sequencer } from '../sequencer/sequencer.ts';
import { type Time } from '../system/time.ts';
import { type EpochStore } from './epoch-store.ts';
import { type LogReplica } from './log-replica.ts';
import { type MemberFile } from './member-file.ts';
import { type Membership } from './membership.ts';
import { type OwnChain } from './own-chain.ts';
import { type OwnRecords } from './own-records.ts';
import { type OwnerLease } from './owner-lease.ts';
import { type RecentOrigins } from './recent-origins.ts';
import { type RollCall } from './roll-call.ts';
import { type SharedLog } from './shared-log.ts';

export interface EpochParts {
  readonly process: string;
  readonly log: SharedLog;
  readonly time: Pick<Time, 'monotonicMs' | 'sleep'>;
  readonly replica: LogReplica;
  readonly lease: OwnerLease;
  readonly rollCall: RollCall;
  readonly epochs: EpochStore;
  readonly member: MemberFile;
  readonly chain: OwnChain;
  readonly sequencer: Pick<Sequencer, 'rules'>;
  /** The journal's last command, once the journal has caught up as far as it can. */
  readonly journalEnd: () => Promise<Sequence>;
  readonly ownRecords: OwnRecords;
  readonly origins: RecentOrigins;
  readonly loadKnownSequence: () => Promise<Sequence | null>;
  readonly membership: Membership;
  /** Whether the journal extends past the log's end; the log is not followed then. */
  readonly isAhead: boolean;
  readonly logger: Logger;
}
