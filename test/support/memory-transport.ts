import type { JournalReport, JournalReportLink } from '../../src/cluster/journal-report.ts';
import { entryId, type PlacedEntry } from '../../src/cluster/log-entry.ts';
import { LogUnreachableError } from '../../src/cluster/log-unreachable-error.ts';
import type { LeaseStore, StoredLease } from '../../src/cluster/owner-lease.ts';
import type { ReceivedRequest, Refusal, RequestLink } from '../../src/cluster/request-link.ts';
import type { RollAnswer, RollCall, RollQuestion } from '../../src/cluster/roll-call.ts';
import type { CountsMessage } from '../../src/cluster/shared-counts.ts';
import { FencedError, LogRestartedError, type SharedLog } from '../../src/cluster/shared-log.ts';
import type { ClusterTransport, ConnectedTransport } from '../../src/cluster/transport.ts';
import type { Sequence } from '../../src/domain/identifiers.ts';

interface Connection {
  /** Requests wait forever, as in a paused process, and nothing arrives. */
  isPaused: boolean;
  onRefusal: (request: number, refusal: Refusal) => void;
  readonly resumed: Set<() => void>;
  report: ((question: RollQuestion) => Promise<RollAnswer>) | null;
  onReport: (report: JournalReport) => void;
  onCounts: (message: CountsMessage<unknown>) => void;
}

/** Replaces NATS for several processes, in the memory of one, with the faults of a network. */
export class MemoryHub {
  readonly entries: PlacedEntry[] = [];
  /** Changes with each restart of the server. */
  start = 1;
  /** Called before an entry is stored; may pause someone at the worst moment. */
  beforeAppend: (process: string) => void = () => undefined;
  afterAppend: (process: string) => void = () => undefined;
  /** Called when a process asks the others how far they are. */
  beforeRollCall: () => void = () => undefined;
  /** Whether the log leaves a request for an entry without an answer. */
  failsToLoad: () => boolean = () => false;
  /** Whether a request that is sent gets lost. */
  losesRequest: () => boolean = () => false;
  /** Whether the reports of that process about its journal get lost. */
  losesReports: (process: string) => boolean = () => false;
  /** Whether the server takes the connection of that process for closed. */
  seemsGone: (process: string) => boolean = () => false;
  /** Among several servers, one other than the leader may lack entries. */
  isOneServer = true;
  /** The number of entries at the server that answers that process. */
  entriesSeenBy: (process: string) => number = () => this.entries.length;
  /** Whether no other process answers that one. */
  isUnanswered: (process: string) => boolean = () => false;
  /** Whether a request arrives twice, like one that was slow and sent again. */
  repeatsRequest: () => boolean = () => false;
  #lease: StoredLease | null = null;
  #beginning = 1;
  /** When an entry was stored. */
  timeOf: (position: number) => number = () => 0;
  readonly #left = new Set<string>();
  readonly #connections = new Map<string, Connection>();
  readonly #owners = new Map<
    number,
    { process: string; take: (request: ReceivedRequest) => void }
  >();
  readonly #appended = new Set<() => void>();

  transport(): ClusterTransport {
    return {
      connect: async ({ process }) => {
        this.#connections.set(process, {
          isPaused: false,
          onRefusal: () => undefined,
          resumed: new Set(),
          report: null,
          onReport: () => undefined,
          onCounts: () => undefined,
        });
        return this.#connect(process);
      },
    };
  }

  get processes(): readonly string[] {
    return [...this.#connections.keys()];
  }

  /** The first position that is not removed. */
  get beginning(): number {
    return this.#beginning;
  }

  /** As the lease names it. */
  get epoch(): number {
    return this.#lease?.record.epoch ?? 0;
  }

  get owner(): string | null {
    return this.#lease?.record.holder ?? null;
  }

  pause(process: string): void {
    this.#connectionOf(process).isPaused = true;
  }

  resume(process: string): void {
    const connection = this.#connectionOf(process);
    connection.isPaused = false;
    for (const resume of [...connection.resumed]) resume();
    connection.resumed.clear();
  }

  /** Whether a request of the paused process waits. */
  isHeldUp(process: string): boolean {
    return this.#connectionOf(process).resumed.size > 0;
  }

  /** Ends the process at once: what it has not appended by now is never appended. */
  kill(process: string): void {
    this.pause(process);
    this.#forget(process);
  }

  hasLeft(process: string): boolean {
    return this.#left.has(process);
  }

  #forget(process: string): void {
    this.#left.add(process);
    this.#connectionOf(process).report = null;
    for (const [epoch, { process: owner }] of this.#owners) {
      if (owner === process) this.#owners.delete(epoch);
    }
  }

  #connect(process: string): ConnectedTransport {
    return {
      log: this.#logFor(process),
      leaseStore: this.#leaseFor(process),
      link: this.#linkFor(process),
      rollCall: this.#rollCallFor(process),
      liveness: { isGone: async (other) => this.#left.has(other) || this.seemsGone(other) },
      replies: { find: async () => null, share: () => undefined },
      operator: { answer: () => undefined },
      reportLink: this.#reportLinkFor(process),
      countsLink: {
        tell: (message) => {
          for (const connection of this.#connections.values()) connection.onCounts(message);
        },
        onTold: (listener) => {
          this.#connectionOf(process).onCounts = listener;
        },
      },
      leave: async () => this.#forget(process),
    };
  }

  #connectionOf(process: string): Connection {
    const connection = this.#connections.get(process);
    if (connection === undefined) throw new Error(`there is no process ${process}`);
    return connection;
  }

  async #pass(process: string): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const connection = this.#connectionOf(process);
    while (connection.isPaused)
      await new Promise<void>((resolve) => connection.resumed.add(resolve));
  }

  #logFor(process: string): SharedLog {
    return {
      loadEnd: async () => {
        await this.#pass(process);
        return this.entriesSeenBy(process);
      },
      loadEndAndStart: async () => {
        await this.#pass(process);
        const end = this.entriesSeenBy(process);
        return { end, start: `start ${this.start}`, isOneServer: this.isOneServer };
      },
      isFull: false,
      forgetEnd: () => undefined,
      loadBeginning: async () => this.#beginning,
      loadTime: async (position) => (position > this.entries.length ? null : this.timeOf(position)),
      trimBelow: async (position) => {
        this.#beginning = position;
      },
      load: async (position) => {
        await this.#pass(process);
        if (this.failsToLoad()) throw new LogUnreachableError('the log does not answer');
        return position < this.#beginning ? null : (this.entries[position - 1] ?? null);
      },
      append: async (entry, after, by = 'id') => {
        await this.#pass(process);
        this.beforeAppend(process);
        await this.#pass(process);
        const position = after.position + 1;
        const id = entryId(process, entry.epoch, position);
        if (this.isOneServer && entry.logStart !== `start ${this.start}`) {
          if (this.entries[position - 1]?.id === id) return { position, id };
          throw new LogRestartedError('the server has restarted');
        }
        const last = this.entries.at(-1);
        const isLast = (last?.position ?? 0) === after.position;
        if (!isLast || (by === 'id' && (last?.id ?? null) !== after.id)) {
          throw new FencedError('another process has appended');
        }
        // The owner reuses its buffer for the next group.
        const group = Uint8Array.from(entry.group);
        this.entries.push({ ...entry, group, position, id, after: after.id });
        for (const wake of [...this.#appended]) wake();
        this.afterAppend(process);
        await this.#pass(process);
        return { position, id };
      },
      follow: async (from, visit, signal) => {
        for (let next = from; !signal.aborted; ) {
          await this.#pass(process);
          if (next < this.#beginning) throw new Error(`entry ${next} is gone`);
          const entry = this.entries[next - 1];
          if (entry === undefined || next > this.entriesSeenBy(process)) {
            await this.#nextAppend(signal);
            continue;
          }
          await visit(entry);
          next += 1;
        }
      },
    };
  }

  #nextAppend(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const finish = (): void => {
        signal.removeEventListener('abort', finish);
        this.#appended.delete(finish);
        resolve();
      };
      signal.addEventListener('abort', finish);
      this.#appended.add(finish);
    });
  }

  /** Only what follows the command can be read, and the entry before that. */
  trimBelow(sequence: Sequence): void {
    const last = this.entries.findLast(({ lastSequence }) => lastSequence <= sequence);
    this.#beginning = last?.position ?? 1;
  }

  /** The server starts again without its newest entries. */
  loseEnd(count: number): void {
    this.entries.splice(this.entries.length - count);
    this.start += 1;
  }

  #rollCallFor(process: string): RollCall {
    return {
      answer: (report) => {
        this.#connectionOf(process).report = report;
      },
      ask: async (_isEnough, epoch) => {
        await this.#pass(process);
        this.beforeRollCall();
        if (this.isUnanswered(process)) return [];
        const others = [...this.#connections].filter(([other]) => other !== process);
        const answers = others.flatMap(([, { isPaused, report }]) =>
          isPaused || report === null ? [] : [report({ process, epoch }).catch(() => null)],
        );
        return (await Promise.all(answers)).filter((answer) => answer !== null);
      },
    };
  }

  #reportLinkFor(process: string): JournalReportLink {
    return {
      announce: (report) => {
        if (this.losesReports(process)) return;
        void this.#pass(process).then(async () => {
          for (const other of this.processes) {
            await this.#pass(process);
            if (!this.#connectionOf(other).isPaused) this.#connectionOf(other).onReport(report);
          }
        });
      },
      onReport: (listener) => {
        this.#connectionOf(process).onReport = listener;
      },
    };
  }

  #leaseFor(process: string): LeaseStore {
    return {
      load: async () => {
        await this.#pass(process);
        return this.#lease;
      },
      write: async (record, expected) => {
        await this.#pass(process);
        if ((this.#lease?.revision ?? null) !== expected) return null;
        this.#lease = { record, revision: (expected ?? 0) + 1 };
        return this.#lease.revision;
      },
    };
  }

  #linkFor(process: string): RequestLink {
    const connection = this.#connectionOf(process);
    return {
      isConnected: true,
      onRefusal: (listener) => {
        connection.onRefusal = listener;
      },
      send: (epoch, request, record) => {
        if (this.losesRequest()) return;
        const sent = { process, epoch, request, record: Uint8Array.from(record) };
        void this.#deliver(sent);
        if (this.repeatsRequest()) void this.#deliver(sent);
      },
      listen: (epoch, take) => {
        this.#owners.set(epoch, { process, take });
        return () => this.#owners.delete(epoch);
      },
    };
  }

  async #deliver(sent: {
    readonly process: string;
    readonly epoch: number;
    readonly request: number;
    readonly record: Uint8Array;
  }): Promise<void> {
    const { process, epoch, request, record } = sent;
    const refuse = async (refusal: Refusal): Promise<void> => {
      await this.#pass(process);
      this.#connectionOf(process).onRefusal(request, refusal);
    };
    await this.#pass(process);
    const owner = this.#owners.get(epoch);
    if (owner === undefined) return refuse('absent');
    await this.#pass(owner.process);
    owner.take({ process, request, record, refuse: (refusal) => void refuse(refusal) });
  }
}
