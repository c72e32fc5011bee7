import { headers, type MsgHdrs } from '@nats-io/transport-node';
import type { Sequence } from '../domain/identifiers.ts';
import type { Chain } from './chain.ts';
import type { MemberList } from './member-list.ts';

// One message of the shared log: a group of journal records, exactly as the owner wrote it, or
// nothing when an owner begins its epoch. Everything that is not in the records is in headers.

/** How a command reached the log: the process that received it and that process's number for it. */
export interface Origin {
  readonly process: string;
  readonly request: number;
  /** The index of its record in the group, from 0. */
  readonly place: number;
}

export interface LogEntry {
  /** Rises with every owner; all entries of an owner follow its first one. */
  readonly epoch: number;
  /** The newest rules by which the owner applied the records. */
  readonly rulesVersion: number;
  /** The last command in the log up to and including this entry. */
  readonly lastSequence: Sequence;
  readonly origins: readonly Origin[];
  /** Whole records; empty at the beginning of an epoch. */
  readonly group: Uint8Array;
  /** The start of the log's server that the owner saw last; null if the entry names none. */
  readonly logStart: string | null;
  /**
   * True in an epoch that is not open yet, at its beginning and in each entry that the log lacked.
   * Only an entry without this shows that the log holds everything that was acknowledged before.
   */
  readonly isRestoring: boolean;
  /** Whether `origins` of a restored entry has every request that anyone may wait for. */
  readonly namesOrigins?: boolean;
  /** Of the history before and after the group; null in entries of programs without chains. */
  readonly chain: EntryChain | null;
  /** The last command that its owner had acknowledged by then; absent if the entry names none. */
  readonly confirmed?: Sequence;
  /** Null in entries with commands, and in those of programs without lists of members. */
  readonly mark: EntryMark | null;
}

/** What an entry without commands says about the members and snapshots. */
export interface EntryMark {
  readonly list: MemberList;
  /**
   * Whether the epoch follows a roll call that reached every group of members able to acknowledge a
   * command: then nothing that the epoch lacks was ever acknowledged.
   */
  readonly isComplete: boolean;
  /** The members without whose journals an operator let the epoch begin. */
  readonly without: readonly MemberProgress[];
  /** The snapshot that new processes may restore from now on; absent if the entry names none. */
  readonly snapshot?: NamedSnapshot;
}

/** The state after a command, and the file in the shared store that holds it. */
export interface NamedSnapshot {
  readonly sequence: Sequence;
  /** Of the history up to the sequence. */
  readonly chain: Chain;
  readonly stateHash: string;
  /** Of the file, in hexadecimal digits. */
  readonly sha256: string;
}

/** How far a member was when it was last seen; zeros if never. */
export interface MemberProgress {
  readonly member: string;
  readonly epoch: number;
  readonly sequence: number;
}

export interface EntryChain {
  readonly before: Chain;
  readonly after: Chain;
}

/** Where an entry stands; another entry at the same position has another id. */
export interface LogPosition {
  /** From 1, without gaps; 0 before the first entry. */
  readonly position: number;
  /** Null before the first entry. */
  readonly id: string | null;
}

/** An entry with its position. */
export interface PlacedEntry extends LogEntry, LogPosition {
  /** The id of the entry before it; null before the first one. */
  readonly after: string | null;
}

/** The id of an entry, unique among all entries that were ever sent to the log. */
export function entryId(process: string, epoch: number, position: number): string {
  return `${process}-${epoch}-${position}`;
}

/** The process that appended the entry of that id. */
export function appenderOf(id: string): string {
  return id.split('-')[0]!;
}

/** The log contains something that no owner writes. */
export class LogDamageError extends Error {
  override readonly name = 'LogDamageError';
}

const names = {
  epoch: 'Openbourse-Epoch',
  rules: 'Openbourse-Rules',
  last: 'Openbourse-Last',
  origins: 'Openbourse-Origins',
  logStart: 'Openbourse-Log-Start',
  restoring: 'Openbourse-Restoring',
  namesOrigins: 'Openbourse-Names-Origins',
  chain: 'Openbourse-Chain',
  after: 'Openbourse-After',
  confirmed: 'Openbourse-Confirmed',
  mark: 'Openbourse-Mark',
  id: 'Nats-Msg-Id',
} as const;

export function encodeHeaders(entry: LogEntry, after: string | null): MsgHdrs {
  const encoded = headers();
  if (after !== null) encoded.set(names.after, after);
  encoded.set(names.epoch, String(entry.epoch));
  encoded.set(names.rules, String(entry.rulesVersion));
  encoded.set(names.last, String(entry.lastSequence));
  if (entry.logStart !== null) encoded.set(names.logStart, entry.logStart);
  if (entry.isRestoring) encoded.set(names.restoring, '1');
  if (entry.namesOrigins === true) encoded.set(names.namesOrigins, '1');
  if (entry.chain !== null) encoded.set(names.chain, `${entry.chain.before} ${entry.chain.after}`);
  if (entry.confirmed !== undefined) encoded.set(names.confirmed, String(entry.confirmed));
  if (entry.mark !== null) encoded.set(names.mark, JSON.stringify(entry.mark));
  if (entry.origins.length > 0) {
    const origins = entry.origins.map(
      ({ process, request, place }) => `${process}.${request}.${place}`,
    );
    encoded.set(names.origins, origins.join(' '));
  }
  return encoded;
}

/** The id under which an entry was published; null if it has none. */
export function messageIdOf(encoded: MsgHdrs | undefined): string | null {
  return encoded?.get(names.id) || null;
}

/** @throws LogDamageError if the message is not an entry. */
export function decodeEntry(message: {
  readonly seq: number;
  readonly headers: MsgHdrs | undefined;
  readonly data: Uint8Array;
}): PlacedEntry {
  const { seq: position, headers: encoded, data: group } = message;
  const read = (name: string): number => {
    const text = encoded?.get(name) ?? '';
    if (/^\d{1,16}$/.test(text)) return Number(text);
    throw new LogDamageError(`entry ${position} of the shared log has no ${name}`);
  };
  return {
    position,
    epoch: read(names.epoch),
    rulesVersion: read(names.rules),
    lastSequence: read(names.last) as Sequence,
    origins: decodeOrigins(encoded?.get(names.origins) ?? ''),
    group,
    logStart: encoded?.get(names.logStart) || null,
    isRestoring: encoded?.get(names.restoring) === '1',
    ...(encoded?.get(names.namesOrigins) === '1' ? { namesOrigins: true } : {}),
    chain: decodeChain(encoded?.get(names.chain) ?? ''),
    ...(encoded?.has(names.confirmed) ? { confirmed: read(names.confirmed) as Sequence } : {}),
    mark: decodeMark(encoded?.get(names.mark) ?? ''),
    id: messageIdOf(encoded),
    after: encoded?.get(names.after) || null,
  };
}

function decodeChain(text: string): EntryChain | null {
  const [before, after] = text.split(' ');
  return before === undefined || after === undefined ? null : { before, after };
}

function decodeMark(text: string): EntryMark | null {
  return text === '' ? null : (JSON.parse(text) as EntryMark);
}

function decodeOrigins(text: string): readonly Origin[] {
  if (text === '') return [];
  return text.split(' ').map((each) => {
    const [process = '', request, place] = each.split('.');
    return { process, request: Number(request), place: Number(place) };
  });
}
