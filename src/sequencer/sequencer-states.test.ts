import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { type Fault, MemoryDisk, systemError } from '../../test/support/memory-disk.ts';
import { addressOf } from '../../test/support/sequencer-address.ts';
import { createSequencer, makeSequencer } from '../../test/support/sequencer-fixture.ts';
import { EngineRestartingError } from '../application/ports/exchange.ts';
import type { Sequence, TimestampMs } from '../domain/identifiers.ts';
import { digestOf } from '../domain/request-digest.ts';
import type { Command } from '../engine/commands.ts';
import { engineFactory } from '../engine/engine.ts';
import { recordBytesMax } from '../journal/journal-record.ts';
import { systemTime } from '../system/system-time.ts';
import { OutcomeUnknownError } from './command-pipeline.ts';
import { openSequencer, type Sequencer } from './sequencer.ts';
import type { SequencerOptions, SharedJournal } from './sequencer-options.ts';

const folder = '/journal';
const journalId = '0123456789abcdef';
const now = 1_700_000_000_000;
const { signal } = new AbortController();

const openAccount = (number: number): Command => ({
  type: 'openAccount',
  address: addressOf(number),
});

async function open(disk: MemoryDisk, options: Partial<SequencerOptions> = {}) {
  const fixture = createSequencer(folder, { disk, ...options });
  await fixture.sequencer.start();
  return fixture;
}

/** The journal after so many accounts were opened and the process was killed. */
async function killedAfter(commands: number): Promise<Map<string, Buffer>> {
  const disk = new MemoryDisk();
  const { sequencer } = await open(disk);
  for (let number = 1; number <= commands; number += 1) await sequencer.submit(openAccount(number));
  return disk.files();
}

function snapshotsOf(disk: MemoryDisk): readonly string[] {
  return [...disk.files().keys()].filter((path) => path.endsWith('.snapshot'));
}

const failSegments: Fault = (operation, path) => {
  if (operation === 'write' && path.endsWith('.segment')) throw systemError('EIO');
};

function describeState(sequencer: Sequencer): object {
  const { state, durableSequence, writtenSequence, appliedSequence, rules } = sequencer;
  return { state, durableSequence, writtenSequence, appliedSequence, rules };
}

describe('a sequencer that has not recovered', () => {
  it('shows that nothing is known, and takes nothing', async () => {
    const { sequencer } = createSequencer(folder, { disk: new MemoryDisk() });
    expect(describeState(sequencer)).toEqual({
      state: 'restarting',
      durableSequence: 0,
      writtenSequence: 0,
      appliedSequence: 0,
      rules: 0,
    });
    expect([sequencer.journalId, sequencer.isKeepingDigests]).toEqual([null, false]);
    expect(sequencer.statistics).toMatchObject({ waiting: 0, groups: 0, writePendingMs: 0 });
    sequencer.giveUpUnconfirmed();
    sequencer.giveUpUnwritten();
    const stamp = { sequence: 1 as Sequence, timestamp: 5 as TimestampMs };
    for (const refused of [
      sequencer.submit(openAccount(1)),
      sequencer.follow(openAccount(1), stamp),
      sequencer.drain(),
      sequencer.read((view) => view.sequence),
    ]) {
      await expect(refused).rejects.toThrow('the engine is not ready');
    }
    expect(() => sequencer.peek((view) => view.sequence)).toThrow('the engine is not ready');
  });

  it('must have room for two groups in a segment, and for a group in a record', () => {
    const make = (groupBytesMax: number, segmentBytesFirst: number) => () =>
      makeSequencer(folder, { limits: { groupBytesMax, segmentBytesFirst } });
    expect(make(1_000, 2_000)).toThrow('a segment must be longer than a group');
    expect(make(1_000, 2_001)).not.toThrow();
    const long = 4 * recordBytesMax;
    expect(make(recordBytesMax + 1, long)).toThrow('a group must not exceed the longest record');
    expect(make(recordBytesMax, long)).not.toThrow();
  });

  it('starts once', async () => {
    const { sequencer } = await open(new MemoryDisk());
    expect(() => sequencer.start()).toThrow('the sequencer is started twice');
    expect(sequencer.state).toBe('ready');
  });
});

describe('a sequencer that runs', () => {
  it('shows what it has applied and written, and of which journal', async () => {
    const { sequencer } = await open(new MemoryDisk());
    await sequencer.submit(openAccount(1));
    expect(describeState(sequencer)).toEqual({
      state: 'ready',
      durableSequence: 1,
      writtenSequence: 1,
      appliedSequence: 1,
      rules: engineFactory.newestRules,
    });
    expect(sequencer.journalId).toMatch(/^[0-9a-f]{16}$/);
    expect(sequencer.knownRules).toBe(engineFactory);
    const pending = sequencer.submit(openAccount(2));
    expect([sequencer.appliedSequence, sequencer.durableSequence]).toEqual([2, 1]);
    expect(sequencer.statistics.waiting).toBe(1);
    await sequencer.drain();
    expect(sequencer.writtenSequence).toBe(2);
    await pending;
    expect(sequencer.statistics).toMatchObject({ waiting: 0, groups: 2, commands: 2 });
    expect(sequencer.statistics.bytes).toBeGreaterThan(40);
  });

  it('remembers signed orders if its rules keep their digests, and no replies', async () => {
    const { sequencer } = await open(new MemoryDisk());
    expect(sequencer.orderMemory.isComplete()).toBe(true);
    expect(await sequencer.orderMemory.findReply('any')).toBeNull();
    const held = await open(new MemoryDisk(), { areRulesHeld: true });
    expect(held.sequencer.rules).toBe(engineFactory.oldestRules);
    expect(held.sequencer.orderMemory.isComplete()).toBe(false);
  });

  it('follows commands at the sequence and time that they have elsewhere', async () => {
    const disk = new MemoryDisk();
    const { sequencer } = await open(disk);
    const stamp = { sequence: 1 as Sequence, timestamp: (now + 77) as TimestampMs };
    const digest = digestOf('5'.repeat(64), now);
    const applied = await sequencer.follow(openAccount(1), stamp, digest);
    expect(applied).toMatchObject(stamp);
    await expect(sequencer.submit(openAccount(2), digest)).rejects.toThrow('accepted before');
    const again = await open(new MemoryDisk(disk.files()));
    expect((await again.sequencer.submit(openAccount(2))).timestamp).toBe(now + 77);
  });

  it('begins with a segment of 1 MiB and prepares the next one of 2 MiB', async () => {
    const disk = new MemoryDisk();
    const sequencer = openSequencer({
      directory: folder,
      machines: engineFactory,
      clock: { now: () => now },
      logger: pino({ level: 'silent' }),
      onFatal: () => undefined,
      disk,
    });
    await sequencer.start();
    const sizes = [...disk.files()].map(([path, bytes]) => [path.slice(-16), bytes.length]);
    expect(sizes).toEqual([
      ['00000001.segment', 1 << 20],
      ['00000002.segment', 2 << 20],
    ]);
    await sequencer.stop();
  });

  it('tells its clock the newest time in the journal before it takes commands', async () => {
    const begun: number[] = [];
    const clock = {
      now: () => now,
      begin: async (last: TimestampMs) => void begun.push(last),
    };
    const disk = new MemoryDisk();
    const { sequencer } = await open(disk, { clock });
    await sequencer.submit(openAccount(1));
    await open(new MemoryDisk(disk.files()), { clock });
    expect(begun).toEqual([0, now]);
  });

  it('takes snapshots at the multiples of a number of commands, and reports them', async () => {
    const disk = new MemoryDisk();
    const { sequencer, log } = await open(disk, { limits: { snapshotEvery: 3 } });
    for (let number = 1; number <= 4; number += 1) await sequencer.submit(openAccount(number));
    await vi.waitFor(() =>
      expect(log.find(({ msg }) => msg === 'snapshot written')).toMatchObject({ sequence: 3 }),
    );
    expect(sequencer.statistics.snapshots).toBe(1);
    expect(sequencer.statistics.snapshotEncodeMs).toBeGreaterThan(0);
  });

  it('logs once that a segment finds no space, and that it has found some', async () => {
    const files = await killedAfter(1);
    files.delete(`${folder}/00000002.segment`);
    const disk = new MemoryDisk(files);
    disk.fault = (operation, path) => {
      if (operation === 'write' && path.endsWith('segment.tmp')) throw systemError('ENOSPC');
    };
    const { sequencer, log } = await open(disk);
    expect(sequencer.statistics.isSpaceMissing).toBe(true);
    disk.fault = () => {};
    await vi.waitFor(() => expect(sequencer.statistics.isSpaceMissing).toBe(false));
    const spoken = log.filter(({ msg }) => msg.includes('journal segment'));
    expect(spoken).toMatchObject([
      { level: 50, msg: 'no space for the next journal segment', err: { code: 'ENOSPC' } },
      { level: 30, msg: 'the next journal segment is prepared again' },
    ]);
  });
});

describe('the rules at a start', () => {
  it('are raised with a command and a line in the log, unless they are the newest', async () => {
    const disk = new MemoryDisk();
    const held = await open(disk, { areRulesHeld: true });
    await held.sequencer.submit(openAccount(1));
    const { oldestRules: from, newestRules: to } = engineFactory;
    expect(held.log).toContainEqual(
      expect.objectContaining({ rules: from, newest: to, msg: 'newer rules are on hold' }),
    );
    await held.sequencer.stop();
    const { sequencer, log } = await open(new MemoryDisk(disk.files()));
    expect([sequencer.rules, sequencer.durableSequence]).toEqual([to, 2]);
    const raised = expect.objectContaining({ from, to, msg: 'the rules are upgraded' }) as unknown;
    expect(log).toContainEqual(raised);
    await sequencer.upgradeRules();
    expect(sequencer.durableSequence).toBe(2);
    expect(log.filter(({ msg }) => msg === 'the rules are upgraded')).toHaveLength(1);
  });
});

describe('a start that fails', () => {
  it('leaves the folder free, and ends those that wait for outcomes', async () => {
    const disk = new MemoryDisk(await killedAfter(3));
    disk.fault = (operation, path) => {
      if (operation === 'read' && path.endsWith('.segment')) throw systemError('EIO');
    };
    const { sequencer } = createSequencer(folder, { disk });
    const waiting = sequencer.outcomeLog.read(0 as Sequence, 10, signal);
    const ended = expect(waiting).rejects.toThrow(EngineRestartingError);
    await expect(sequencer.start()).rejects.toMatchObject({ code: 'EIO' });
    await ended;
    expect(sequencer.state).toBe('failed');
    disk.fault = () => {};
    const next = await open(disk);
    expect(next.sequencer.durableSequence).toBe(3);
  });
});

describe('a failure', () => {
  it('is logged and reported once, and what was durable can still be seen', async () => {
    const disk = new MemoryDisk();
    const { sequencer, failures, log } = await open(disk);
    await sequencer.submit(openAccount(1));
    disk.fault = failSegments;
    const waiting = [sequencer.submit(openAccount(2)), sequencer.drain()];
    for (const answer of await Promise.allSettled(waiting)) {
      expect(answer.status === 'rejected' && answer.reason).toBeInstanceOf(OutcomeUnknownError);
    }
    expect(failures).toMatchObject([{ code: 'EIO' }]);
    const fatal = log.filter(({ level }) => level === 60);
    const msg = 'the engine stopped: no command is acknowledged';
    expect(fatal).toMatchObject([{ msg, err: { code: 'EIO' } }]);
    await sequencer.stop();
    expect(describeState(sequencer)).toMatchObject({ state: 'failed', durableSequence: 1 });
    expect(snapshotsOf(disk)).toEqual([]);
    // The folder is free for the next process.
    disk.fault = () => {};
    expect((await open(disk)).sequencer.durableSequence).toBeGreaterThanOrEqual(1);
  });
});

describe('a next segment that cannot be prepared, although there is space', () => {
  const failTemporary: Fault = (operation, path) => {
    if (operation === 'write' && path.endsWith('segment.tmp')) throw systemError('EIO');
  };

  it('stops the sequencer as a failed write does', async () => {
    const disk = new MemoryDisk();
    const { sequencer, failures } = await open(disk);
    disk.fault = failTemporary;
    for (let number = 1; number <= 400 && sequencer.state === 'ready'; number += 1) {
      await Promise.allSettled([sequencer.submit(openAccount(number))]);
    }
    expect([sequencer.state, failures]).toMatchObject(['failed', [{ code: 'EIO' }]]);
  });

  it('refuses the start with the error of the disk', async () => {
    const files = await killedAfter(1);
    files.delete(`${folder}/00000002.segment`);
    const disk = new MemoryDisk(files);
    disk.fault = failTemporary;
    const { sequencer, failures } = createSequencer(folder, { disk });
    await expect(sequencer.start()).rejects.toMatchObject({ code: 'EIO' });
    expect([sequencer.state, failures]).toMatchObject(['failed', [{ code: 'EIO' }]]);
  });
});

describe('a stop', () => {
  it('acknowledges what was accepted, takes a snapshot and ends the outcomes', async () => {
    const disk = new MemoryDisk();
    const { sequencer } = await open(disk);
    const accepted = sequencer.submit(openAccount(1));
    const stopping = sequencer.stop();
    expect(sequencer.state).toBe('stopping');
    await expect(sequencer.submit(openAccount(2))).rejects.toThrow(EngineRestartingError);
    expect(sequencer.stop()).toBe(stopping);
    expect((await accepted).sequence).toBe(1);
    const waiting = sequencer.outcomeLog.read(1 as Sequence, 10, signal);
    await expect(waiting).rejects.toThrow(EngineRestartingError);
    await stopping;
    expect(sequencer.state).toBe('stopping');
    expect(snapshotsOf(disk)).toHaveLength(1);
    expect((await open(disk)).sequencer.durableSequence).toBe(1);
  });

  it('before a start has nothing to end', async () => {
    const disk = new MemoryDisk();
    const { sequencer } = makeSequencer(folder, { disk });
    await sequencer.stop();
    expect(sequencer.state).toBe('stopping');
    expect(disk.changes).toBe(0);
  });
});

describe('with a follower in another thread', () => {
  it('it learns each durable sequence, and the sequencer keeps no outcomes and one snapshot', async () => {
    const disk = new MemoryDisk(await killedAfter(2));
    const published: number[] = [];
    const follower = { publish: (sequence: Sequence) => void published.push(sequence) };
    const { sequencer } = await open(disk, { follower, limits: { snapshotEvery: 1 } });
    expect(published).toEqual([2]);
    await sequencer.submit(openAccount(3));
    await sequencer.submit(openAccount(4));
    expect(published).toEqual([2, 3, 4]);
    expect(snapshotsOf(disk)).toEqual([]);
    await sequencer.stop();
    expect(snapshotsOf(disk)).toHaveLength(1);
  });
});

describe('with a log that several processes share', () => {
  function share(parts: Partial<SharedJournal> = {}): SharedJournal {
    return { journalId: async () => journalId, append: async () => undefined, ...parts };
  }

  it('a new journal has the identity of the log, and the owner raises the rules', async () => {
    const { sequencer } = await open(new MemoryDisk(), { shared: share() });
    expect(sequencer.journalId).toBe(journalId);
    const old = new MemoryDisk();
    const held = await open(old, { areRulesHeld: true });
    await held.sequencer.submit(openAccount(1));
    const member = await open(new MemoryDisk(old.files()), { shared: share() });
    expect([member.sequencer.rules, member.sequencer.durableSequence]).toEqual([
      engineFactory.oldestRules,
      1,
    ]);
  });

  it('commands are acknowledged once enough journals hold them, or given up', async () => {
    const appended: number[] = [];
    const confirms: (() => void)[] = [];
    const shared = share({
      append: async (group) => void appended.push(group.length),
      confirm: () => new Promise((resolve) => confirms.push(resolve)),
    });
    const { sequencer } = await open(new MemoryDisk(), { shared });
    const first = sequencer.submit(openAccount(1));
    await sequencer.drain();
    expect(appended).toEqual([expect.any(Number)]);
    expect(describeState(sequencer)).toMatchObject({ writtenSequence: 1, durableSequence: 0 });
    confirms[0]!();
    expect((await first).sequence).toBe(1);
    expect(sequencer.durableSequence).toBe(1);
    const second = sequencer.submit(openAccount(2));
    await sequencer.drain();
    sequencer.giveUpUnconfirmed();
    await expect(second).rejects.toThrow('too few processes hold the command');
    const third = sequencer.submit(openAccount(3));
    const unknown = expect(third).rejects.toThrow(OutcomeUnknownError);
    await sequencer.stop();
    await unknown;
  });

  it('callers hear of an unknown outcome while the log does not take their commands', async () => {
    let append = (): void => undefined;
    const shared = share({ append: () => new Promise((resolve) => (append = resolve)) });
    const { sequencer } = await open(new MemoryDisk(), { shared });
    const command = sequencer.submit(openAccount(1));
    await systemTime.yieldTurn();
    sequencer.giveUpUnwritten();
    await expect(command).rejects.toThrow('the command was not written in time');
    append();
    await sequencer.drain();
    expect(sequencer.durableSequence).toBe(1);
  });
});
