import { headers, type MsgHdrs } from '@nats-io/transport-node';
import type { Sequence } from '../domain/identifiers.ts';

// One message of the shared log: a group of journal records, exactly as the owner wrote it, or
// nothing at all where an owner begins its epoch. What is not in the records stands in headers.

/** A command's way into the log: the process that was asked for it and its number there. */
export interface Origin {
  readonly process: string;
  readonly request: number;
  /** The place of its record in the group, from 0. */
  readonly place: number;
}

export interface LogEntry {
  /** Rises with every owner; all entries of an owner follow its first one. */
  readonly epoch: number;
  /** Of the rules that the owner applied the records by. */
  readonly rulesVersion: number;
  /** Of the last command that the log holds with this entry. */
  readonly lastSequence: Sequence;
  readonly origins: readonly Origin[];
  /** Whole records; empty at the beginning of an epoch. */
  readonly group: Uint8Array;
  /** The start of the log's server that the owner saw last; null where an entry names none. */
  readonly logStart: string | null;
  /** At the beginning of an epoch that is not open yet: the log is first given what it lacks. */
  readonly isRestoring: boolean;
}

/** An entry in its place. */
export interface PlacedEntry extends LogEntry {
  /** From 1, without gaps. */
  readonly position: number;
}

/** The log holds what no owner writes. */
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
} as const;

export function encodeHeaders(entry: LogEntry): MsgHdrs {
  const encoded = headers();
  encoded.set(names.epoch, String(entry.epoch));
  encoded.set(names.rules, String(entry.rulesVersion));
  encoded.set(names.last, String(entry.lastSequence));
  if (entry.logStart !== null) encoded.set(names.logStart, entry.logStart);
  if (entry.isRestoring) encoded.set(names.restoring, '1');
  if (entry.origins.length > 0) {
    const origins = entry.origins.map(
      ({ process, request, place }) => `${process}.${request}.${place}`,
    );
    encoded.set(names.origins, origins.join(' '));
  }
  return encoded;
}

/** @throws LogDamageError where the message is no entry. */
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
  };
}

function decodeOrigins(text: string): readonly Origin[] {
  if (text === '') return [];
  return text.split(' ').map((each) => {
    const [process = '', request, place] = each.split('.');
    return { process, request: Number(request), place: Number(place) };
  });
}
