import { parseArgs } from 'node:util';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { findBrowser, launchBrowser } from '../../test/support/browser.ts';
import { type FakeService, startFake } from '../../test/support/console-fake.ts';
import { sessionScript } from '../../test/support/console-fake-pages.ts';
import { type Figure, measureSizes } from '../../test/support/console-sizes.ts';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';

// The console against its budgets: what it weighs compressed, when a cold page shows its first
// content and its book, what a busy market costs the main thread, and whether memory grows.

const levels = 30;
const minuteMs = 60_000;

const bookTopic = { channel: 'orderbook', symbol: 'BTCUSDT', market: 'spot' };

/** Every level of both sides again. */
function bookOf(round: number): object {
  const side = (from: number, step: number) =>
    Array.from({ length: levels }, (_, index) => [
      (from + index * step).toFixed(2),
      (0.05 + ((index * 37 + round) % 97) / 50).toFixed(4),
    ]);
  return { asks: side(64_037.5, 4.35), bids: side(64_036, -3.9) };
}

const spotTopic = { symbol: 'BTCUSDT', market: 'spot', type: 'update' };

function tradeOf(round: number, ts: number): object {
  const trade = {
    trade_id: `r${ts}-${round}`,
    price: (64_036 + (round % 9)).toFixed(2),
    quantity: '0.0125',
    side: round % 3 === 0 ? 'sell' : 'buy',
    created_at: ts,
  };
  return { ...spotTopic, channel: 'trades', seq: 100 + round, ts, data: [trade] };
}

function candleOf(round: number, ts: number): object {
  const price = 64_036 + (round % 37);
  const data = {
    open_time: Math.floor(ts / minuteMs) * minuteMs,
    open: '64036',
    high: String(Math.max(64_036, price) + 12),
    low: '64020',
    close: String(price),
    volume: '1.5',
  };
  return { ...spotTopic, channel: 'kline', interval: '1m', seq: 100 + round, ts, data };
}

async function taskSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
}

async function heapMegabytes(session: CDPSession): Promise<number> {
  // Elements that are gone are freed by the collection after the one of their script objects.
  for (let round = 0; round < 3; round += 1) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1024 ** 2;
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
    if (round % 2 === 0) fake.tell(tradeOf(round, ts));
    if (round % Math.ceil(perSecond / 4) === 0) fake.tell(candleOf(round, ts));
    const due = startedAt + ((round + 1) * 1000) / perSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
  }
  const spentMs = ((await taskSeconds(session)) - before) * 1000;
  return spentMs / ((performance.now() - startedAt) / 1000);
}

/** Rising and falling by turns, so that both ways of drawing are used. */
function klines(): object {
  const last = Math.floor(Date.now() / minuteMs) * minuteMs;
  const items = Array.from({ length: 500 }, (_, index) => {
    const open = 64_000 + ((index * 37) % 211);
    const close = open + (index % 2 === 0 ? 23 : -17);
    return {
      open_time: new Date(last - (499 - index) * minuteMs).toISOString(),
      open: String(open),
      high: String(Math.max(open, close) + 9),
      low: String(Math.min(open, close) - 8),
      close: String(close),
      volume: '1.5',
    };
  });
  return { items };
}

// A canvas of the chart holds the colour of falling candles.
const areCandlesDrawn = `(() => {
  const style = getComputedStyle(document.documentElement);
  const hex = style.getPropertyValue('--down').trim();
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  return [...document.querySelectorAll('.chart canvas')].some((canvas) => {
    if (canvas.width === 0 || canvas.height === 0) return false;
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    for (let at = 0; at < data.length; at += 4)
      if (data[at] === r && data[at + 1] === g && data[at + 2] === b) return true;
    return false;
  });
})()`;

const layoutShift = `new Promise((resolve) => {
  let total = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) total += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(total), 500);
})`;

// The page's policy forbids what Playwright's own waiting for a function uses.
async function untilTrue(page: Page, expression: string): Promise<void> {
  while (!(await page.evaluate<boolean>(expression))) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A cold page, until its book and its candles are there. */
async function measurePaint(browser: Browser, url: string): Promise<readonly Figure[]> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const startedAt = performance.now();
  const since = async (wait: Promise<unknown>): Promise<number> => {
    await wait;
    return (performance.now() - startedAt) / 1000;
  };
  await page.goto(`${url}/trade/BTCUSDT`, { waitUntil: 'commit' });
  const [book, candles] = await Promise.all([
    since(page.locator('.ladder .asks [data-price]').nth(3).waitFor()),
    since(untilTrue(page, areCandlesDrawn)),
  ]);
  const first = await page.evaluate<number>(
    'performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0',
  );
  await context.close();
  return [
    { what: 'first contentful paint, cold', value: first / 1000, budget: 0.8, unit: 's' },
    { what: 'book shown, cold', value: book, budget: 1.2, unit: 's' },
    { what: 'candles shown, cold', value: candles, budget: 2, unit: 's' },
  ];
}

/** The trading page signed out, and signed in with a withdrawal that waits, after a reload. */
async function measureShift(
  browser: Browser,
  url: string,
  width: number,
): Promise<readonly Figure[]> {
  const rows: Figure[] = [];
  for (const isSignedIn of [false, true]) {
    const context = await browser.newContext({ viewport: { width, height: 900 } });
    if (isSignedIn) await context.addInitScript(sessionScript());
    const page = await context.newPage();
    const load = async (): Promise<void> => {
      await page.locator('.ladder .asks [data-price]').nth(3).waitFor({ state: 'attached' });
      if (isSignedIn) await page.getByText(/are signed and waiting/).waitFor();
    };
    await page.goto(`${url}/trade/BTCUSDT`);
    await load();
    await page.reload();
    await load();
    const value = await page.evaluate<number>(layoutShift);
    const who = isSignedIn ? 'signed in' : 'signed out';
    rows.push({ what: `layout shift at ${width}, ${who}`, value, budget: 0.02, unit: '' });
    await context.close();
  }
  return rows;
}

const otherPages = ['/', '/futures/BTCUSDT', '/wallet', '/referral', '/points', '/keys', '/status'];

/** Every other page signed in, after a reload: the one that moves most. */
async function measureOtherShifts(browser: Browser, url: string, width: number): Promise<Figure> {
  const context = await browser.newContext({ viewport: { width, height: 900 } });
  await context.addInitScript(sessionScript());
  let most = { path: '', value: -1 };
  for (const path of otherPages) {
    const page = await context.newPage();
    await page.goto(url + path, { waitUntil: 'networkidle' });
    await page.reload({ waitUntil: 'networkidle' });
    const value = await page.evaluate<number>(layoutShift);
    if (value > most.value) most = { path, value };
    await page.close();
  }
  await context.close();
  const what = `layout shift at ${width}, most of the other pages (${most.path})`;
  return { what, value: most.value, budget: 0.02, unit: '' };
}

async function nodesOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'Nodes')?.value ?? 0;
}

/** The messages of some minutes of a market as busy as the demonstration's, `pace` times as fast. */
async function measureMemory(
  parts: { readonly fake: FakeService; readonly session: CDPSession },
  { minutes, pace }: { readonly minutes: number; readonly pace: number },
): Promise<readonly Figure[]> {
  const { session } = parts;
  const sizes: number[] = [];
  const nodes: number[] = [];
  for (let minute = 0; minute < minutes; minute += 1) {
    await measureFeed(parts, { perSecond: 5 * pace, seconds: 60 / pace });
    sizes.push(await heapMegabytes(session));
    nodes.push(await nodesOf(session));
  }
  const [last = 0, second = 0] = [sizes.at(-1), sizes[1]];
  const more = (nodes.at(-1) ?? 0) - (nodes[1] ?? 0);
  return [
    { what: `heap after ${minutes} minutes`, value: last, budget: 15, unit: 'MB' },
    { what: 'growth of it from minute 2', value: last - second, budget: 1, unit: 'MB' },
    { what: 'nodes more than at minute 2', value: more, budget: 0, unit: '' },
  ];
}

interface Lengths {
  readonly seconds: number;
  readonly minutes: number;
  readonly pace: number;
}

/** Shows the trading page and gives it feeds. */
async function measureFeeds(
  page: Page,
  fake: FakeService,
  { seconds, minutes, pace }: Lengths,
): Promise<readonly Figure[]> {
  await page.goto(`${fake.url}/trade/BTCUSDT`);
  await page.locator('.ladder .asks [data-price]').nth(3).waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const parts = { fake, session };
  const slow = await measureFeed(parts, { perSecond: 10, seconds });
  const fast = await measureFeed(parts, { perSecond: 50, seconds });
  return [
    { what: slowFeed, value: slow, budget: 100, unit: 'ms/s' },
    { what: 'main thread at 50 books a second', value: fast, budget: 220, unit: 'ms/s' },
    ...(await measureMemory(parts, { minutes, pace })),
  ];
}

const slowFeed = 'main thread at 10 books a second';

async function run(words: readonly string[]): Promise<BenchmarkResult> {
  const options = {
    seconds: { type: 'string', default: '10' },
    minutes: { type: 'string', default: '5' },
    pace: { type: 'string', default: '5' },
  } as const;
  const { values } = parseArgs({ args: [...words], options });
  const program = findBrowser();
  if (program === null) throw new Error('this benchmark needs Chromium: apt-get install chromium');
  const fake = await startFake();
  fake.answers.set('GET /api/v1/spot/klines', { status: 200, body: klines() });
  const browser = await launchBrowser(program);
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const lengths = {
      seconds: Number(values.seconds),
      minutes: Number(values.minutes),
      pace: Number(values.pace),
    };
    const rows: readonly Figure[] = [
      ...measureSizes(),
      ...(await measurePaint(browser, fake.url)),
      ...(await measureShift(browser, fake.url, 1440)),
      ...(await measureShift(browser, fake.url, 360)),
      await measureOtherShifts(browser, fake.url, 1440),
      await measureOtherShifts(browser, fake.url, 360),
      ...(await measureFeeds(page, fake, lengths)),
    ];
    for (const { what, value, budget, unit } of rows) {
      const verdict = value <= budget ? 'within' : 'OVER';
      console.log(`${what}: ${value.toFixed(3)} ${unit}, ${verdict} the budget of ${budget}`);
    }
    const slow = rows.find(({ what }) => what === slowFeed)?.value ?? 0;
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
