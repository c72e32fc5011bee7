import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Sequence, TimestampMs } from '../domain/identifiers.ts';
import { systemTime } from '../system/system-time.ts';
import { SnapshotTaker, type SnapshotTakerOptions } from './snapshot-taker.ts';

const newestRules = 13;
const failed = 'snapshot failed; the journal is complete without it';
const requests = new Uint8Array([9]);

/** A machine at any sequence, and a store that writes when the test says so. */
class Workbench {
  sequence = 0;
  rules = newestRules;
  now = 1_000;
  /** What each snapshot names, in the order of writing. */
  readonly written: object[] = [];
  readonly pruned: number[] = [];
  readonly encoded: number[] = [];
  readonly passed: (readonly [string, number])[] = [];
  readonly log: object[] = [];
  failure: Error | null = null;
  drains = Promise.resolve();
  writes = Promise.resolve();

  open(newest = 0): SnapshotTaker {
    const write = (line: string): void => void this.log.push(JSON.parse(line) as object);
    const parts = {
      machine: machineOf(this),
      requests: { encode: () => requests },
      time: { monotonicMs: () => this.now },
      store: storeOf(this),
      journalId: 'the journal',
      snapshotEvery: 100,
      newest,
      logger: pino({ base: null, timestamp: false }, { write }),
      timestamp: () => (this.sequence * 10) as TimestampMs,
      drain: () => this.drains,
      released: () => 42 as Sequence,
      onTaken: (encodeMs: number) => void this.encoded.push(encodeMs),
      onWritten: (state: Uint8Array, sequence: Sequence) =>
        void this.passed.push([String(state), sequence]),
    };
    return new SnapshotTaker(parts as unknown as SnapshotTakerOptions);
  }

  get sequences(): readonly unknown[] {
    return this.written.map((snapshot) => (snapshot as { sequence: number }).sequence);
  }

  /** The machine is there, and everything that this begins is over. */
  async reach(taker: SnapshotTaker, sequence: number): Promise<void> {
    this.sequence = sequence;
    taker.takeIfDue();
    await taker.finish();
  }
}

function machineOf(bench: Workbench): object {
  return {
    get sequence() {
      return bench.sequence;
    },
    get rules() {
      return bench.rules;
    },
    encodeState: () => {
      bench.now += 5;
      return new Uint8Array([bench.sequence % 256, 1]);
    },
  };
}

function storeOf(bench: Workbench): object {
  return {
    knownRules: { oldestRules: 11, newestRules },
    hashState: (state: Uint8Array) => `hash of ${String(state)}`,
    write: async (snapshot: object) => {
      await bench.writes;
      bench.now += 20;
      if (bench.failure !== null) throw bench.failure;
      bench.written.push(snapshot);
    },
    prune: async (released: number) => void bench.pruned.push(released),
  };
}

function gate(): { readonly promise: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

let bench: Workbench;

beforeEach(() => {
  bench = new Workbench();
});

describe('a snapshot', () => {
  it('is taken at the multiples of a number of commands, or soon after, once for each', async () => {
    const taker = bench.open();
    for (const sequence of [99, 100, 101, 199, 205, 299, 500, 501, 599]) {
      await bench.reach(taker, sequence);
    }
    expect(bench.sequences).toEqual([100, 205, 500]);
  });

  it('is due after the newest on the disk, not again where that one is', async () => {
    const taker = bench.open(250);
    for (const sequence of [250, 299, 300]) await bench.reach(taker, sequence);
    expect(bench.sequences).toEqual([300]);
  });

  it('names the state at the moment of its encoding', async () => {
    const taker = bench.open();
    bench.sequence = 100;
    taker.takeIfDue();
    bench.sequence = 120;
    await taker.finish();
    const snapshot = {
      journalId: 'the journal',
      rulesVersion: newestRules,
      sequence: 100,
      timestamp: 1_000,
      stateHash: 'hash of 100,1',
      state: new Uint8Array([100, 1]),
      requests,
    };
    expect(bench.written).toEqual([snapshot]);
    expect(bench.passed).toEqual([['100,1', 100]]);
  });

  it('reports how long the encoding took, and what was written', async () => {
    const taker = bench.open();
    await bench.reach(taker, 100);
    expect(bench.encoded).toEqual([5]);
    const msg = 'snapshot written';
    expect(bench.log).toEqual([
      { level: 30, sequence: 100, bytes: 2, encodeMs: 5, durationMs: 25, msg },
    ]);
  });

  it('is written only after everything in it is durable', async () => {
    const { promise, open } = gate();
    bench.drains = promise;
    const taker = bench.open();
    bench.sequence = 100;
    taker.takeIfDue();
    await systemTime.yieldTurn();
    expect(bench.written).toEqual([]);
    open();
    await taker.finish();
    expect(bench.sequences).toEqual([100]);
  });

  it('does not begin while another is under way, and is taken as soon as that is written', async () => {
    const { promise, open } = gate();
    bench.writes = promise;
    const taker = bench.open();
    for (const sequence of [100, 200, 230]) {
      bench.sequence = sequence;
      taker.takeIfDue();
    }
    expect(bench.encoded).toHaveLength(1);
    open();
    await taker.finish();
    await bench.reach(taker, 231);
    expect(bench.sequences).toEqual([100, 231]);
  });

  it('makes older ones unnecessary, but not while the previous version may return', async () => {
    const taker = bench.open();
    bench.rules = newestRules - 1;
    await bench.reach(taker, 100);
    expect(bench.pruned).toEqual([]);
    bench.rules = newestRules;
    await bench.reach(taker, 200);
    expect(bench.pruned).toEqual([42]);
  });
});

describe('a snapshot that fails', () => {
  it('is reported, and the next is taken at the next multiple', async () => {
    const taker = bench.open();
    bench.failure = new Error('ENOSPC');
    await bench.reach(taker, 100);
    expect(bench.log).toMatchObject([
      { level: 50, sequence: 100, msg: failed, err: { message: 'ENOSPC' } },
    ]);
    expect([bench.pruned, bench.passed]).toEqual([[], []]);
    bench.failure = null;
    await bench.reach(taker, 150);
    expect(bench.sequences).toEqual([]);
    await bench.reach(taker, 200);
    expect(bench.sequences).toEqual([200]);
  });

  it('fails too if what is in it never becomes durable', async () => {
    const taker = bench.open();
    bench.drains = Promise.reject(new Error('the disk is gone'));
    await bench.reach(taker, 100);
    expect(bench.log).toMatchObject([{ msg: failed }]);
    expect(bench.written).toEqual([]);
  });
});

describe('the last snapshot, at a stop', () => {
  it('is taken wherever the machine is, unless that one exists', async () => {
    const taker = bench.open(70);
    bench.sequence = 70;
    await taker.takeLast();
    expect(bench.sequences).toEqual([]);
    bench.sequence = 71;
    await taker.takeLast();
    await taker.takeLast();
    expect(bench.sequences).toEqual([71]);
  });

  it('is taken if the one before it failed there', async () => {
    const taker = bench.open();
    bench.failure = new Error('ENOSPC');
    await bench.reach(taker, 100);
    bench.failure = null;
    await taker.takeLast();
    expect(bench.sequences).toEqual([100]);
  });

  it('comes after one that is under way, which may make it unnecessary', async () => {
    const { promise, open } = gate();
    bench.writes = promise;
    const taker = bench.open();
    bench.sequence = 100;
    taker.takeIfDue();
    const last = taker.takeLast();
    await systemTime.yieldTurn();
    expect(bench.encoded).toHaveLength(1);
    open();
    await last;
    expect(bench.sequences).toEqual([100]);
  });
});
