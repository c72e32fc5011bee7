import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { envelope, fixedAt, otherAddress, ownAddress } from '../support/console-answers.ts';
import { pointsFixtures } from '../support/console-points-fixtures.ts';
import { describeFakeConsole } from '../support/console-suites.ts';

// The points board, before a service of fixed data.

const path = 'GET /api/v1/points/leaderboard';
const stranger = { user_address: otherAddress, username: 'alice', points: '1204.5', tier: 'T1' };
const board70 = {
  epoch_number: 2,
  rank_type: 'total',
  total: 70,
  updated_at: '2026-01-14T12:00:00.000Z',
};
const strangers = envelope({ ...board70, entries: [{ rank: 1, ...stranger }] });

describeFakeConsole('console: boards', (rig) => {
  test('console: the own row is on the board once, on whichever page it is ranked', async () => {
    const { page, complaints, close } = await rig.openSignedIn('/points');
    const board = page.getByRole('region', { name: 'Leaderboard' }).last();
    await board.getByText('alice').waitFor();
    expect(await board.getByText('you').count()).toBe(1);

    rig.fake.answers.set(path, strangers);
    await page.reload();
    await page.route('**/points/leaderboard?*', async (route) => {
      const { searchParams } = new URL(route.request().url());
      const from = Number(searchParams.get('offset'));
      const entries = Array.from({ length: Math.min(50, 70 - from) }, (_, index) => ({
        ...stranger,
        rank: from + index + 1,
      }));
      if (searchParams.get('limit') === '50') return route.continue();
      await route.fulfill({ json: { success: true, data: { ...board70, entries } } });
    });
    const first = board.getByRole('row').nth(1);
    await first.getByText('you').waitFor();
    expect(await first.getByRole('cell').allTextContents()).toEqual([
      '2',
      expect.stringContaining('you') as string,
      '803.25',
      'T1',
    ]);
    expect(await board.getByRole('row').count()).toBe(3);

    // The file has every rank of the board, and not the shown page of it.
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^CSV of leaderboard/ }).click(),
    ]);
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
    expect(lines[0]).toBe('Rank,Account,Points,Tier');
    expect(lines.length).toBe(71);
    expect(lines.at(-1)).toMatch(/^70,/);

    // The service ranks the sum of the active epoch alone; of other kinds it only counts points.
    await page.getByRole('combobox', { name: 'Kind of points' }).selectOption('pnl');
    await first.getByText('80.25').waitFor();
    expect(await first.getByRole('cell').first().textContent()).toBe('–');
    await page
      .getByRole('combobox', { name: 'Time' })
      .selectOption({ label: 'Epoch 1, 2026-01-05' });
    await expect.poll(() => board.getByText('you').count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });

  test('console: the own share of a season stands above the list, from whichever page it is on', async () => {
    const { body } = pointsFixtures['GET /api/v1/points/seasons'] as {
      body: { data: readonly object[] };
    };
    const seasons = body.data.map((each) => ({ ...each, snapshot_taken_at: fixedAt }));
    rig.fake.answers.set('GET /api/v1/points/seasons', envelope(seasons));
    const { page, complaints, close } = await rig.openSignedIn('/points');
    await page.route('**/points/seasons/1/distribution?*', async (route) => {
      const { searchParams } = new URL(route.request().url());
      const number = Number(searchParams.get('page'));
      const size = Number(searchParams.get('page_size'));
      const items = Array.from({ length: 130 }, (_, index) => ({
        rank: index + 1,
        user_address: index === 119 ? ownAddress : otherAddress,
        pool: 'user',
        points: '10',
        tokens: 1_000 - index,
      })).slice((number - 1) * size, number * size);
      const data = { items, total: 130, page: number, page_size: size };
      await route.fulfill({ json: { success: true, data } });
    });
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    const shares = page.getByRole('region', { name: 'Shares of season 1' });
    const first = shares.getByRole('row').nth(1);
    await first.getByText('you').waitFor();
    expect((await first.getByRole('cell').allTextContents()).at(0)).toBe('120');
    expect((await first.getByRole('cell').allTextContents()).at(-1)).toBe('881');
    expect(await shares.getByRole('row').count()).toBe(52);
    const panel = page.getByRole('region', { name: 'Shares', exact: true });
    for (const shown of ['51 to 100 of 130', '101 to 130 of 130']) {
      await panel.getByRole('button', { name: 'Older' }).click();
      await panel.getByText(shown).waitFor();
    }
    await expect.poll(() => shares.getByRole('row').count()).toBe(31);
    expect(await shares.getByText('you').count()).toBe(1);
    expect(complaints).toEqual([]);
    await close();
  });
});
