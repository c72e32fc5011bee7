import { expect, test } from 'vitest';
import { ManualExchange } from '../../test/support/manual-exchange.ts';
import { futuresOf } from '../../test/support/order-entry-fixture.ts';
import { postBadDebt } from '../../test/support/post-bad-debt.ts';
import type { Engine } from '../engine/engine.ts';
import { logRisk } from './risk-log.ts';

const unit = 10n ** 8n;

test('log: stale prices, bad debt and the gate are logged as they change', () => {
  const exchange = new ManualExchange();
  const lines: unknown[] = [];
  const write =
    (level: string) =>
    ({ sequence: _sequence, ...fields }: Record<string, unknown>, text: string) =>
      void lines.push([level, text, fields]);
  const log = { info: write('info'), warn: write('warn'), error: write('error') };
  logRisk(exchange, log as never);
  const futures = futuresOf(exchange);
  futures.fund(1, 1_000);
  futures.setIndex(30_000);
  expect(lines.splice(0)).toEqual([
    ['info', 'the price state of a market changed', { market: 'BTCUSDT', priceState: 'fresh' }],
  ]);
  futures.advance(60_001);
  expect(lines.splice(0)).toEqual([
    ['warn', 'a market has no fresh price', { market: 'BTCUSDT', priceState: 'stale' }],
  ]);
  postBadDebt(exchange.engine as Engine, 100n * unit);
  futures.advance(1_000);
  expect(lines.splice(0)).toEqual([
    ['error', 'a loss has no payer: bad debt grew', { balance: '-100', change: '-100' }],
    ['warn', 'withdrawals are held', { until: null }],
  ]);
});
