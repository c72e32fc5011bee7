import { describe, expect, it } from 'vitest';
import { toAmount } from '../../domain/amount.ts';
import type { AccountId, Address, TimestampMs } from '../../domain/identifiers.ts';
import type { IncomeEntry } from '../ports/futures-history.ts';
import { downloadRowsMax } from './downloads.ts';
import { type DownloadPorts, isDownloadTooLong, makeDownload } from './make-download.ts';

const terms = { address: '0x' as Address, kind: 'income', startTime: 0, endTime: 1 } as const;

/** An account with that many rows of income. */
function portsWith(rowCount: number): DownloadPorts {
  const row = (id: number): IncomeEntry => ({
    id,
    type: 'TRANSFER',
    marketId: null,
    amount: toAmount(1n),
    tradeId: null,
    createdAt: 0 as TimestampMs,
  });
  const listIncome: DownloadPorts['futuresHistory']['listIncome'] = async ({ offset, limit }) =>
    Array.from({ length: Math.max(0, Math.min(limit, rowCount - offset)) }, (_none, at) =>
      row(offset + at + 1),
    );
  return {
    exchange: { peek: () => 7 as AccountId, durableSequence: 0 },
    barrier: { waitFor: async () => {} },
    futuresHistory: { listIncome },
  } as unknown as DownloadPorts;
}

describe('history as files', () => {
  it('a file has at most 100,000 rows: a request for more is refused', async () => {
    expect(downloadRowsMax).toBe(100_000);
    expect(await isDownloadTooLong(portsWith(100_000), terms)).toBe(false);
    expect(await isDownloadTooLong(portsWith(100_001), terms)).toBe(true);
  });

  it('a file of 100,000 rows has each of them once, in order', async () => {
    const { signal } = new AbortController();
    const lines = (await makeDownload(portsWith(100_000), terms, signal)).trimEnd().split('\n');
    expect(lines[0]).toBe('Date(UTC),type,Amount,Asset,Symbol,Transaction ID');
    expect(lines).toHaveLength(100_001);
    const numbers = lines.slice(1).map((line) => Number(line.split(',').at(-1)));
    expect(numbers.every((number, at) => number === at + 1)).toBe(true);
    expect(lines[1]).toBe('1970-01-01 00:00:00,TRANSFER,0.00000001,USDT,,1');
  });
});
