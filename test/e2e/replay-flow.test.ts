import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ReplayOptions, replayFlow } from '../../src/replay/replay-flow.ts';
import {
  formatReport,
  isMoneyConserved,
  type ReplayReport,
} from '../../src/replay/report-replay.ts';
import {
  startTestService,
  type TestService,
  testServiceAdminKey,
} from '../support/test-service.ts';

// Recorded flow through the whole service: sign-in, API keys, signed orders, the final account.

const recording = fileURLToPath(
  new URL('../../../shared/data/amzn-2021-04-12-0930-1000-order-flow.csv.gz', import.meta.url),
);
const recordedMessages = 2000;

let service: TestService;
let folder: string;
let options: Omit<ReplayOptions, 'file' | 'limit'>;

beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(join(tmpdir(), 'replay-'));
  options = {
    url: service.url,
    adminKey: testServiceAdminKey,
    traders: 10,
    concurrency: 16,
    speed: null,
    baseToken: 'AMZN',
    quoteToken: 'USDT',
  };
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const noProgress = { start: () => undefined, step: () => undefined, stop: () => undefined };

/** A flow of 200 orders around 100.00, half of them hit or canceled. */
function madeUpFlow(): string {
  const lines: string[] = [];
  for (let number = 1; number <= 200; number += 1) {
    const direction = number % 2 === 0 ? 1 : -1;
    const price = 1_000_000 - direction * (1 + (number % 7)) * 100;
    const time = 34_200 + number / 10;
    lines.push(`${time},1,${number},${10 + (number % 5)},${price},${direction},null`);
    if (number % 4 === 0) lines.push(`${time},4,${number},6,${price},${direction},null`);
    if (number % 5 === 0) lines.push(`${time},2,${number},3,${price},${direction},null`);
    if (number % 6 === 0) lines.push(`${time},3,${number},4,${price},${direction},null`);
  }
  return `${lines.join('\n')}\n`;
}

test('replayFlow: every order is answered, trades happen, and no unit of money is missing', async () => {
  const file = join(folder, 'flow.csv');
  await writeFile(file, madeUpFlow());
  const report = await replayFlow({ ...options, file, limit: 10_000 }, noProgress);
  expect(report.symbol).toBe('AMZNUSDT-1');
  expect(report.counts.placed).toBeGreaterThanOrEqual(200);
  expect(report.counts.taken).toBe(50);
  expect(report.money.trades).toBeGreaterThanOrEqual(45);
  expect(report.money.accounts.map(({ token, missing }) => [token, missing])).toEqual([
    ['AMZN', 0n],
    ['USDT', 0n],
  ]);
  expect(report.money.accounts.every(({ fees, locked }) => fees > 0n && locked > 0n)).toBe(true);
  expect(isMoneyConserved(report)).toBe(true);
});

test('replayFlow: sending concurrently has the same result as sending one by one', async () => {
  const file = join(folder, 'flow.csv');
  await writeFile(file, madeUpFlow());
  const run = { ...options, file, limit: 10_000, baseToken: 'MANY' };
  const many = await replayFlow(run, noProgress);
  const single = await replayFlow({ ...run, baseToken: 'ONE', concurrency: 1 }, noProgress);
  expect(many.counts).toEqual(single.counts);
  const totals = (report: ReplayReport) =>
    report.money.accounts.map(({ available, locked, fees }) => ({ available, locked, fees }));
  expect(totals(many)).toEqual(totals(single));
});

test('replayFlow: a second run trades in a new market and leaves no order behind', async () => {
  const file = join(folder, 'flow.csv');
  await writeFile(file, madeUpFlow());
  const report = await replayFlow({ ...options, file, limit: 50 }, noProgress);
  expect(report.symbol).toBe('AMZNUSDT-2');
  const depth = await fetch(`${service.url}/api/v1/spot/depth?symbol=${report.symbol}`);
  expect(await depth.json()).toMatchObject({ bids: [], asks: [] });
});

test('replayFlow: a wrong admin key is reported with what to do', async () => {
  const file = join(folder, 'flow.csv');
  await writeFile(file, madeUpFlow());
  const run = replayFlow({ ...options, file, limit: 10, adminKey: 'wrong' }, noProgress);
  await expect(run).rejects.toThrow(
    "401 UNAUTHORIZED: pass the server's ADMIN_API_KEY as --admin-key",
  );
});

function runCommand(...words: string[]): Promise<{ readonly code: number; readonly text: string }> {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  return new Promise((resolve) => {
    const command = ['--import', 'tsx', 'src/replay/main.ts', ...words];
    execFile(process.execPath, command, { cwd: root }, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : 0;
      resolve({ code, text: stdout + stderr });
    });
  });
}

test('npm run replay: ends with the report, and with 0 if the money adds up', async () => {
  const file = join(folder, 'flow.csv');
  await writeFile(file, madeUpFlow());
  const limits = ['--traders', '5', '--limit', '60'];
  const access = ['--url', options.url, '--admin-key', testServiceAdminKey, '--base-token', 'CLI'];
  const { code, text } = await runCommand(file, ...access, ...limits);
  expect(text).toContain('market      CLIUSDT-1, 5 traders');
  expect(text).toMatch(/latency {5}p50 [\d.]+ ms, p90 [\d.]+ ms, p99 [\d.]+ ms, max [\d.]+ ms/);
  expect(text).toContain('conserved   yes, to the last unit');
  expect(code).toBe(0);
});

test('npm run replay: ends with 1 and one line if no server answers', async () => {
  const file = join(folder, 'flow.csv');
  await writeFile(file, madeUpFlow());
  const { code, text } = await runCommand(file, '--url', 'http://127.0.0.1:1', '--admin-key', 'k');
  expect(text).toBe('replay: no server responds at http://127.0.0.1:1; see --url\n');
  expect(code).toBe(1);
});

const isRecorded = existsSync(recording);
if (!isRecorded) console.log('skipped: replay of the recorded order flow, which is not there');
test.skipIf(!isRecorded)('replayFlow: recorded order flow conserves every token', async () => {
  const run = { ...options, file: recording, limit: recordedMessages, traders: 20 };
  const report = await replayFlow(run, noProgress);
  expect(isMoneyConserved(report), formatReport(report)).toBe(true);
  expect(report.counts.placed).toBeGreaterThan(800);
  expect(report.money.trades).toBeGreaterThan(50);
  const lost = ['INSUFFICIENT_BALANCE', 'SELF_TRADE', 'INVALID_PARAMETER', 'HTTP_401'];
  expect([...report.counts.rejects.keys()].filter((code) => lost.includes(code))).toEqual([]);
});
