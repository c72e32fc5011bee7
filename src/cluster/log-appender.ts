import type { Sequence } from '../domain/identifiers.ts';
import { readSequence } from '../journal/journal-record.ts';
import type { Sequencer } from '../sequencer/sequencer.ts';
import type { Time } from '../system/time.ts';
import { emptyEntry, type OwnEpoch, requireNoLaterPromise } from './begin-epoch.ts';
import type { Chain } from './chain.ts';
import { type EpochParts } from './epoch-parts.ts';
import type { EntryMark, LogEntry } from './log-entry.ts';
import { LogUnreachableError } from './log-unreachable-error.ts';
import { lastSequenceOf } from './own-records.ts';
import type { RecentOrigins } from './recent-origins.ts';
import { outcomeTimeoutMs } from './request-forwarder.ts';
import type { RequestServer } from './request-server.ts';
import { isUnchanged, restoreLogEnd } from './restore-log-end.ts';
import { FencedError, LogBehindError, type LogEnd, LogRestartedError } from './shared-log.ts';

const journaledRetryMs = 5;
const unreachableRetryMs = 100;

export interface LogAppenderOptions {
  readonly server: RequestServer;
  readonly origins: RecentOrigins;
  readonly sequencer: Pick<Sequencer, 'writtenSequence' | 'rules' | 'giveUpUnwritten'>;
  /** The last command that is known to be in enough journals. */
  readonly confirmed: () => Sequence;
  readonly time: Pick<Time, 'sleep' | 'after'>;
  readonly epochParts: () => EpochParts;
}

type Content = Omit<LogEntry, 'epoch' | 'logStart' | 'chain'>;

function isMark(content: Content | EntryMark | null): content is EntryMark | null {
  return content === null || 'list' in content;
}

/** Appends the owner's entries to the shared log, one after the other. */
export class LogAppender {
  readonly #options: LogAppenderOptions;
  #own: OwnEpoch | null = null;
  #turn: Promise<void> = Promise.resolve();

  constructor(options: LogAppenderOptions) {
    this.#options = options;
  }

  begin(own: OwnEpoch): void {
    this.#own = own;
  }

  /** Resolves once no append is under way; later ones are refused until an epoch begins. */
  end(): Promise<void> {
    const ended = this.#turn.then(() => {
      this.#own = null;
    });
    this.#turn = ended;
    return ended;
  }

  /**
   * Callers that have waited too long for the log are told that their outcome is unknown.
   * @throws FencedError if another process has appended: nothing of the group is accepted
   */
  async appendGroup(group: Uint8Array): Promise<void> {
    const first = readSequence(group, 0);
    const lastSequence = lastSequenceOf(group);
    const { server, sequencer, time } = this.#options;
    const origins = server.takeOrigins(first, lastSequence);
    this.#options.origins.note(first, origins);
    const { rules: rulesVersion } = sequencer;
    const confirmed = this.#options.confirmed();
    const content = { rulesVersion, lastSequence, origins, group, confirmed, isRestoring: false };
    const cancel = time.after(outcomeTimeoutMs, () => sequencer.giveUpUnwritten());
    await this.#append({ ...content, mark: null }).finally(cancel);
  }

  /** Appends an entry with this mark, and returns its position. @throws FencedError */
  appendMark(mark: EntryMark): Promise<number> {
    return this.#append(mark);
  }

  /**
   * Compares the log's end, as it was found, with the position that this process held before. Where
   * the end is missing, an entry finds out why. After a restart of the log's server, it confirms
   * that the log lacks nothing of what this process holds; until then no process answers reads.
   * Among several servers, a connection to another one looks like a restart.
   * @throws FencedError
   */
  async confirmEnd({ end, start, isOneServer }: LogEnd, position: number): Promise<void> {
    if (this.#own === null) return;
    if (this.#own.logStart === start && end >= position) return;
    await this.#append(null);
    const own: OwnEpoch | null = this.#own;
    if (own !== null && !isOneServer) this.#own = { ...own, logStart: start };
  }

  #append(content: Content | EntryMark | null): Promise<number> {
    const turn = this.#turn.then(() => this.#appendNow(content));
    this.#turn = turn.then(
      () => undefined,
      () => undefined,
    );
    return turn;
  }

  async #appendNow(content: Content | EntryMark | null): Promise<number> {
    for (;;) {
      const parts = this.#options.epochParts();
      const { log, replica, chain } = parts;
      if (this.#own === null) throw new FencedError('this process does not own the exchange');
      const { epoch, logStart } = this.#own;
      const before = chain.newest;
      const chains: readonly Chain[] = isMark(content) ? [] : chain.extendedBy(content.group);
      const lastSequence = before.sequence as Sequence;
      const entry = isMark(content) ? { ...emptyEntry, lastSequence, mark: content } : content;
      const after = chains.at(-1) ?? before.chain;
      try {
        requireNoLaterPromise(parts, epoch);
        const started = { ...entry, epoch, logStart, chain: { before: before.chain, after } };
        const place = await log.append(started, replica.last);
        replica.skipTo(place, logStart);
        chain.advance(chains);
        return place.position;
      } catch (error) {
        this.#own = await this.#goOn(parts, error);
      }
    }
  }

  // The epoch in which this owner may append again. The log's server may have restarted, with all
  // that it had or without its newest entries.
  async #goOn(parts: EpochParts, error: unknown): Promise<OwnEpoch> {
    const own = this.#own!;
    const isRestarted = error instanceof LogRestartedError;
    const isBehind = error instanceof LogBehindError;
    if (!isRestarted && !isBehind && !(error instanceof FencedError)) throw error;
    try {
      const unchanged = isRestarted ? await isUnchanged(parts, own) : null;
      if (unchanged !== null) return unchanged;
      const journalEnd = (): Promise<Sequence> => this.#journaled(parts);
      const regained = await restoreLogEnd({ ...parts, isAhead: true, journalEnd }, own);
      // Servers other than the leader may have stored the entry, so its outcome is unknown.
      if (regained === null && isBehind) throw error;
      if (regained === null) throw new FencedError('another process owns it', { cause: error });
      const { server } = this.#options;
      server.stop();
      server.start(regained.epoch);
      return regained;
    } catch (failure) {
      if (!(failure instanceof LogUnreachableError)) throw failure;
      await this.#options.time.sleep(unreachableRetryMs);
      return own;
    }
  }

  // Commands applied beyond that wait for the log, so the journal does not hold them yet.
  async #journaled({ chain }: EpochParts): Promise<Sequence> {
    const { sequencer, time } = this.#options;
    while (sequencer.writtenSequence < chain.newest.sequence) await time.sleep(journaledRetryMs);
    return sequencer.writtenSequence;
  }
}
