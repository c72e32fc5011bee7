import { beforeEach, describe, expect, it } from 'vitest';
import { addressOf } from '../../test/support/sequencer-address.ts';
import type { AccountId, OrderNumber, Sequence, TimestampMs } from '../domain/identifiers.ts';
import type { RequestDigest } from '../domain/request-digest.ts';
import type { Command } from '../engine/commands.ts';
import { engineFactory } from '../engine/engine.ts';
import { FieldWriter } from '../journal/field-writer.ts';
import {
  findRecord,
  readDigest,
  readPlace,
  readSequence,
  readTimestamp,
  writeRecord,
} from '../journal/journal-record.ts';
import { systemTime } from '../system/system-time.ts';
import { CommandPipeline, type PipelineOptions } from './command-pipeline.ts';

const openAccount = (number: number, text = ''): Command => ({
  type: 'creditBalance',
  address: addressOf(number),
  token: 'USDT',
  amount: 1n as never,
  actor: 'admin_api_key',
  reason: text,
  reference: null,
});
const cancel: Command = {
  type: 'cancelSpotOrder',
  accountId: 1 as AccountId,
  orderNumber: 1 as OrderNumber,
};
const digest: RequestDigest = { first: 1, second: 2, third: 3, fourth: 5, timestampMs: 4 };
const groupBytesMax = 1_000;

/** A pipeline whose journal writes when the test says so. */
class Workbench {
  room = 1_000_000;
  hasNext = false;
  isShort = false;
  isRepeated = false;
  isTooOld = false;
  confirm: ((through: Sequence) => Promise<void> | null) | undefined;
  readonly durable: number[] = [];
  readonly fatal: unknown[] = [];
  readonly written: number[] = [];
  /** The first record of each group. */
  readonly records: Buffer[] = [];
  rules = engineFactory.newestRules;
  segment = 1;
  readonly #writes: { readonly done: () => void; readonly fail: (error: Error) => void }[] = [];

  open(waitingMax = 10): CommandPipeline {
    const parts = {
      machine: engineFactory.create(this.rules),
      requests: { has: () => this.isRepeated, isTooOld: () => this.isTooOld, note: () => {} },
      journal: journalOf(this, this.#writes),
      clock: { now: () => 5 },
      time: { ...systemTime, afterTurn: (callback: () => void) => callback() },
      sequence: 0,
      timestamp: 0,
      waitingMax,
      groupBytesMax,
      onDurable: (outcomes: readonly { sequence: number }[]) =>
        void this.durable.push(...outcomes.map(({ sequence }) => sequence)),
      onFatal: (error: unknown) => void this.fatal.push(error),
      confirm: (through: Sequence) => this.confirm?.(through) ?? null,
    };
    return new CommandPipeline(parts as unknown as PipelineOptions);
  }

  /** Ends the oldest write. */
  async finishWrite(): Promise<void> {
    this.#writes.shift()!.done();
    await systemTime.yieldTurn();
  }

  async failWrite(error: Error): Promise<void> {
    this.#writes.shift()!.fail(error);
    await systemTime.yieldTurn();
  }
}

function journalOf(
  bench: Workbench,
  writes: { readonly done: () => void; readonly fail: (error: Error) => void }[],
): object {
  return {
    get room() {
      return bench.room;
    },
    get hasNext() {
      return bench.hasNext;
    },
    isShort: () => bench.isShort,
    enterNextSegment: () => {
      bench.segment += 1;
      bench.hasNext = false;
      bench.room = 1_000_000;
      return true;
    },
    plan: () => bench.segment,
    write: (bytes: Uint8Array, length: number, segment: number) => {
      bench.written.push(segment);
      bench.records.push(Buffer.from(bytes.subarray(0, findRecord(bytes, 0, length))));
      return new Promise<void>((done, fail) => writes.push({ done, fail }));
    },
  };
}

/** What has become of the promises by now. */
async function statesOf(promises: readonly Promise<unknown>[]): Promise<readonly string[]> {
  return Promise.all(promises.map(stateOf));
}

async function stateOf(promise: Promise<unknown>): Promise<string> {
  promise.catch(() => undefined);
  await systemTime.yieldTurn();
  const waits = Symbol('waits');
  const first = await Promise.race([promise, Promise.resolve(waits)]).catch(
    (error: unknown) => error,
  );
  if (first === waits) return 'waits';
  return first instanceof Error ? `${first.name}: ${first.message}` : 'done';
}

const tooMany = 'EngineBusyError: too many commands wait';
const noSpace = 'EngineBusyError: the journal is waiting for disk space';

let bench: Workbench;

beforeEach(() => {
  bench = new Workbench();
});

describe('a submitted command', () => {
  it('is acknowledged once it is written, after all that listen to outcomes', async () => {
    const pipeline = bench.open();
    const first = pipeline.submit({ command: openAccount(1) });
    expect(await stateOf(first)).toBe('waits');
    await bench.finishWrite();
    expect(await stateOf(first)).toBe('done');
    expect(bench.durable).toEqual([1]);
    expect([pipeline.durableSequence, pipeline.timestamp, pipeline.waiting]).toEqual([1, 5, 0]);
  });

  it('is refused while as many wait as may, commands and reads together', async () => {
    const pipeline = bench.open(3);
    void pipeline.submit({ command: openAccount(1) });
    void pipeline.submit({ command: openAccount(2) });
    const read = pipeline.read((view) => view.sequence);
    expect(pipeline.waiting).toBe(3);
    expect(await stateOf(pipeline.submit({ command: openAccount(3) }))).toBe(tooMany);
    expect(await stateOf(pipeline.read(() => null))).toBe(tooMany);
    await bench.finishWrite();
    expect(pipeline.waiting).toBe(2);
    await bench.finishWrite();
    expect(await read).toBe(2);
    expect(await stateOf(pipeline.submit({ command: openAccount(3) }))).toBe('waits');
  });

  it('of a request that was accepted is refused once the first one is durable', async () => {
    const pipeline = bench.open();
    void pipeline.submit({ command: openAccount(1), digest });
    bench.isRepeated = true;
    const again = pipeline.submit({ command: openAccount(1), digest });
    expect(await stateOf(again)).toBe('waits');
    await bench.finishWrite();
    const refused = 'RequestRepeatedError: the request was accepted before';
    expect(await stateOf(again)).toBe(refused);
    expect(await stateOf(pipeline.submit({ command: openAccount(1) }))).toBe('waits');
  });

  it('of a request that is too old is refused', async () => {
    const pipeline = bench.open();
    bench.isTooOld = true;
    const refused = 'RequestExpiredError: the request is too old to be accepted';
    expect(await stateOf(pipeline.submit({ command: openAccount(1), digest }))).toBe(refused);
    expect(await stateOf(pipeline.submit({ command: openAccount(1) }))).toBe('waits');
  });

  it('may use the reserve of the disk only if it frees what is held', async () => {
    const pipeline = bench.open();
    bench.isShort = true;
    expect(await stateOf(pipeline.submit({ command: openAccount(1) }))).toBe(noSpace);
    expect(await stateOf(pipeline.submit({ command: cancel }))).toBe('waits');
  });

  it('longer than a record may be is refused without being applied', async () => {
    const pipeline = bench.open();
    const long = pipeline.submit({ command: openAccount(1, 'x'.repeat(groupBytesMax)) });
    expect(await stateOf(long)).toMatch(/^RangeError: a command of 1\d{3} bytes exceeds/);
    void pipeline.submit({ command: openAccount(2) });
    await bench.finishWrite();
    expect(bench.durable).toEqual([1]);
  });

  it('that fits in no segment is refused, and one that fits in the next goes there', async () => {
    const pipeline = bench.open();
    bench.room = 100;
    const large = openAccount(1, 'x'.repeat(100));
    expect(await stateOf(pipeline.submit({ command: large }))).toBe(noSpace);
    void pipeline.submit({ command: openAccount(2) });
    bench.hasNext = true;
    void pipeline.submit({ command: large });
    await bench.finishWrite();
    await bench.finishWrite();
    expect(bench.written).toEqual([1, 2]);
    expect(bench.durable).toEqual([1, 2]);
  });

  it('that does not fit in the group begins the next one', async () => {
    const pipeline = bench.open();
    for (const number of [1, 2, 3, 4]) {
      void pipeline.submit({ command: openAccount(number, 'x'.repeat(400)) });
    }
    for (const durable of [[1], [1, 2, 3], [1, 2, 3, 4]]) {
      await bench.finishWrite();
      expect(bench.durable).toEqual(durable);
    }
  });
});

describe('the record of a submitted command', () => {
  const { oldestRules, newestRules } = engineFactory;
  const command = openAccount(1);

  /** As another process has encoded it, in which it has another text. */
  function recordElsewhere(signed: RequestDigest | null): Uint8Array {
    const fields = new FieldWriter();
    fields.bytes = new Uint8Array(groupBytesMax);
    const stamp = { sequence: 9 as Sequence, timestamp: 9 as TimestampMs };
    writeRecord(fields, openAccount(1, 'elsewhere'), stamp, 7, signed);
    return fields.bytes.slice(0, fields.offset);
  }

  it.each([
    [newestRules, digest, digest],
    [newestRules, null, null],
    [oldestRules, digest, null],
    [oldestRules, null, null],
  ])('by rules %d names the request that it came from, if it may', (rules, of, named) => {
    bench.rules = rules;
    void bench.open().submit({ command, digest: of });
    const [record] = bench.records;
    expect(readDigest(record!, 0, record!.length)).toEqual(named);
  });

  it.each([
    [newestRules, digest, true],
    [newestRules, null, true],
    [oldestRules, null, true],
    [oldestRules, digest, false],
  ])(
    'by rules %d is the one from elsewhere, unless it names what it may not',
    (rules, of, isTaken) => {
      bench.rules = rules;
      void bench.open().submit({ command, digest: of, record: recordElsewhere(of) });
      const [record] = bench.records;
      expect(record!.includes('elsewhere')).toBe(isTaken);
      expect([readSequence(record!, 0), readTimestamp(record!, 0), readPlace(record!, 0)]).toEqual([
        1, 5, 0,
      ]);
    },
  );
});

describe('a followed command', () => {
  const stamp = { sequence: 1 as Sequence, timestamp: 900 as TimestampMs };

  it('keeps the sequence and the time that it has', async () => {
    const pipeline = bench.open();
    void pipeline.follow({ command: openAccount(1) }, stamp);
    await bench.finishWrite();
    expect([pipeline.writtenSequence, pipeline.timestamp]).toEqual([1, 900]);
  });

  it('is refused while as many wait as may, and taken afterwards', async () => {
    const pipeline = bench.open(1);
    void pipeline.follow({ command: openAccount(1) }, stamp);
    const next = { ...stamp, sequence: 2 as Sequence };
    expect(await stateOf(pipeline.follow({ command: openAccount(2) }, next))).toBe(tooMany);
    await bench.finishWrite();
    expect(await stateOf(pipeline.follow({ command: openAccount(2) }, next))).toBe('waits');
  });

  it('must be the next one', () => {
    const pipeline = bench.open();
    const later = { ...stamp, sequence: 2 as Sequence };
    const follow = (): unknown => pipeline.follow({ command: openAccount(1) }, later);
    expect(follow).toThrow('a followed command is out of order');
  });
});

describe('a read', () => {
  it('waits for what it may have seen', async () => {
    const pipeline = bench.open();
    expect(await stateOf(pipeline.read(() => null))).toBe('done');
    void pipeline.submit({ command: openAccount(1) });
    const first = pipeline.read((view) => view.sequence);
    void pipeline.submit({ command: openAccount(2) });
    const second = pipeline.read((view) => view.sequence);
    expect(await stateOf(first)).toBe('waits');
    await bench.finishWrite();
    expect(await first).toBe(1);
    expect(await stateOf(second)).toBe('waits');
    await bench.finishWrite();
    expect(await second).toBe(2);
  });

  it('waits for the copies of what is written', async () => {
    const pipeline = bench.open();
    let confirm = (): void => undefined;
    bench.confirm = () => new Promise((resolve) => (confirm = resolve));
    const command = pipeline.submit({ command: openAccount(1) });
    await bench.finishWrite();
    const read = pipeline.read((view) => view.sequence);
    expect(await stateOf(command)).toBe('waits');
    expect(await stateOf(read)).toBe('waits');
    expect([pipeline.writtenSequence, pipeline.durableSequence]).toEqual([1, 0]);
    confirm();
    expect(await stateOf(command)).toBe('done');
    expect(await read).toBe(1);
    expect(pipeline.durableSequence).toBe(1);
  });

  it('and its command end with an unknown outcome if the copies are given up', async () => {
    const pipeline = bench.open();
    bench.confirm = () => new Promise(() => undefined);
    const command = pipeline.submit({ command: openAccount(1) });
    await bench.finishWrite();
    const read = pipeline.read(() => null);
    pipeline.giveUpUnconfirmed();
    const unknown = 'OutcomeUnknownError: too few processes hold the command to acknowledge it';
    expect(await statesOf([command, read])).toEqual([unknown, unknown]);
    expect(bench.fatal).toEqual([]);
  });
});

describe('what waits for the disk', () => {
  it('a drain ends once everything that was accepted before it is written', async () => {
    const pipeline = bench.open();
    expect(await stateOf(pipeline.drain())).toBe('done');
    void pipeline.submit({ command: openAccount(1) });
    const first = pipeline.drain();
    void pipeline.submit({ command: openAccount(2) });
    const second = pipeline.drain();
    await bench.finishWrite();
    expect([await stateOf(first), await stateOf(second)]).toEqual(['done', 'waits']);
    await bench.finishWrite();
    expect(await stateOf(second)).toBe('done');
  });

  it('callers hear of an unknown outcome if the write takes too long, and the write goes on', async () => {
    const pipeline = bench.open();
    const commands = [1, 2].map((number) => pipeline.submit({ command: openAccount(number) }));
    pipeline.giveUpUnwritten();
    const unknown = 'OutcomeUnknownError: the command was not written in time';
    expect(await statesOf(commands)).toEqual([unknown, unknown]);
    await bench.finishWrite();
    await bench.finishWrite();
    expect(bench.durable).toEqual([1, 2]);
  });

  it('everything fails with a write that fails, and nothing is taken after it', async () => {
    const pipeline = bench.open();
    const waiting = [
      pipeline.submit({ command: openAccount(1) }),
      pipeline.submit({ command: openAccount(2) }),
      pipeline.read(() => null),
      pipeline.drain(),
    ];
    const error = new Error('EIO');
    const states = statesOf(waiting);
    await bench.failWrite(error);
    await states;
    const failed =
      'OutcomeUnknownError: the journal failed before the command was confirmed durable';
    const later = [
      pipeline.submit({ command: openAccount(3) }),
      pipeline.read(() => null),
      pipeline.drain(),
      pipeline.follow(
        { command: openAccount(3) },
        { sequence: 3 as Sequence, timestamp: 5 as TimestampMs },
      ),
    ];
    expect(new Set(await statesOf([...waiting, ...later]))).toEqual(new Set([failed]));
    expect(bench.fatal).toEqual([error]);
    expect(pipeline.waiting).toBe(0);
  });
});
