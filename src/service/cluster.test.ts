import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import type { ExchangeState } from '../application/ports.ts';
import { claimJournalId } from '../database/claim-journal-id.ts';
import { logSpaceAlarm, requireOwnDatabase } from './cluster.ts';

test('the shared log at 80 % of its space: one line, and another after it had room', () => {
  const lines: unknown[] = [];
  const tell = logSpaceAlarm({ error: (...line: unknown[]) => void lines.push(line) });
  for (const ratio of [0, 0.79, 0.8, 0.9, 1, 0.5, 0.81]) tell(ratio);
  const text = 'the shared log has used 80 % of its space';
  expect(lines).toEqual([
    [{ usedRatio: 0.8 }, text],
    [{ usedRatio: 0.81 }, text],
  ]);
});

test('the database of another exchange is refused, also where the journal is recovered later', async () => {
  const { database, close } = await openTestDatabase();
  onTestFinished(() => close());
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
