import type { ProjectedBatch } from '../database/projector/projector.ts';
import type { Sequence } from '../domain/identifiers.ts';
import type { LogFormat } from '../observability/log.ts';
import type { AuditReport } from './audits.ts';

/** What the projector's thread is started with. */
export interface ProjectorThreadSettings {
  readonly journalFolder: string;
  readonly durableMemory: SharedArrayBuffer;
  readonly snapshotEvery: number;
  /** How to reach the database; see ConnectionTarget. */
  readonly databaseTarget: object;
  readonly pointsEpochStart: number | null;
  /** False: another process projects until this one is asked to lead. */
  readonly isLeading: boolean;
  readonly logLevel: string;
  readonly logFormat: LogFormat;
}

/** The messages that the thread sends. */
export type ProjectorMessage =
  | { readonly type: 'prepared' }
  /** The replica has applied everything that the journal held at the start. */
  | { readonly type: 'caughtUp' }
  | { readonly type: 'position'; readonly position: Sequence }
  | { readonly type: 'batch'; readonly batch: ProjectedBatch }
  | { readonly type: 'audited'; readonly report: AuditReport }
  | { readonly type: 'failure'; readonly text: string; readonly isDatabaseAhead: boolean };

/** The messages that the thread receives. */
export type ProjectorRequest = 'start' | 'stop' | 'lead' | 'follow';
