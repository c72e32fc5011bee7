import { expect, test } from 'vitest';
import {
  addressOf,
  createSequencer,
  temporaryFolder,
} from '../../test/support/sequencer-fixture.ts';
import { EngineRestartingError } from '../application/ports.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { JournalLockedError } from '../journal/journal-lock.ts';

const openAccount = (number: number) =>
  ({ type: 'openAccount', address: addressOf(number) }) as const;

test('sequencer: before it has recovered callers hear that it is restarting', async () => {
  const { sequencer } = createSequencer(temporaryFolder());
  const started = sequencer.start();
  expect(sequencer.state).toBe('restarting');
  await expect(sequencer.submit(openAccount(1))).rejects.toThrow(EngineRestartingError);
  await expect(sequencer.read((view) => view.sequence)).rejects.toThrow(EngineRestartingError);
  expect(() => sequencer.peek((view) => view.sequence)).toThrow(EngineRestartingError);
  await started;
  expect(sequencer.state).toBe('ready');
});

test('sequencer: what was acknowledged is there after a restart', async () => {
  const folder = temporaryFolder();
  const first = createSequencer(folder).sequencer;
  await first.start();
  const outcomes = await Promise.all(
    Array.from({ length: 600 }, (_, number) => first.submit(openAccount(number))),
  );
  expect(outcomes.map((applied) => applied.sequence)).toEqual(
    Array.from({ length: 600 }, (_, index) => index + 1),
  );
  await first.stop();
  const second = createSequencer(folder).sequencer;
  await second.start();
  expect(second.durableSequence).toBe(600);
  expect(await second.read((view) => view.findAccount(addressOf(599)))).toBe(600);
});

test('sequencer: a second owner of a journal is refused, and the folder is free after a stop', async () => {
  const folder = temporaryFolder();
  const { sequencer } = createSequencer(folder);
  await sequencer.start();
  await expect(createSequencer(folder).sequencer.start()).rejects.toThrow(JournalLockedError);
  await sequencer.stop();
  const next = createSequencer(folder).sequencer;
  await next.start();
  expect(next.state).toBe('ready');
});

test('outcomeLog: gives recent outcomes and waits for the next one', async () => {
  const { sequencer } = createSequencer(temporaryFolder());
  await sequencer.start();
  const { signal } = new AbortController();
  await sequencer.submit(openAccount(1));
  const waiting = sequencer.outcomeLog.read(1 as Sequence, 10, signal);
  await sequencer.submit(openAccount(2));
  expect((await waiting).map((applied) => applied.sequence)).toEqual([2]);
  const both = await sequencer.outcomeLog.read(0 as Sequence, 10, signal);
  expect(both.map((applied) => applied.sequence)).toEqual([1, 2]);
});
