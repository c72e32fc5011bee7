import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import type { SolvencyReport, TokenSolvency } from '../application/upkeep/check-solvency.ts';
import { toAmount } from '../domain/amount.ts';
import { toMicroUsdt } from '../domain/micro-usdt.ts';
import { Readiness } from '../gateway/http/operation/readiness.ts';
import { createSolvencyWatch } from './solvency.ts';

const unit = 10n ** 8n;

function reportOf(df: Partial<TokenSolvency>, rewardsHeld = 7n): SolvencyReport {
  const [held, owed, unbacked] = [toAmount(5n * unit), toAmount(6n * unit), toAmount(unit)];
  return {
    isStill: true,
    tokens: [{ token: 'DF', held, owed, unbacked, isShort: false, ...df }],
    rewards: {
      held: toMicroUsdt(rewardsHeld * 1_000_000n),
      owed: toMicroUsdt(7_000_000n),
      isShort: rewardsHeld < 7n,
    },
  };
}

function scene() {
  const metrics = new Registry();
  const readiness = new Readiness();
  const lines: string[] = [];
  let time = 0;
  const watch = createSolvencyWatch({
    metrics,
    readiness,
    log: {
      error: (_: object, message: string) => void lines.push(message),
      info: (message: string) => void lines.push(message),
    } as unknown as Parameters<typeof createSolvencyWatch>[0]['log'],
    monotonicMs: () => time,
  });
  const part = async () => {
    const { isReady, parts } = await readiness.check(0);
    return { isServiceReady: isReady, ...parts.get('solvency') };
  };
  return { metrics, watch, lines, part, pass: (durationMs: number) => (time += durationMs) };
}

test('solvency: unknown before the first check, and three minutes after the last', async () => {
  const { metrics, watch, part, pass } = scene();
  expect(await part()).toEqual({ isServiceReady: true, state: 'unknown', isReady: true, since: 0 });
  expect(await metrics.metrics()).not.toMatch(/^(vault|reward_pool)_\w+(\{.*\})? /m);
  watch.onReport(reportOf({}));
  pass(180_000);
  expect(await part()).toMatchObject({ state: 'ready' });
  pass(1);
  expect(await part()).toMatchObject({ state: 'unknown' });
  expect(await metrics.metrics()).not.toMatch(/^(vault|reward_pool)_\w+(\{.*\})? /m);
});

test('solvency: amounts held, owed and created by test credits are in the metrics', async () => {
  const { metrics, watch } = scene();
  watch.onReport(reportOf({}));
  const text = await metrics.metrics();
  for (const line of [
    'vault_held{token="DF"} 5',
    'vault_owed{token="DF"} 6',
    'vault_unbacked{token="DF"} 1',
    'vault_short{token="DF"} 0',
    'reward_pool_held 7',
    'reward_pool_owed 7',
    'reward_pool_short 0',
  ]) {
    expect(text.split('\n')).toContain(line);
  }
});

test('solvency: a shortage degrades with the missing amount, and delays nothing', async () => {
  const { metrics, watch, lines, part } = scene();
  watch.onReport(reportOf({ isShort: true, held: toAmount(4n * unit) }, 6n));
  watch.onReport(reportOf({ isShort: true, held: toAmount(4n * unit) }, 6n));
  expect(await part()).toEqual({
    isServiceReady: true,
    state: 'degraded',
    isReady: true,
    since: 0,
    detail:
      'the vault holds 4 DF and owes 6, of which 1 are test credits; ' +
      'the reward router holds 6 USDT and owes 7',
  });
  expect(await metrics.metrics()).toContain('vault_short{token="DF"} 1');
  watch.onReport(reportOf({}));
  expect(lines).toEqual([
    'the contracts hold less than what is owed',
    'the contracts cover what is owed again',
  ]);
});

test('solvency: a pause says how much is missing', () => {
  const { watch, lines } = scene();
  watch.onPause([{ token: 'DF', amount: toAmount(unit) }]);
  expect(lines).toEqual(['the vault does not cover what is owed: withdrawals are paused']);
});
