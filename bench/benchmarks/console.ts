import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { CDPSession, Page } from 'playwright-core';
import { findBrowser, launchBrowser } from '../../test/support/browser.ts';
import { type FakeService, startFake } from '../../test/support/console-fake.ts';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';

// The console against its budgets: what it weighs compressed, when a cold page shows its first
// content and its book, what a busy market costs the main thread, and whether memory grows.

const dist = fileURLToPath(new URL('../../console/dist/', import.meta.url));
const kilobyte = 1024;
const levels = 30;

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

type Manifest = Readonly<Record<string, Chunk>>;

const sizeOf = (file: string): number => statSync(`${dist}${file}.gz`).size;

/** The files of a chunk and of all that it imports at once. */
function filesOf(manifest: Manifest, name: string, seen = new Set<string>()): ReadonlySet<string> {
  const chunk = manifest[name];
  if (chunk === undefined || seen.has(chunk.file)) return seen;
  for (const file of [chunk.file, ...(chunk.css ?? [])]) seen.add(file);
  for (const each of chunk.imports ?? []) filesOf(manifest, each, seen);
  return seen;
}

function sum(files: Iterable<string>, ending: string): number {
  return [...files].filter((file) => file.endsWith(ending)).reduce((all, f) => all + sizeOf(f), 0);
}

interface Row {
  readonly what: string;
  readonly value: number;
  readonly budget: number;
  readonly unit: string;
}

function measureSizes(): readonly Row[] {
  const manifest = JSON.parse(readFileSync(`${dist}.vite/manifest.json`, 'utf8')) as Manifest;
  const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry === true) ?? '';
  const first = filesOf(manifest, entry);
  const trade = new Set([...first, ...filesOf(manifest, 'src/pages/trade.tsx')]);
  const own = (name: string): number =>
    sum(
      [...filesOf(manifest, name)].filter((file) => !first.has(file)),
      '.js',
    );
  const routes = Object.keys(manifest).filter((name) => name.startsWith('src/pages/'));
  const largest = routes.toSorted((a, b) => own(b) - own(a))[0] ?? '';
  const chart = Object.values(manifest).find(({ file }) => file.includes('lightweight-charts'));
  const all = new Set(Object.values(manifest).flatMap(({ file, css = [] }) => [file, ...css]));
  const row = (what: string, bytes: number, budget: number): Row => ({
    what,
    value: bytes / kilobyte,
    budget,
    unit: 'KB',
  });
  return [
    row('first load of /trade, JS', sum(trade, '.js'), 45),
    row('first load of /trade, CSS', sum(trade, '.css'), 12),
    row('chart chunk', chart === undefined ? 0 : sizeOf(chart.file), 65),
    row(`largest other route (${largest})`, own(largest), 25),
    row('all of it', sum(all, ''), 220),
  ];
}

const bookTopic = { channel: 'orderbook', symbol: 'BTCUSDT', market: 'spot' };

/** Every level of both sides anew. */
function bookOf(round: number): object {
  const side = (from: number, step: number) =>
    Array.from({ length: levels }, (_, index) => [
      (from + index * step).toFixed(2),
      (0.05 + ((index * 37 + round) % 97) / 50).toFixed(4),
    ]);
  return { asks: side(64_037.5, 4.35), bids: side(64_036, -3.9) };
}

async function taskSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
}

async function heapMegabytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / kilobyte ** 2;
}

interface Feed {
  readonly perSecond: number;
  readonly seconds: number;
}

/** Sends whole books and trades for a while. Answers milliseconds of main thread a second. */
async function measureFeed(
  { fake, session }: { readonly fake: FakeService; readonly session: CDPSession },
  { perSecond, seconds }: Feed,
): Promise<number> {
  const before = await taskSeconds(session);
  const startedAt = performance.now();
  for (let round = 0; round < perSecond * seconds; round += 1) {
    const ts = Date.now();
    fake.tell({ type: 'snapshot', ...bookTopic, seq: 100 + round, ts, data: bookOf(round) });
    const due = startedAt + ((round + 1) * 1000) / perSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
  }
  const spentMs = ((await taskSeconds(session)) - before) * 1000;
  return spentMs / ((performance.now() - startedAt) / 1000);
}

async function measurePaint(page: Page, url: string): Promise<readonly Row[]> {
  const startedAt = performance.now();
  await page.goto(`${url}/trade/BTCUSDT`);
  await page.locator('.ladder .asks [data-price]').nth(3).waitFor();
  const book = performance.now() - startedAt;
  const first = await page.evaluate<number>(
    'performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0',
  );
  const shift = await page.evaluate<number>(`new Promise((resolve) => {
    let total = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) total += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve(total), 500);
  })`);
  return [
    { what: 'first contentful paint, cold', value: first / 1000, budget: 0.8, unit: 's' },
    { what: 'book shown, cold', value: book / 1000, budget: 1.2, unit: 's' },
    { what: 'cumulative layout shift', value: shift, budget: 0.02, unit: '' },
  ];
}

async function run(words: readonly string[]): Promise<BenchmarkResult> {
  const options = { seconds: { type: 'string', default: '20' } } as const;
  const seconds = Number(parseArgs({ args: [...words], options }).values.seconds);
  const program = findBrowser();
  if (program === null) throw new Error('this benchmark needs Chromium: apt-get install chromium');
  const fake = await startFake();
  const browser = await launchBrowser(program);
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const rows: Row[] = [...measureSizes(), ...(await measurePaint(page, fake.url))];
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const parts = { fake, session };
    const slow = await measureFeed(parts, { perSecond: 10, seconds });
    const early = await heapMegabytes(session);
    const fast = await measureFeed(parts, { perSecond: 50, seconds });
    const late = await heapMegabytes(session);
    rows.push(
      { what: 'main thread at 10 books a second', value: slow, budget: 100, unit: 'ms/s' },
      { what: 'main thread at 50 books a second', value: fast, budget: 220, unit: 'ms/s' },
      { what: 'heap afterwards', value: late, budget: 15, unit: 'MB' },
      { what: 'growth of the heap', value: late - early, budget: 1, unit: 'MB' },
    );
    for (const { what, value, budget, unit } of rows) {
      const verdict = value <= budget ? 'within' : 'OVER';
      console.log(`${what}: ${value.toFixed(3)} ${unit}, ${verdict} the budget of ${budget}`);
    }
    return {
      name: 'console',
      ours: Number(slow.toFixed(1)),
      peer: 100,
      peer_name: 'the budget',
      unit: 'ms of main thread a second at 10 books a second',
    };
  } finally {
    await browser.close();
    await fake.close();
  }
}

export const benchmark: Benchmark = {
  name: 'console',
  summary: 'the console against its budgets: size, first paint, main thread and memory',
  run,
};
