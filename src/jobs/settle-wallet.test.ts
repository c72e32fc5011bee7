import { expect, test } from 'vitest';
import { DatabaseError, EngineRestartingError, type ExchangeState } from '../application/ports.ts';
import { startWalletJob } from './settle-wallet.ts';

function job(run: () => Promise<void>, tables = Promise.resolve()) {
  const warnings: object[] = [];
  const exchange: { state: ExchangeState } = { state: 'ready' };
  const stop = startWalletJob(
    {
      walletSettler: { run },
      exchange,
      log: { warn: (details) => void warnings.push(details) },
      intervalMs: 1,
    },
    tables,
  );
  return { stop, warnings, exchange };
}

test('wallet job: passes come one after the other, and a trouble is said once', async () => {
  let passes = 0;
  let running = 0;
  const { stop, warnings } = job(async () => {
    running += 1;
    expect(running).toBe(1);
    await Promise.resolve();
    running -= 1;
    passes += 1;
    if (passes < 5) throw new DatabaseError('down');
    if (passes === 5) throw new EngineRestartingError('stopping');
  });
  await expect.poll(() => passes).toBeGreaterThan(6);
  await stop();
  const after = passes;
  expect(warnings).toEqual([{ trouble: 'DatabaseError: down' }]);
  expect(passes).toBe(after);
});

test('wallet job: waits for the tables and for the engine, and ends while it waits', async () => {
  let passes = 0;
  const count = async (): Promise<void> => void (passes += 1);
  const waiting = job(count, new Promise(() => undefined));
  await waiting.stop();
  const { stop, exchange } = job(count);
  exchange.state = 'restarting';
  await stop();
  expect(passes).toBe(0);
});
