import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import type { AppliedCommand, ExchangeState } from '../application/ports/exchange.ts';
import { claimJournalId } from '../database/claim-journal-id.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { outcomesForOwnDatabase, requireOwnDatabase } from './own-database.ts';

test('the database of another exchange is refused, even if the journal is recovered later', async () => {
  const opened = await openTestDatabase();
  onTestFinished(() => opened.close());
  const { database } = opened;
  await claimJournalId(database, 'a'.repeat(16));
  const sequencer = {
    journalId: null as string | null,
    asked: 0,
    get state(): ExchangeState {
      this.asked += 1;
      if (this.asked === 2) this.journalId = 'b'.repeat(16);
      return this.journalId === null ? 'restarting' : 'ready';
    },
  };
  const required = requireOwnDatabase({ sequencer, database }, pino({ level: 'silent' }));
  await expect(required).rejects.toThrow(
    'the database belongs to the exchange aaaaaaaaaaaaaaaa, but the journal in DATA_DIR to bbbbbbbbbbbbbbbb',
  );
});

test('no outcome is read for the database of another exchange; one that has no name takes it', async () => {
  const opened = await openTestDatabase();
  onTestFinished(() => opened.close());
  const { database } = opened;
  const found: readonly AppliedCommand[] = [];
  const outcomeLog = { read: async () => found, release: () => undefined };
  const read = (journalId: string): Promise<readonly AppliedCommand[]> =>
    outcomesForOwnDatabase({ outcomeLog, journalId }, database).read(
      0 as Sequence,
      1,
      new AbortController().signal,
    );
  expect(await read('a'.repeat(16))).toBe(found);
  await expect(read('b'.repeat(16))).rejects.toThrow('the database belongs to the exchange aaaa');
  expect(await read('a'.repeat(16))).toBe(found);
});
