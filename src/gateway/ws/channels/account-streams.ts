import type { Address } from '../../../domain/identifiers.ts';
import type { Connection } from '../connection.ts';
import { encodeTextFrame } from '../frame.ts';
import type { Outbox } from '../outbox.ts';
import type { StreamClock } from '../stream-clock.ts';
import type { PrivateStream } from './channel.ts';

export interface AccountSnapshot {
  /** The last command whose effect the snapshot includes. */
  readonly sequence: number;
  /** As JSON. */
  readonly data: string;
}

export interface AccountUpdate {
  readonly address: Address;
  /** The command that caused it. */
  readonly sequence: number;
  /** As JSON. */
  readonly data: string;
}

/** What the stream of one account is made of. */
export interface AccountSource {
  readonly loadSnapshot: () => Promise<AccountSnapshot>;
  /** Called for the first stream of the account; what it returns, after its last one. */
  readonly subscribe: () => () => void;
}

export interface AccountStreamsParts {
  readonly channel: string;
  readonly outbox: Outbox;
  readonly clock: StreamClock;
}

interface Member {
  readonly connection: Connection;
  readonly address: Address;
  isEnded: boolean;
  /** Updates that arrived before the snapshot; null once it was sent. */
  waiting: AccountUpdate[] | null;
  /** Updates up to this sequence are included in the snapshot. */
  snapshotSequence: number;
  seq: number;
}

/**
 * The subscriptions of one private channel: each is a snapshot and the updates after it, gapless.
 */
export class AccountStreams {
  readonly #parts: AccountStreamsParts;
  readonly #members = new Map<Address, Set<Member>>();
  readonly #unsubscribes = new Map<Address, () => void>();

  constructor(parts: AccountStreamsParts) {
    this.#parts = parts;
  }

  get isIdle(): boolean {
    return this.#members.size === 0;
  }

  hasMembers(address: Address): boolean {
    return this.#members.has(address);
  }

  /** Queues updates from now on and sends them once the snapshot that they follow has been sent. */
  open(
    connection: Connection,
    address: Address,
    { loadSnapshot, subscribe }: AccountSource,
  ): PrivateStream {
    if (!this.hasMembers(address)) this.#unsubscribes.set(address, subscribe());
    const member: Member = {
      connection,
      address,
      isEnded: false,
      waiting: [],
      snapshotSequence: 0,
      seq: 0,
    };
    const members = this.#members.get(address) ?? new Set();
    this.#members.set(address, members.add(member));
    return { opened: this.#begin(member, loadSnapshot), end: () => this.#end(member) };
  }

  publish(update: AccountUpdate): void {
    for (const member of this.#members.get(update.address) ?? []) {
      if (member.waiting === null) this.#sendUpdate(member, update);
      else member.waiting.push(update);
    }
  }

  async #begin(member: Member, loadSnapshot: () => Promise<AccountSnapshot>): Promise<void> {
    const { sequence, data } = await loadSnapshot();
    const waiting = member.waiting ?? [];
    member.waiting = null;
    member.snapshotSequence = sequence;
    this.#send(member, 'snapshot', data);
    for (const update of waiting) this.#sendUpdate(member, update);
  }

  #end(member: Member): void {
    member.isEnded = true;
    const { address } = member;
    const members = this.#members.get(address);
    members?.delete(member);
    if (members?.size !== 0) return;
    this.#members.delete(address);
    this.#unsubscribes.get(address)?.();
    this.#unsubscribes.delete(address);
  }

  #sendUpdate(member: Member, update: AccountUpdate): void {
    if (update.sequence > member.snapshotSequence) this.#send(member, 'update', update.data);
  }

  #send(member: Member, type: 'snapshot' | 'update', data: string): void {
    const { channel, outbox, clock } = this.#parts;
    const { connection, address, isEnded } = member;
    if (isEnded || !connection.isAuthenticatedAs(address, clock.now())) return;
    member.seq += 1;
    const head = `{"type":"${type}","channel":"${channel}","seq":${member.seq}`;
    outbox.push(connection, encodeTextFrame(`${head},"ts":${clock.now()},"data":${data}}`));
  }
}
