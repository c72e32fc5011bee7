import { expect, onTestFinished, test } from 'vitest';
import { openEmptyTestDatabase } from '../../test/support/database.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { requireAllProjected } from './upgrade.ts';

test('a database without tables holds nothing of what older rules have applied', async () => {
  const opened = await openEmptyTestDatabase();
  onTestFinished(() => opened.close());
  const { database } = opened;
  await expect(requireAllProjected(database, 7 as Sequence, 1)).rejects.toThrow(
    'the database holds everything up to 0, but commands up to 7 were applied by version 1',
  );
  await requireAllProjected(database, 0 as Sequence, 1);
});
