import { expect, test } from 'vitest';
import { runJobs } from '../../test/support/run-jobs.ts';
import { DatabaseError } from '../application/ports/database.ts';
import type { ExchangeState } from '../application/ports/exchange.ts';
import { settleWalletJob } from './settle-wallet.ts';

function start(run: () => Promise<void>, tables = Promise.resolve()) {
  const exchange: { state: ExchangeState } = { state: 'ready' };
  const job = settleWalletJob({ walletSettler: { run }, exchange, intervalMs: 1 });
  return { ...runJobs([job], tables), exchange };
}

test('wallet job: passes run one after the other, and a failure is logged once', async () => {
  let passes = 0;
  let running = 0;
  const down = new DatabaseError('down');
  const { stop, warnings } = start(async () => {
    running += 1;
    expect(running).toBe(1);
    await Promise.resolve();
    running -= 1;
    passes += 1;
    if (passes < 5) throw down;
  });
  await expect.poll(() => passes).toBeGreaterThan(6);
  await stop();
  const after = passes;
  expect(warnings).toEqual([{ job: 'settle-wallet', err: down }]);
  expect(passes).toBe(after);
});

test('wallet job: waits for the tables and for the engine, and can be stopped while it waits', async () => {
  let passes = 0;
  const count = async (): Promise<void> => void (passes += 1);
  const waiting = start(count, new Promise(() => undefined));
  await waiting.stop();
  expect(passes).toBe(0);
  const { stop, exchange } = start(count);
  exchange.state = 'restarting';
  await stop();
  expect(passes).toBe(0);
});
