import { expect, test, vi } from 'vitest';
import { GatedDisk } from '../../test/support/gated-disk.ts';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import { flowCommands, hashesOf, liveHash } from '../../test/support/recorded-flow.ts';
import { addressOf } from '../../test/support/sequencer-address.ts';
import { createSequencer, temporaryFolder } from '../../test/support/sequencer-fixture.ts';
import { EngineBusyError, EngineRestartingError } from '../application/ports/exchange.ts';
import type { Command } from '../engine/commands.ts';
import { engineFactory } from '../engine/engine.ts';
import { JournalLockedError } from '../journal/disk.ts';
import { OutcomeUnknownError } from './command-pipeline.ts';

const folder = '/journal';
const openAccount = (number: number): Command => ({
  type: 'openAccount',
  address: addressOf(number),
});

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('sequencer: until it has recovered, callers get an error that it is restarting', async () => {
  const { sequencer } = createSequencer(folder, { disk: new MemoryDisk() });
  const started = sequencer.start();
  expect(sequencer.state).toBe('restarting');
  await expect(sequencer.submit(openAccount(1))).rejects.toThrow(EngineRestartingError);
  await expect(sequencer.read((view) => view.sequence)).rejects.toThrow(EngineRestartingError);
  expect(() => sequencer.peek((view) => view.sequence)).toThrow(EngineRestartingError);
  await started;
  expect(sequencer.state).toBe('ready');
});

test('sequencer: while it replays, callers get that error at once and the event loop is not blocked', async () => {
  const disk = new MemoryDisk();
  const limits = { segmentBytesFirst: 1 << 20, segmentBytesMax: 1 << 20 };
  const first = createSequencer(folder, { disk, limits }).sequencer;
  await first.start();
  await Promise.all(range(4_000).map((number) => first.submit(openAccount(number))));
  const machines = {
    ...engineFactory,
    create: () => {
      const engine = engineFactory.create();
      const apply = engine.apply.bind(engine);
      engine.apply = (command, stamp) => {
        for (const end = performance.now() + 0.02; performance.now() < end; );
        return apply(command, stamp);
      };
      return engine;
    },
  };
  const left = new MemoryDisk(disk.files());
  const second = createSequencer(folder, { disk: left, machines }).sequencer;
  const started = second.start();
  let refusals = 0;
  while (second.state === 'restarting') {
    await turns(1);
    const [answer] = await Promise.allSettled([second.submit(openAccount(1))]);
    if (answer.status === 'rejected') {
      expect(answer.reason).toBeInstanceOf(EngineRestartingError);
      refusals += 1;
    }
  }
  await started;
  expect(second.durableSequence).toBeGreaterThanOrEqual(4_000);
  expect(refusals).toBeGreaterThan(5);
});

test('sequencer: what was acknowledged is there after a restart, on a real disk', async () => {
  const directory = temporaryFolder();
  const first = createSequencer(directory).sequencer;
  await first.start();
  const outcomes = await Promise.all(range(600).map((number) => first.submit(openAccount(number))));
  expect(outcomes.map((applied) => applied.sequence)).toEqual(range(600).map((at) => at + 1));
  await first.stop();
  const second = createSequencer(directory).sequencer;
  await second.start();
  expect(second.durableSequence).toBe(600);
  expect(await second.read((view) => view.findAccount(addressOf(599)))).toBe(600);
});

test('sequencer: a second owner of a journal is refused, and the folder is free after a stop', async () => {
  const directory = temporaryFolder();
  const { sequencer } = createSequencer(directory);
  await sequencer.start();
  const second = createSequencer(directory).sequencer;
  await expect(second.start()).rejects.toThrow(JournalLockedError);
  await expect(second.submit(openAccount(1))).rejects.toThrow(EngineRestartingError);
  await sequencer.stop();
  const next = createSequencer(directory).sequencer;
  await next.start();
  expect(next.state).toBe('ready');
});

test('sequencer: no outcome of a command is visible before its durable write is done', async () => {
  const gate = new GatedDisk(new MemoryDisk());
  const { sequencer } = createSequencer(folder, { disk: gate.disk });
  await sequencer.start();
  gate.close();
  const heard: string[] = [];
  sequencer.subscribe((batch) => heard.push(`event ${batch.map((each) => each.sequence).join()}`));
  const first = sequencer.submit(openAccount(1)).then(() => heard.push('reply 1'));
  await vi.waitFor(() => expect(gate.waiting).toBe(1));
  const second = sequencer.submit(openAccount(2)).then(() => heard.push('reply 2'));
  const read = sequencer
    .read((view) => view.findAccount(addressOf(2)))
    .then((found) => heard.push(`read ${found}`));
  // The live state is ahead of what is durable; what was read of it waits.
  expect(sequencer.peek((view) => view.sequence)).toBe(2);
  await turns(5);
  expect(heard).toEqual([]);
  expect(sequencer.durableSequence).toBe(0);
  gate.letOneThrough();
  await first;
  expect(heard).toEqual(['event 1', 'reply 1']);
  expect(sequencer.durableSequence).toBe(1);
  gate.open();
  await Promise.all([second, read]);
  expect(heard.slice(2)).toEqual(['event 2', 'reply 2', 'read 2']);
});

test('sequencer: a read of durable state does not wait for the disk', async () => {
  const gate = new GatedDisk(new MemoryDisk());
  const { sequencer } = createSequencer(folder, { disk: gate.disk });
  await sequencer.start();
  await sequencer.submit(openAccount(1));
  gate.close();
  expect(await sequencer.read((view) => view.sequence)).toBe(1);
  await expect(
    sequencer.read(() => {
      throw new Error('the query has a bug');
    }),
  ).rejects.toThrow('the query has a bug');
});

test('sequencer: commands that arrive while the disk is busy are written in one group', async () => {
  const gate = new GatedDisk(new MemoryDisk());
  const { sequencer } = createSequencer(folder, { disk: gate.disk });
  await sequencer.start();
  const sizes: number[] = [];
  sequencer.subscribe((batch) => sizes.push(batch.length));
  gate.close();
  const all = [sequencer.submit(openAccount(0))];
  await vi.waitFor(() => expect(gate.waiting).toBe(1));
  for (const number of range(50)) all.push(sequencer.submit(openAccount(1 + number)));
  gate.open();
  await Promise.all(all);
  expect(sizes).toEqual([1, 50]);
});

test('sequencer: beyond the limit of waiting commands and reads it is busy, and executes nothing', async () => {
  const gate = new GatedDisk(new MemoryDisk());
  const { sequencer } = createSequencer(folder, { disk: gate.disk, limits: { waitingMax: 10 } });
  await sequencer.start();
  gate.close();
  const waiting = range(9).map((number) => sequencer.submit(openAccount(number)));
  const read = sequencer.read((view) => view.sequence);
  await expect(sequencer.submit(openAccount(99))).rejects.toThrow(EngineBusyError);
  await expect(sequencer.read((view) => view.sequence)).rejects.toThrow(EngineBusyError);
  expect(sequencer.peek((view) => view.sequence)).toBe(9);
  gate.open();
  await Promise.all(waiting);
  expect(await read).toBe(9);
  expect((await sequencer.submit(openAccount(99))).sequence).toBe(10);
});

test('sequencer: time never goes back, even when the clock does, and across a restart', async () => {
  const disk = new MemoryDisk();
  let now = 5_000;
  const clock = { now: () => now };
  const first = createSequencer(folder, { disk, clock }).sequencer;
  await first.start();
  const stamp = async (sequencer: typeof first, number: number): Promise<number> =>
    (await sequencer.submit(openAccount(number))).timestamp;
  expect(await stamp(first, 1)).toBe(5_000);
  now = 1_000;
  expect(await stamp(first, 2)).toBe(5_000);
  now = 5_001;
  expect(await stamp(first, 3)).toBe(5_001);
  const killed = new MemoryDisk(disk.files());
  await first.stop();
  now = 10;
  for (const left of [killed, new MemoryDisk(disk.files())]) {
    const { sequencer } = createSequencer(folder, { disk: left, clock });
    await sequencer.start();
    expect(await stamp(sequencer, 4)).toBe(5_001);
  }
});

test('sequencer: a stop under load loses nothing acknowledged and acknowledges what it accepted', async () => {
  for (const round of range(20)) {
    const disk = new MemoryDisk();
    const { sequencer } = createSequencer(folder, { disk });
    await sequencer.start();
    const commands = flowCommands(7, 300);
    const answers: Promise<PromiseSettledResult<unknown>[]>[] = [];
    let sent = 0;
    let stopped: Promise<void> | null = null;
    while (sent < commands.length) {
      const burst = commands.slice(sent, sent + 15);
      answers.push(Promise.allSettled(burst.map((command) => sequencer.submit(command))));
      sent += 15;
      if (sent >= 100 + round * 8) stopped ??= sequencer.stop();
      await turns(1);
    }
    await stopped;
    const settled = (await Promise.all(answers)).flat();
    const taken = settled.filter((answer) => answer.status === 'fulfilled').length;
    expect(taken).toBeLessThan(commands.length);
    for (const answer of settled.slice(taken)) {
      expect(answer.status === 'rejected' && answer.reason).toBeInstanceOf(EngineRestartingError);
    }
    const again = createSequencer(folder, { disk: new MemoryDisk(disk.files()) });
    await again.sequencer.start();
    expect(again.sequencer.durableSequence).toBe(taken);
    const hashes = hashesOf(commands.slice(0, taken), 1_700_000_000_000);
    expect(liveHash(again.sequencer)).toBe(hashes[taken]);
    // All of it came from the snapshot: nothing had to be replayed.
    expect(again.log.find((line) => line.msg === 'journal recovered')).toMatchObject({
      sequence: taken,
      snapshot: taken,
    });
  }
});

test('sequencer: a stop during replay ends the replay', async () => {
  const disk = new MemoryDisk();
  const first = createSequencer(folder, { disk }).sequencer;
  await first.start();
  await Promise.all(range(500).map((number) => first.submit(openAccount(number))));
  const second = createSequencer(folder, { disk: new MemoryDisk(disk.files()) }).sequencer;
  const refused = expect(second.start()).rejects.toThrow(EngineRestartingError);
  await second.stop();
  await refused;
  expect(second.state).toBe('stopping');
});

test('sequencer: an engine that throws stops everything, and its command is not in the journal', async () => {
  const disk = new MemoryDisk();
  const machines = {
    ...engineFactory,
    create: () => {
      const engine = engineFactory.create();
      const apply = engine.apply.bind(engine);
      engine.apply = (command, stamp) => {
        if (stamp.sequence === 4) throw new Error('a bug in the engine');
        return apply(command, stamp);
      };
      return engine;
    },
  };
  const { sequencer, failures } = createSequencer(folder, { disk, machines });
  await sequencer.start();
  await sequencer.submit(openAccount(1));
  const answers = await Promise.allSettled(
    [2, 3, 4, 5].map((number) => sequencer.submit(openAccount(number))),
  );
  for (const answer of answers) {
    expect(answer.status === 'rejected' && answer.reason).toBeInstanceOf(Error);
  }
  expect(answers[0]).toMatchObject({ reason: expect.any(OutcomeUnknownError) as unknown });
  expect(String(failures)).toContain('a bug in the engine');
  expect(sequencer.state).toBe('failed');
  await sequencer.stop();
  const next = createSequencer(folder, { disk: new MemoryDisk(disk.files()) }).sequencer;
  await next.start();
  expect(next.durableSequence).toBe(1);
});

test('sequencer: a listener that throws stops everything, since its view is wrong from then on', async () => {
  const { sequencer, failures } = createSequencer(folder, { disk: new MemoryDisk() });
  await sequencer.start();
  sequencer.subscribe(() => {
    throw new Error('a bug in a listener');
  });
  // The command is durable nevertheless, and its caller gets that answer.
  expect((await sequencer.submit(openAccount(1))).sequence).toBe(1);
  await vi.waitFor(() => expect(String(failures)).toContain('a bug in a listener'));
  expect(sequencer.state).toBe('failed');
});

test('sequencer: a listener that unsubscribed receives nothing more', async () => {
  const { sequencer } = createSequencer(folder, { disk: new MemoryDisk() });
  await sequencer.start();
  const heard: number[] = [];
  const listener = (batch: readonly unknown[]): void => {
    heard.push(batch.length);
  };
  const endFirst = sequencer.subscribe(listener);
  sequencer.subscribe(listener);
  await sequencer.submit(openAccount(1));
  endFirst();
  await sequencer.submit(openAccount(2));
  expect(heard).toEqual([1, 1, 1]);
});

test('sequencer: only the command that is too long for a record is refused', async () => {
  const { sequencer } = createSequencer(folder, { disk: new MemoryDisk() });
  await sequencer.start();
  const credit = (reason: string): Command =>
    ({
      type: 'creditBalance',
      address: addressOf(1),
      token: 'USDT',
      amount: 1n,
      actor: 'admin_api_key',
      reason,
      reference: null,
    }) as Command;
  await sequencer.submit(openAccount(1));
  const long = sequencer.submit(credit('x'.repeat(5_000)));
  const next = sequencer.submit(credit('x'.repeat(3_900)));
  await expect(long).rejects.toThrow(/a command of 50\d\d bytes exceeds the limit/);
  expect((await next).sequence).toBe(2);
});
