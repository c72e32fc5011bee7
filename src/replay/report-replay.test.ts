import { expect, test } from 'vitest';
import { type Decimal, parseDecimal } from '../domain/decimal.ts';
import { formatReport, isMoneyConserved, type ReplayReport } from './report-replay.ts';

const decimal = (text: string): Decimal => parseDecimal(text) ?? (0n as Decimal);

function report(missing: string, trades = 2): ReplayReport {
  const account = {
    token: 'USDT',
    funded: decimal('100'),
    available: decimal('89.5'),
    locked: decimal('10'),
    fees: decimal('0.5'),
    missing: decimal(missing),
  };
  return {
    symbol: 'AMZNUSDT-1',
    traders: 20,
    messages: 1000,
    skipped: { other: 3, unknownOrder: 4 },
    counts: {
      placed: 10,
      canceled: 5,
      taken: 2,
      fills: 2,
      rejects: new Map([
        ['SELF_TRADE', 1],
        ['ORDER_NOT_FOUND', 1200],
      ]),
    },
    elapsedMs: 2000,
    latency: { count: 4000, p50: 1, p90: 2, p99: 3.25, max: 4 },
    delayed: 0,
    money: { accounts: [account], trades },
  };
}

test('formatReport: reports orders, trades, rejects by code, speed, latency and money', () => {
  const text = formatReport(report('0'));
  expect(text).toContain('orders      10 resting, 2 taking, 5 canceled');
  expect(text).toContain('rejects     1,201\n            ORDER_NOT_FOUND 1,200\n            SELF');
  expect(text).toContain('throughput  2,000 requests/s: 4,000 in 2.0 s, 0 asked to wait');
  expect(text).toContain('latency     p50 1.0 ms, p90 2.0 ms, p99 3.3 ms, max 4.0 ms');
  expect(text).toContain('USDT: 100 = 89.5 + 10 + 0.5\nconserved   yes');
});

test('isMoneyConserved: false for a missing unit of a token, or a trade that only one side reports', () => {
  expect(isMoneyConserved(report('0'))).toBe(true);
  expect(isMoneyConserved(report('0.00000001'))).toBe(false);
  expect(formatReport(report('-0.5'))).toContain('(missing -0.5)\nconserved   NO');
  expect(isMoneyConserved(report('0', 3))).toBe(false);
});
