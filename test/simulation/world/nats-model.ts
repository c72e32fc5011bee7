import type { FindOwnReply } from '../../../src/application/ports.ts';
import type { JournalReport } from '../../../src/cluster/journal-report.ts';
import type { LogEntry, LogPosition, PlacedEntry } from '../../../src/cluster/log-entry.ts';
import { LogUnreachableError } from '../../../src/cluster/log-unreachable-error.ts';
import type { StoredLease } from '../../../src/cluster/owner-lease.ts';
import type { ReceivedRequest, Refusal } from '../../../src/cluster/request-link.ts';
import type { RollAnswer, RollQuestion } from '../../../src/cluster/roll-call.ts';
import {
  type AppendCheck,
  FencedError,
  IdForgottenError,
  LogRestartedError,
} from '../../../src/cluster/shared-log.ts';
import type { ClusterTransport } from '../../../src/cluster/transport.ts';
import type { Draws } from './draws.ts';
import { connectToModel } from './nats-connection.ts';
import type { Actor, World } from './world.ts';

/** What the network does to messages between a process and the server. */
export interface NetworkTroubles {
  /** No message gets through in that direction. */
  losesUp: boolean;
  losesDown: boolean;
  slowMs: number;
  /** Entries that the replica lacks from which this process reads them. */
  lateEntries: number;
  /** Entries of which that replica has another content. */
  damagedEntries: number;
}

export interface NatsTroubles {
  /** No entry and no record is stored. */
  isFull: boolean;
  isDown: boolean;
  /** The share of answers to stored entries that get lost. */
  answersLost: number;
  requestsLost: number;
  requestsDoubled: number;
}

/** A process's connection to the server. */
export interface Line {
  readonly actor: Actor;
  readonly process: string;
  readonly troubles: NetworkTroubles;
  /** Whether the client knows of no break. */
  isConnected: boolean;
  /** The start of the server that knows the connection, and when it was opened. */
  openedIn: number;
  openedAt: number;
  onRefusal: (request: number, refusal: Refusal) => void;
  report: ((question: RollQuestion) => Promise<RollAnswer>) | null;
  onTail: () => void;
  onReport: (report: JournalReport) => void;
  findReply: FindOwnReply;
}

export class StoreFullError extends LogUnreachableError {}

// A server that is silent is given up after two unanswered pings.
const noticedAfterMs = 5_000;
const reconnectMs = 300;

/** A NATS server with JetStream, as far as the cluster's protocol can tell. */
export class NatsModel {
  readonly world: World;
  readonly troubles: NatsTroubles = {
    isFull: false,
    isDown: false,
    answersLost: 0,
    requestsLost: 0,
    requestsDoubled: 0,
  };
  readonly entries: PlacedEntry[] = [];
  /** The first position that is not removed. */
  beginning = 1;
  readonly lines = new Set<Line>();
  readonly owners = new Map<number, { line: Line; take: (request: ReceivedRequest) => void }>();
  lease: StoredLease | null = null;
  /** Changes with each restart of the server. */
  start = 1;
  /** Whether the last entry's id is known: not after a start long after it was stored. */
  #isIdKnown = true;
  readonly #draws: Draws;
  readonly #networks = new Map<number, NetworkTroubles>();

  constructor(world: World, draws: Draws) {
    this.world = world;
    this.#draws = draws;
  }

  /** For the process of that machine. */
  transportFor(machine: number, actor: Actor): ClusterTransport {
    return {
      connect: async ({ process, time }) => {
        const line: Line = {
          actor,
          process,
          troubles: this.networkOf(machine),
          isConnected: true,
          openedIn: this.start,
          openedAt: -Infinity,
          onRefusal: () => undefined,
          report: null,
          onTail: () => undefined,
          onReport: () => undefined,
          findReply: async () => null,
        };
        this.lines.add(line);
        return connectToModel(this, line, time);
      },
    };
  }

  networkOf(machine: number): NetworkTroubles {
    let network = this.#networks.get(machine);
    if (network === undefined) {
      network = { losesUp: false, losesDown: false, slowMs: 0, lateEntries: 0, damagedEntries: 0 };
      this.#networks.set(machine, network);
    }
    return network;
  }

  /** The process has ended, and its subscriptions with it. */
  forget(actor: Actor): void {
    for (const line of this.lines) if (line.actor === actor) this.leave(line);
  }

  leave(line: Line): void {
    this.lines.delete(line);
    for (const [epoch, { line: owner }] of this.owners) {
      if (owner === line) this.owners.delete(epoch);
    }
  }

  /** Resolves when a message sent now arrives; false if it is lost. */
  async pass(line: Line, way: 'up' | 'down'): Promise<boolean> {
    const { troubles } = line;
    const isLost = (): boolean =>
      this.troubles.isDown || (way === 'up' ? troubles.losesUp : troubles.losesDown);
    if (isLost()) return false;
    const delayMs = this.#draws.between(0.05, 0.5) + troubles.slowMs * this.#draws.fraction();
    const start = this.start;
    await this.world.wait(delayMs, way === 'up' ? this.world.outside : line.actor);
    return !isLost() && start === this.start;
  }

  /** Asks the server. @throws LogUnreachableError where no answer comes in time */
  async ask<T>(line: Line, timeoutMs: number, answer: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const expire = this.world.schedule(timeoutMs, line.actor, () =>
        reject(new LogUnreachableError('the server does not answer')),
      );
      void this.#askOnce(line, answer).then((found) => {
        if (found === null) return;
        expire();
        if ('error' in found) reject(found.error);
        else resolve(found.value);
      });
    });
  }

  async #askOnce<T>(line: Line, answer: () => T): Promise<{ value: T } | { error: Error } | null> {
    if (!(await this.pass(line, 'up'))) return null;
    let found: { value: T } | { error: Error };
    try {
      found = { value: answer() };
    } catch (error) {
      found = { error: error instanceof Error ? error : new Error(String(error)) };
    }
    return (await this.pass(line, 'down')) ? found : null;
  }

  /** Stores the entry after the one that it names, as the server does. */
  store(entry: LogEntry, after: LogPosition, by: AppendCheck, id: string): LogPosition {
    if (this.troubles.isFull) throw new StoreFullError('the store is full');
    const place = { position: after.position + 1, id };
    const isThere = this.entries[after.position]?.id === id;
    if (entry.logStart !== `start ${this.start}`) {
      if (isThere) return place;
      throw new LogRestartedError('the server has restarted');
    }
    if (isThere) return place;
    const last = this.entries.at(-1) ?? null;
    const isLast = (last?.position ?? 0) === after.position;
    if (!isLast) throw new FencedError('another process has appended');
    if (by === 'id' && (last?.id ?? null) !== after.id) {
      throw new FencedError('another entry stands there');
    }
    if (by === 'id' && last !== null && !this.#isIdKnown) {
      throw new IdForgottenError('the last id is forgotten');
    }
    this.#isIdKnown = true;
    this.entries.push({ ...entry, ...place, after: after.id });
    this.world.record(entry.lastSequence);
    for (const line of this.lines) {
      void this.pass(line, 'down').then((isReached) => isReached && line.onTail());
    }
    return place;
  }

  entryAt(position: number): PlacedEntry | null {
    return position < this.beginning ? null : (this.entries[position - 1] ?? null);
  }

  losesAnswer(): boolean {
    return this.#draws.chance(this.troubles.answersLost);
  }

  /** How often a request arrives: once, if nothing happens to it. */
  arrivals(): number {
    if (this.#draws.chance(this.troubles.requestsLost)) return 0;
    return this.#draws.chance(this.troubles.requestsDoubled) ? 2 : 1;
  }

  /** The entries after the last one of the preceding epoch; 0 if there is none. */
  get newestEpochLength(): number {
    const newest = this.entries.at(-1)?.epoch;
    const before = this.entries.findLastIndex(({ epoch }) => epoch !== newest);
    return before < 0 ? 0 : this.entries.length - 1 - before;
  }

  stop(): void {
    this.troubles.isDown = true;
    for (const line of this.lines) line.isConnected = false;
  }

  /** The server runs again, maybe without its newest entries; every process has to reconnect. */
  restart(entriesLost: number): void {
    const kept = Math.max(0, this.entries.length - entriesLost);
    this.entries.length = kept;
    this.start += 1;
    this.#isIdKnown &&= !this.#draws.chance(0.2);
    this.troubles.isDown = false;
    for (const line of this.lines) {
      line.isConnected = false;
      this.world.schedule(reconnectMs * this.#draws.fraction(), line.actor, () => {
        this.#reopen(line);
      });
    }
  }

  /** A client notices after a while that its connection is cut, or restored. */
  noticeLine(network: NetworkTroubles): void {
    const isCut = network.losesUp || network.losesDown;
    for (const line of this.lines) {
      if (line.troubles !== network) continue;
      this.world.schedule(isCut ? noticedAfterMs : reconnectMs, line.actor, () => {
        this.#reopen(line);
      });
    }
  }

  #reopen(line: Line): void {
    const { losesUp, losesDown } = line.troubles;
    line.isConnected = !losesUp && !losesDown && !this.troubles.isDown;
    if (!line.isConnected || line.openedIn === this.start) return;
    line.openedIn = this.start;
    line.openedAt = this.world.now;
  }
}
