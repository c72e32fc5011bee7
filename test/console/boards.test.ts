import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { envelope, otherAddress } from '../support/console-answers.ts';
import { type FakeConsole, startFakeConsole } from '../support/console-fake-pages.ts';
import { browserOrReason } from '../support/console-pages.ts';

// The points board, before a service of fixed data.

const program = browserOrReason();

const path = 'GET /api/v1/points/leaderboard';
const strangers = envelope({
  epoch_number: 2,
  rank_type: 'total',
  total: 70,
  updated_at: '2026-01-14T12:00:00.000Z',
  entries: [
    { rank: 1, user_address: otherAddress, username: 'alice', points: '1204.5', tier: 'T1' },
  ],
});

describe.skipIf(program === null)('console: boards', () => {
  let rig: FakeConsole;
  beforeAll(async () => {
    rig = await startFakeConsole(program ?? '');
  });
  afterAll(() => rig.close());

  test('console: the own row is on the board once, on whichever page it is ranked', async () => {
    const { page, complaints, close } = await rig.openSignedIn('/points');
    const board = page.getByRole('region', { name: 'Leaderboard' }).last();
    await board.getByText('alice').waitFor();
    expect(await board.getByText('you').count()).toBe(1);

    rig.fake.answers.set(path, strangers);
    await page.reload();
    const first = board.getByRole('row').nth(1);
    await first.getByText('you').waitFor();
    expect(await first.getByRole('cell').allTextContents()).toEqual([
      '2',
      expect.stringContaining('you') as string,
      '803.25',
      'T1',
    ]);
    expect(await board.getByRole('row').count()).toBe(3);

    // The service ranks the sum of the active epoch alone; of other kinds it only counts points.
    await page.getByRole('combobox', { name: 'Kind of points' }).selectOption('pnl');
    await first.getByText('80.25').waitFor();
    expect(await first.getByRole('cell').first().textContent()).toBe('–');
    await page
      .getByRole('combobox', { name: 'Time' })
      .selectOption({ label: 'Epoch 1, from 2026-01-05' });
    await expect.poll(() => board.getByText('you').count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });
});
