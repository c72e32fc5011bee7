import type { FindOwnReply } from '../../../src/application/ports/exchange.ts';
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

/** Faults of the network between a process and the server. */
export interface NetworkTroubles {
  /** No message to the server gets through, or none from it. */
  losesUp: boolean;
  losesDown: boolean;
  slowMs: number;
  /** How many of the newest entries are missing at the replica that this process reads from. */
  lateEntries: number;
  /** How many of the newest entries that replica returns with a flipped bit. */
  damagedEntries: number;
}

export interface NatsTroubles {
  /** Neither entries nor records are stored. */
  isFull: boolean;
  isDown: boolean;
  /** The share of answers to stored entries that get lost. */
  answersLost: number;
  requestsLost: number;
  requestsDoubled: number;
}

/** A process's connection to the server. */
export interface Connection {
  readonly actor: Actor;
  readonly process: string;
  readonly troubles: NetworkTroubles;
  /** As the client sees it: false once it has noticed a break. */
  isConnected: boolean;
  /** The start of the server in which the connection was opened, and when. */
  openedIn: number;
  openedAt: number;
  onRefusal: (request: number, refusal: Refusal) => void;
  report: ((question: RollQuestion) => Promise<RollAnswer>) | null;
  onTail: () => void;
  onReport: (report: JournalReport) => void;
  findReply: FindOwnReply;
}

export class StoreFullError extends LogUnreachableError {}

// A client gives up on a silent server after two unanswered pings.
const noticedAfterMs = 5_000;
const reconnectMs = 300;

/** A model of a NATS server with JetStream, as far as the cluster's protocol uses it. */
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
  /** The position of the oldest entry that is not trimmed. */
  beginning = 1;
  readonly connections = new Set<Connection>();
  readonly owners = new Map<
    number,
    { connection: Connection; take: (request: ReceivedRequest) => void }
  >();
  lease: StoredLease | null = null;
  /** Counts the starts of the server. */
  start = 1;
  /** Whether the server still knows the id of the last entry: a late restart forgets it. */
  #isIdKnown = true;
  readonly #draws: Draws;
  readonly #networks = new Map<number, NetworkTroubles>();

  constructor(world: World, draws: Draws) {
    this.world = world;
    this.#draws = draws;
  }

  /** The transport of the process on that machine. */
  transportFor(machine: number, actor: Actor): ClusterTransport {
    return {
      connect: async ({ process, time }) => {
        const connection: Connection = {
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
        this.connections.add(connection);
        return connectToModel(this, connection, time);
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

  /** Removes the connections of a process that has ended. */
  forget(actor: Actor): void {
    for (const connection of this.connections)
      if (connection.actor === actor) this.leave(connection);
  }

  leave(connection: Connection): void {
    this.connections.delete(connection);
    for (const [epoch, { connection: owner }] of this.owners) {
      if (owner === connection) this.owners.delete(epoch);
    }
  }

  /** Resolves when a message that is sent now arrives, to false if it is lost. */
  async pass(connection: Connection, way: 'up' | 'down'): Promise<boolean> {
    const { troubles } = connection;
    const isLost = (): boolean =>
      this.troubles.isDown || (way === 'up' ? troubles.losesUp : troubles.losesDown);
    if (isLost()) return false;
    const delayMs = this.#draws.between(0.05, 0.5) + troubles.slowMs * this.#draws.fraction();
    const start = this.start;
    await this.world.wait(delayMs, way === 'up' ? this.world.outside : connection.actor);
    return !isLost() && start === this.start;
  }

  /** Asks the server. @throws LogUnreachableError if no answer arrives in time */
  async ask<T>(connection: Connection, timeoutMs: number, answer: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const expire = this.world.schedule(timeoutMs, connection.actor, () =>
        reject(new LogUnreachableError('the server does not answer')),
      );
      void this.#askOnce(connection, answer).then((found) => {
        if (found === null) return;
        expire();
        if ('error' in found) reject(found.error);
        else resolve(found.value);
      });
    });
  }

  async #askOnce<T>(
    connection: Connection,
    answer: () => T,
  ): Promise<{ value: T } | { error: Error } | null> {
    if (!(await this.pass(connection, 'up'))) return null;
    let found: { value: T } | { error: Error };
    try {
      found = { value: answer() };
    } catch (error) {
      found = { error: error instanceof Error ? error : new Error(String(error)) };
    }
    return (await this.pass(connection, 'down')) ? found : null;
  }

  /** Appends the entry after the one that it names, under the same conditions as the server. */
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
      throw new FencedError('that position holds another entry');
    }
    if (by === 'id' && last !== null && !this.#isIdKnown) {
      throw new IdForgottenError('the last id is forgotten');
    }
    this.#isIdKnown = true;
    this.entries.push({ ...entry, ...place, after: after.id });
    this.world.record(entry.lastSequence);
    for (const connection of this.connections) {
      void this.pass(connection, 'down').then((isReached) => isReached && connection.onTail());
    }
    return place;
  }

  entryAt(position: number): PlacedEntry | null {
    return position < this.beginning ? null : (this.entries[position - 1] ?? null);
  }

  losesAnswer(): boolean {
    return this.#draws.chance(this.troubles.answersLost);
  }

  /** How many times a request arrives: once unless it is lost or duplicated. */
  arrivals(): number {
    if (this.#draws.chance(this.troubles.requestsLost)) return 0;
    return this.#draws.chance(this.troubles.requestsDoubled) ? 2 : 1;
  }

  /** The number of entries of the newest epoch; 0 if there is no earlier one. */
  get newestEpochLength(): number {
    const newest = this.entries.at(-1)?.epoch;
    const before = this.entries.findLastIndex(({ epoch }) => epoch !== newest);
    return before < 0 ? 0 : this.entries.length - 1 - before;
  }

  stop(): void {
    this.troubles.isDown = true;
    for (const connection of this.connections) connection.isConnected = false;
  }

  /** Starts the server again, perhaps without its newest entries; every process reconnects. */
  restart(entriesLost: number): void {
    const kept = Math.max(0, this.entries.length - entriesLost);
    this.entries.length = kept;
    this.start += 1;
    this.#isIdKnown &&= !this.#draws.chance(0.2);
    this.troubles.isDown = false;
    for (const connection of this.connections) {
      connection.isConnected = false;
      this.world.schedule(reconnectMs * this.#draws.fraction(), connection.actor, () => {
        this.#reopen(connection);
      });
    }
  }

  /** Lets clients notice, after a while, that their connection is cut or restored. */
  noticeConnection(network: NetworkTroubles): void {
    const isCut = network.losesUp || network.losesDown;
    for (const connection of this.connections) {
      if (connection.troubles !== network) continue;
      this.world.schedule(isCut ? noticedAfterMs : reconnectMs, connection.actor, () => {
        this.#reopen(connection);
      });
    }
  }

  #reopen(connection: Connection): void {
    const { losesUp, losesDown } = connection.troubles;
    connection.isConnected = !losesUp && !losesDown && !this.troubles.isDown;
    if (!connection.isConnected || connection.openedIn === this.start) return;
    connection.openedIn = this.start;
    connection.openedAt = this.world.now;
  }
}
