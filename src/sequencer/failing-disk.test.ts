import { expect, test, vi } from 'vitest';
import { type Fault, MemoryDisk, systemError } from '../../test/support/memory-disk.ts';
import { addressOf } from '../../test/support/sequencer-address.ts';
import { createSequencer } from '../../test/support/sequencer-fixture.ts';
import { EngineBusyError, EngineRestartingError } from '../application/ports/exchange.ts';
import type { AccountId, OrderNumber } from '../domain/identifiers.ts';
import type { Command } from '../engine/commands.ts';
import { systemTime } from '../system/system-time.ts';
import type { Time } from '../system/time.ts';
import { OutcomeUnknownError } from './command-pipeline.ts';

const folder = '/journal';
const openAccount = (number: number): Command => ({
  type: 'openAccount',
  address: addressOf(number),
});
const cancel: Command = {
  type: 'cancelSpotOrder',
  accountId: 1 as AccountId,
  orderNumber: 1 as OrderNumber,
};

function failWrites(code: string, of: RegExp): Fault {
  return (operation, path) => {
    if (operation === 'write' && of.test(path)) throw systemError(code);
  };
}

async function open(disk: MemoryDisk, limits = {}) {
  const fixture = createSequencer(folder, { disk, limits });
  await fixture.sequencer.start();
  return fixture;
}

test('failing disk: after a write error nothing is acknowledged, and the process is asked to end', async () => {
  const disk = new MemoryDisk();
  const { sequencer, failures, log } = await open(disk);
  await sequencer.submit(openAccount(1));
  disk.fault = failWrites('EIO', /\.segment$/);
  await Promise.all([
    expect(sequencer.submit(openAccount(2))).rejects.toThrow(OutcomeUnknownError),
    expect(sequencer.read((view) => view.sequence)).rejects.toThrow(OutcomeUnknownError),
  ]);
  expect(failures).toEqual([expect.objectContaining({ code: 'EIO' })]);
  expect(log.at(-1)).toMatchObject({ level: 60 });
  // The disk would work again, but what it did with the pages is unknown: no second try.
  const { changes } = disk;
  disk.fault = () => {};
  await expect(sequencer.submit(openAccount(3))).rejects.toThrow(EngineRestartingError);
  await expect(sequencer.read((view) => view.sequence)).rejects.toThrow(EngineRestartingError);
  await sequencer.stop();
  expect(disk.changes).toBe(changes);
  expect(sequencer.state).toBe('failed');
  expect(failures).toHaveLength(1);
  expect(sequencer.durableSequence).toBe(1);
});

test('failing disk: commands waiting behind the failed write fail with it', async () => {
  const disk = new MemoryDisk();
  const { sequencer } = await open(disk);
  disk.fault = failWrites('EIO', /\.segment$/);
  const first = Array.from({ length: 5 }, (_, number) => sequencer.submit(openAccount(number)));
  await new Promise((resolve) => setImmediate(resolve));
  const second = Array.from({ length: 300 }, (_, number) =>
    sequencer.submit(openAccount(10 + number)),
  );
  for (const answer of await Promise.allSettled([...first, ...second])) {
    expect(answer.status === 'rejected' && answer.reason).toBeInstanceOf(OutcomeUnknownError);
  }
});

test('failing disk: an error while the next segment is prepared ends the process too', async () => {
  const disk = new MemoryDisk();
  disk.fault = failWrites('EIO', /segment\.tmp$/);
  const { sequencer, failures } = createSequencer(folder, { disk });
  await expect(sequencer.start()).rejects.toMatchObject({ code: 'EIO' });
  const running = new MemoryDisk();
  const second = await open(running);
  running.fault = failWrites('EIO', /segment\.tmp$/);
  const answers = [];
  for (let number = 0; second.failures.length === 0; number += 1) {
    answers.push(...(await Promise.allSettled([second.sequencer.submit(openAccount(number))])));
  }
  expect(second.failures).toEqual([expect.objectContaining({ code: 'EIO' })]);
  expect(answers.length).toBeGreaterThan(100);
  expect(failures).toEqual([]);
});

test('full disk: new orders are refused, cancels continue from the reserve, and it recovers once there is space', async () => {
  const disk = new MemoryDisk();
  const { sequencer, failures, log } = await open(disk);
  disk.fault = failWrites('ENOSPC', /segment\.tmp$/);
  let taken = 0;
  const fill = async (command: Command): Promise<void> => {
    for (;;) {
      const [answer] = await Promise.allSettled([sequencer.submit(command)]);
      if (answer.status === 'rejected') {
        expect(answer.reason).toBeInstanceOf(EngineBusyError);
        return;
      }
      taken += 1;
    }
  };
  await fill(openAccount(1));
  expect(sequencer.statistics.isSpaceMissing).toBe(true);
  const takenBefore = taken;
  await fill(cancel);
  // A quarter of a segment holds some hundred cancels.
  expect(taken - takenBefore).toBeGreaterThan(100);
  expect(await sequencer.read((view) => view.sequence)).toBe(taken);
  expect(log.filter((line) => line.msg === 'no space for the next journal segment')).toHaveLength(
    1,
  );
  disk.fault = () => {};
  await vi.waitFor(() => expect(sequencer.statistics.isSpaceMissing).toBe(false));
  expect((await sequencer.submit(openAccount(2))).sequence).toBe(taken + 1);
  expect((await sequencer.submit(cancel)).sequence).toBe(taken + 2);
  expect(failures).toEqual([]);
  await sequencer.stop();
  const again = await open(new MemoryDisk(disk.files()));
  expect(again.sequencer.durableSequence).toBe(taken + 2);
});

test('full disk: a start without space for the next segment trades until the reserve', async () => {
  const disk = new MemoryDisk();
  const first = await open(disk);
  await first.sequencer.submit(openAccount(1));
  await first.sequencer.stop();
  const files = disk.files();
  files.delete(`${folder}/00000002.segment`);
  const full = new MemoryDisk(files);
  full.fault = failWrites('ENOSPC', /segment\.tmp$/);
  const { sequencer } = await open(full);
  expect((await sequencer.submit(openAccount(2))).sequence).toBe(2);
  expect(sequencer.statistics.isSpaceMissing).toBe(true);
});

test('failing disk: a snapshot that cannot be written is logged; trading and the next snapshot continue', async () => {
  const disk = new MemoryDisk();
  const { sequencer, failures, log } = await open(disk, { snapshotEvery: 10 });
  const submit = async (count: number): Promise<void> => {
    for (let number = 0; number < count; number += 1) await sequencer.submit(openAccount(number));
  };
  disk.fault = failWrites('ENOSPC', /snapshot\.tmp$/);
  await submit(12);
  await vi.waitFor(() =>
    expect(log.map((line) => line.msg)).toContain(
      'snapshot failed; the journal is complete without it',
    ),
  );
  disk.fault = () => {};
  await submit(12);
  await vi.waitFor(() => expect(log.map((line) => line.msg)).toContain('snapshot written'));
  expect(failures).toEqual([]);
  expect(sequencer.durableSequence).toBe(24);
});

test('failing disk: a snapshot that cannot be written at the stop does not delay it', async () => {
  const disk = new MemoryDisk();
  const { sequencer } = await open(disk);
  await sequencer.submit(openAccount(1));
  disk.fault = failWrites('ENOSPC', /snapshot\.tmp$/);
  await sequencer.stop();
  const again = await open(new MemoryDisk(disk.files()));
  expect(again.sequencer.durableSequence).toBe(1);
});

test('failing disk: a disk that cannot be read refuses the start with its own error', async () => {
  const disk = new MemoryDisk();
  const first = await open(disk);
  await first.sequencer.submit(openAccount(1));
  await first.sequencer.stop();
  const sick = new MemoryDisk(disk.files());
  sick.fault = (operation, path) => {
    if (operation === 'read' && path.endsWith('.segment')) throw systemError('EIO');
  };
  const { sequencer } = createSequencer(folder, { disk: sick });
  await expect(sequencer.start()).rejects.toMatchObject({ code: 'EIO' });
  expect(sequencer.state).toBe('failed');
});

test.each([500, 501])(
  'failing disk: a write of %d ms is slow from half a second on',
  async (ms) => {
    const disk = new MemoryDisk();
    let now = 0;
    const time: Time = { ...systemTime, monotonicMs: () => now };
    const { sequencer, log } = createSequencer(folder, { disk, time });
    await sequencer.start();
    disk.fault = (operation, path) => {
      if (operation === 'write' && path.endsWith('.segment')) now += ms;
    };
    await sequencer.submit(openAccount(1));
    disk.fault = () => {};
    const slow = log.filter(({ msg }) => msg === 'the disk is slow');
    expect(slow.map(({ level, writeMs }) => [level, writeMs])).toEqual(ms > 500 ? [[40, ms]] : []);
    await sequencer.stop();
  },
);
