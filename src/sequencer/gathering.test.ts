import { expect, test, vi } from 'vitest';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import { addressOf } from '../../test/support/sequencer-address.ts';
import { createSequencer } from '../../test/support/sequencer-fixture.ts';
import type { AppliedCommand } from '../engine/events.ts';
import { readSequence } from '../journal/journal-record.ts';
import { systemTime } from '../system/system-time.ts';
import type { Time } from '../system/time.ts';
import type { Sequencer } from './sequencer.ts';

interface Gathering {
  readonly sequencer: Sequencer;
  /** The first command of each group, in the order in which the groups were written. */
  readonly groups: readonly number[];
  /** How long each pause is that has not ended yet. */
  readonly pauses: readonly number[];
  endPause(): void;
}

/** After each group of at least two commands, they gather until the pause is ended. */
async function openGathering(): Promise<Gathering> {
  const groups: number[] = [];
  const waiting: { readonly pauseMs: number; readonly end: () => void }[] = [];
  const pauseMs = 3;
  const after: Time['after'] = (delayMs, end) => {
    if (delayMs !== pauseMs) return systemTime.after(delayMs, end);
    waiting.push({ pauseMs: delayMs, end });
    return () => undefined;
  };
  const { sequencer } = createSequencer('/journal', {
    disk: new MemoryDisk(),
    time: { ...systemTime, after },
    shared: {
      journalId: async () => '0123456789abcdef',
      append: async (group) => void groups.push(readSequence(group, 0)),
      gatherMs: (commands) => (commands < 2 ? 0 : pauseMs),
    },
  });
  await sequencer.start();
  return {
    sequencer,
    groups,
    get pauses() {
      return waiting.map((each) => each.pauseMs);
    },
    endPause: () => waiting.shift()!.end(),
  };
}

function submit({ sequencer }: Gathering, first: number, last: number): Promise<AppliedCommand[]> {
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const opened = numbers.map((number) =>
    sequencer.submit({ type: 'openAccount', address: addressOf(number) }),
  );
  return Promise.all(opened);
}

test('gathering: what arrives in a pause after a group is one group', async () => {
  const gathering = await openGathering();
  await submit(gathering, 1, 2);
  expect(gathering.pauses).toEqual([3]);
  const third = submit(gathering, 3, 3);
  await systemTime.yieldTurn();
  const fourth = submit(gathering, 4, 4);
  await systemTime.yieldTurn();
  expect(gathering.groups).toEqual([1]);
  gathering.endPause();
  await Promise.all([third, fourth]);
  expect(gathering.groups).toEqual([1, 3]);
});

test('gathering: after a pause in which nothing arrived, a command is written at once', async () => {
  const gathering = await openGathering();
  await submit(gathering, 1, 2);
  gathering.endPause();
  await submit(gathering, 3, 3);
  await submit(gathering, 4, 4);
  expect(gathering.groups).toEqual([1, 3, 4]);
  expect(gathering.pauses).toEqual([]);
});

test('gathering: a full group does not wait for more commands', async () => {
  const gathering = await openGathering();
  const opened = submit(gathering, 1, 400);
  await vi.waitFor(() => expect(gathering.pauses).toEqual([3]));
  expect(gathering.groups.length).toBeGreaterThan(2);
  gathering.endPause();
  expect(await opened).toHaveLength(400);
});
