import { beforeEach, describe, expect, it } from 'vitest';
import { credit } from '../../test/support/memory-cluster.ts';
import {
  type AppliedCommand,
  type Command,
  EngineBusyError,
  EngineRestartingError,
  type RequestDigest,
  RequestExpiredError,
  RequestRepeatedError,
} from '../application/ports/exchange.ts';
import type { Sequence, TimestampMs } from '../domain/identifiers.ts';
import { digestOf } from '../domain/request-digest.ts';
import { FieldWriter } from '../journal/field-writer.ts';
import { moveRecord, writeRecord } from '../journal/journal-record.ts';
import type { ReceivedRequest } from './request-link.ts';
import { RequestServer } from './request-server.ts';

const applied = {} as AppliedCommand;
/** Of the byte in a record that says which command it is. */
const tagAt = 9;

function recordOf(command: Command, digest: RequestDigest | null = null): Uint8Array {
  const fields = new FieldWriter();
  fields.bytes = new Uint8Array(1_000);
  fields.offset = 0;
  writeRecord(fields, command, { sequence: 0 as Sequence, timestamp: 0 as TimestampMs }, 0, digest);
  return fields.bytes.slice(0, fields.offset);
}

describe('the owner', () => {
  let sequence: number;
  let failure: Error | null;
  let submitted: { readonly command: Command; readonly digest: RequestDigest | null }[];
  let records: Uint8Array[];
  let settled: number[];
  let refusals: (readonly [number, string])[];
  let listening: Map<number, (request: ReceivedRequest) => void>;
  let server: RequestServer;

  beforeEach(() => {
    sequence = 10;
    failure = null;
    submitted = [];
    records = [];
    settled = [];
    refusals = [];
    listening = new Map();
    server = new RequestServer({
      link: {
        isConnected: true,
        send: () => undefined,
        onRefusal: () => undefined,
        listen: (epoch, take) => {
          listening.set(epoch, take);
          return () => listening.delete(epoch);
        },
      },
      submit: async (command, digest, record) => {
        if (failure !== null) throw failure;
        sequence += 1;
        submitted.push({ command, digest });
        records.push(record);
        return applied;
      },
      appliedSequence: () => sequence as Sequence,
      own: { process: 'own', settle: (request) => void settled.push(request) },
    });
    server.start(7);
  });

  async function receive(process: string, request: number, record = recordOf(credit())) {
    const refuse = (refusal: string): void => void refusals.push([request, refusal]);
    listening.get(7)!({ process, request, record, refuse });
    await new Promise((resolve) => setImmediate(resolve));
  }

  it('takes the requests of its epoch until it stops', () => {
    expect([...listening.keys()]).toEqual([7]);
    server.stop();
    expect([...listening.keys()]).toEqual([]);
  });

  it('submits each number of each process once, as it was sent', async () => {
    const digest = digestOf('0f'.repeat(16), 1_000);
    const command = credit('one');
    const record = recordOf(command, digest);
    await receive('a', 1, record);
    await receive('a', 1, record);
    await receive('b', 1);
    expect(submitted).toHaveLength(2);
    expect(submitted[0]).toEqual({ command, digest });
    expect(submitted[1]!.digest).toBeNull();
    expect(records[0]).toEqual(record);
    expect(refusals).toEqual([]);
  });

  it('names the requests of the commands in a group by their places, once', async () => {
    for (const request of [41, 42]) await receive('a', request);
    sequence += 1;
    await receive('b', 43);
    expect(server.takeOrigins(10, 12)).toEqual([
      { process: 'a', request: 41, place: 1 },
      { process: 'a', request: 42, place: 2 },
    ]);
    expect(server.takeOrigins(10, 14)).toEqual([{ process: 'b', request: 43, place: 4 }]);
    expect(server.takeOrigins(10, 14)).toEqual([]);
  });

  it('settles its own requests itself', async () => {
    await receive('own', 41);
    await receive('a', 42);
    expect(settled).toEqual([41]);
  });

  it.each([
    ['busy', new EngineBusyError('busy')],
    ['restarting', new EngineRestartingError('restarting')],
    ['repeated', new RequestRepeatedError('repeated')],
    ['expired', new RequestExpiredError('expired')],
    ['invalid', new RangeError('unknown')],
  ])('refuses as %s what was not accepted, and each copy of it', async (refusal, error) => {
    failure = error;
    await receive('a', 1);
    failure = null;
    await receive('a', 1);
    expect(refusals).toEqual([
      [1, refusal],
      [1, refusal],
    ]);
    expect(submitted).toEqual([]);
    expect(server.takeOrigins(10, 20)).toEqual([]);
  });

  it('refuses what is not exactly one whole record', async () => {
    const record = recordOf(credit());
    const damaged = Uint8Array.from(record);
    damaged.set([255, 255], damaged.length - 2);
    const longer = Uint8Array.from([...record, 0]);
    const cases = [new Uint8Array(), record.subarray(0, -1), damaged, longer];
    for (const [index, each] of cases.entries()) await receive('a', index + 1, each);
    expect(refusals).toEqual(cases.map((_, index) => [index + 1, 'invalid']));
    expect(submitted).toEqual([]);
  });

  it('refuses a command that only another version knows', async () => {
    const record = recordOf(credit());
    record[tagAt] = 255;
    moveRecord(record, 0, record.length, 0);
    await receive('a', 1, record);
    expect(refusals).toEqual([[1, 'invalid']]);
    expect(submitted).toEqual([]);
  });
});
