import { formatDecimal } from '../domain/decimal.ts';
import type { MoneyCheck } from './check-conservation.ts';
import type { LatencySummary } from './latency-recorder.ts';
import type { SkippedMessages } from './plan-replay.ts';
import type { ReplayCounts } from './run-replay.ts';

export interface ReplayReport {
  readonly symbol: string;
  readonly traders: number;
  readonly messages: number;
  readonly skipped: SkippedMessages;
  readonly counts: ReplayCounts;
  readonly elapsedMs: number;
  readonly latency: LatencySummary;
  /** Replies that asked to retry later. */
  readonly delayed: number;
  readonly money: MoneyCheck;
}

/** Whether every token balances, and replies and histories agree. */
export function isMoneyConserved({ money, counts }: ReplayReport): boolean {
  return money.accounts.every(({ missing }) => missing === 0n) && money.trades === counts.fills;
}

/** The report as lines for a terminal. */
export function formatReport(report: ReplayReport): string {
  const { counts, latency, money, skipped, elapsedMs } = report;
  const rejects = [...counts.rejects].sort(([left], [right]) => (left < right ? -1 : 1));
  const rejected = rejects.reduce((sum, [, count]) => sum + count, 0);
  const perSecond = Math.round(latency.count / (elapsedMs / 1000));
  const lines = [
    `market      ${report.symbol}, ${report.traders} traders`,
    `messages    ${group(report.messages)}; left out: ${group(skipped.other)} hidden or crosses, ` +
      `${group(skipped.unknownOrder)} of unknown orders`,
    `orders      ${group(counts.placed)} resting, ${group(counts.taken)} taking, ` +
      `${group(counts.canceled)} canceled`,
    `trades      ${group(money.trades)} (${group(counts.fills)} in the answers)`,
    `rejects     ${group(rejected)}`,
    ...rejects.map(([code, count]) => `            ${code} ${group(count)}`),
    `throughput  ${group(perSecond)} requests/s: ${group(latency.count)} in ` +
      `${(elapsedMs / 1000).toFixed(1)} s, ${group(report.delayed)} asked to wait`,
    `latency     p50 ${milliseconds(latency.p50)}, p90 ${milliseconds(latency.p90)}, ` +
      `p99 ${milliseconds(latency.p99)}, max ${milliseconds(latency.max)}`,
    'money       funded = available + locked + fees',
    ...money.accounts.map(
      (account) =>
        `            ${account.token}: ${formatDecimal(account.funded)} = ` +
        `${formatDecimal(account.available)} + ${formatDecimal(account.locked)} + ` +
        `${formatDecimal(account.fees)}${missingNote(account.missing)}`,
    ),
    isMoneyConserved(report)
      ? 'conserved   yes, to the last unit'
      : 'conserved   NO: the money does not add up',
  ];
  return lines.join('\n');
}

function missingNote(missing: MoneyCheck['accounts'][number]['missing']): string {
  return missing === 0n ? '' : ` (missing ${formatDecimal(missing)})`;
}

function group(count: number): string {
  return count.toLocaleString('en-US');
}

function milliseconds(value: number): string {
  return `${value.toFixed(1)} ms`;
}
