import type { Sequence } from '../domain/identifiers.ts';
import { readSequence } from '../journal/journal-record.ts';
import { type EpochParts, emptyEntry } from './begin-epoch.ts';
import type { LogEntry } from './log-entry.ts';
import type { LogReplica } from './log-replica.ts';
import { lastSequenceOf } from './own-records.ts';
import { type OwnEpoch, regainLog } from './regain-log.ts';
import type { RequestServer } from './request-server.ts';
import { FencedError, type SharedLog } from './shared-log.ts';

const journaledRetryMs = 5;

export interface OwnAppendsOptions {
  readonly log: SharedLog;
  readonly replica: LogReplica;
  readonly server: RequestServer;
  /** For an epoch that appends what the log has lost. */
  readonly epochParts: () => EpochParts;
}

/** Appends the owner's entries to the shared log, one after the other. */
export class OwnAppends {
  readonly #options: OwnAppendsOptions;
  #own: OwnEpoch | null = null;
  /** The last command in the log. */
  #last = 0 as Sequence;
  #turn: Promise<void> = Promise.resolve();

  constructor(options: OwnAppendsOptions) {
    this.#options = options;
  }

  begin(own: OwnEpoch, last: Sequence): void {
    this.#own = own;
    this.#last = last;
  }

  /** @throws FencedError if another process has appended: nothing of the group is accepted */
  appendGroup(group: Uint8Array): Promise<void> {
    const bytes = Buffer.from(group.buffer, group.byteOffset, group.byteLength);
    const first = readSequence(bytes, 0);
    const lastSequence = lastSequenceOf(bytes);
    const { server, epochParts } = this.#options;
    const origins = server.takeOrigins(first, lastSequence);
    const { rules: rulesVersion } = epochParts().sequencer;
    return this.#append({ rulesVersion, lastSequence, origins, group, isRestoring: false });
  }

  /**
   * Notes when the log's server started. After a restart of it, an entry confirms that the log
   * lacks nothing of what this process holds; until then no process answers reads. @throws
   * FencedError
   */
  async noteStart(logStart: string): Promise<void> {
    if (this.#own === null || this.#own.logStart === logStart) return;
    this.#own = { epoch: this.#own.epoch, logStart };
    await this.#append(null);
  }

  #append(content: Omit<LogEntry, 'epoch' | 'logStart'> | null): Promise<void> {
    const turn = this.#turn.then(() => this.#appendNow(content));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #appendNow(content: Omit<LogEntry, 'epoch' | 'logStart'> | null): Promise<void> {
    const { log, replica } = this.#options;
    for (;;) {
      const { epoch, logStart } = this.#own!;
      const entry = content ?? { ...emptyEntry, lastSequence: this.#last };
      try {
        const position = await log.append({ ...entry, epoch, logStart }, replica.position);
        replica.skipTo(position, logStart);
        this.#last = entry.lastSequence;
        return;
      } catch (error) {
        if (!(error instanceof FencedError)) throw error;
        const own = await this.#regain();
        if (own === null) throw error;
        this.#own = own;
      }
    }
  }

  // Recovers when the log has lost its end; null if another process has appended.
  async #regain(): Promise<OwnEpoch | null> {
    const { server, epochParts } = this.#options;
    const parts = epochParts();
    const journalEnd = (): Promise<Sequence> => this.#journaled(parts);
    const own = await regainLog({ ...parts, isAhead: true, journalEnd });
    if (own === null) return null;
    server.stop();
    server.start(own.epoch);
    return own;
  }

  // Whatever is applied beyond that is waiting for the log, so the journal does not have it yet.
  async #journaled({ sequencer, time }: EpochParts): Promise<Sequence> {
    while (sequencer.durableSequence < this.#last) await time.sleep(journaledRetryMs);
    return sequencer.durableSequence;
  }
}
