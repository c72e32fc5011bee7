import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Address } from '../../src/domain/identifiers.ts';
import { makeDownloadsJob } from '../../src/jobs/make-downloads.ts';
import { FapiService } from '../support/fapi-service.ts';

// History as files: order/asyn, trade/asyn and income/asyn, and where each file is.

interface Download {
  readonly downloadId: string;
  readonly status: string;
  readonly url: string;
  readonly expirationTimestamp: number;
}

const dayMs = 86_400_000;

let service: FapiService;
let symbol: string;
let maker: Address;
let trader: Address;
let span: { readonly startTime: number; readonly endTime: number };

beforeAll(async () => {
  service = await FapiService.open({ limits: { requestWeightPerMinute: 1_000_000 } });
  const { derivatives, spot } = service;
  symbol = await derivatives.nextMarket();
  await derivatives.setIndex(symbol, '100');
  derivatives.advanceTime();
  maker = await derivatives.nextTrader();
  trader = await derivatives.nextTrader('10000');
  derivatives.place(maker, { symbol, side: 'sell', price: 100, quantity: 10 });
  derivatives.place(trader, { symbol, side: 'buy', quantity: 10, clientOrderId: 'buy-1' });
  derivatives.place(maker, { symbol, side: 'buy', price: 103, quantity: 10 });
  derivatives.place(trader, { symbol, side: 'sell', quantity: 4 });
  const { time } = spot.exchange;
  span = { startTime: time - dayMs, endTime: time + dayMs };
});
afterAll(() => service.close());

function run(signal = new AbortController().signal): Promise<void> {
  const { exchange, services } = service.spot;
  return makeDownloadsJob({ exchange, ...services }).run({ isFirst: false, signal });
}

async function request(kind: string, as: Address, fields = span): Promise<string> {
  const path = `/v1/${kind}/asyn`;
  const asked = await service.done<{ downloadId: string }>('GET', path, as, fields);
  expect(asked).toEqual({
    avgCostTimestampOfLast30d: expect.any(Number) as number,
    downloadId: expect.stringMatching(/^[1-9][0-9]*$/) as string,
  });
  return asked.downloadId;
}

const find = (kind: string, as: Address, downloadId: string): Promise<Download> =>
  service.done<Download>('GET', `/v1/${kind}/asyn/id`, as, { downloadId });

async function download(kind: string, as: Address): Promise<readonly (readonly string[])[]> {
  const id = await request(kind, as);
  expect(await find(kind, as, id)).toEqual({
    downloadId: id,
    status: 'processing',
    url: '',
    s3Link: null,
    notified: false,
    expirationTimestamp: -1,
    isExpired: null,
  });
  await run();
  const { status, url, expirationTimestamp } = await find(kind, as, id);
  expect(status).toBe('completed');
  expect(expirationTimestamp).toBeGreaterThan(Date.now() + 6 * dayMs);
  const reply = await open(url);
  expect(reply.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': expect.stringContaining(`futures-${kind}-history-`) as string,
  });
  return reply.text
    .trimEnd()
    .split('\n')
    .map((line: string) => line.split(','));
}

async function open(url: string) {
  const { pathname } = new URL(url);
  return service.spot.call({ path: pathname });
}

const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) as string;
const number = expect.stringMatching(/^\d+$/) as string;

test('trade/asyn: a file of the caller’s own trades', async () => {
  const [header, ...rows] = await download('trade', trader);
  expect(header?.join(',')).toBe(
    'Uid,Time,Symbol,Side,Price,Quantity,Amount,Fee,Realized Profit,Buyer,Maker,Trade ID,Order ID',
  );
  expect(rows).toEqual([
    [
      number,
      time,
      symbol,
      'BUY',
      '100',
      '10',
      '1000',
      '0.5 USDT',
      '0',
      'true',
      'false',
      '1',
      number,
    ],
    [
      number,
      time,
      symbol,
      'SELL',
      '103',
      '4',
      '412',
      '0.206 USDT',
      '12',
      'false',
      'false',
      '2',
      number,
    ],
  ]);
});

test('order/asyn: a file of the caller’s own orders', async () => {
  const [header, ...rows] = await download('order', trader);
  expect(header?.join(',')).toBe(
    'Uid,Time(UTC),Symbol,Type,Side,Position Side,Price,Average Price,Amount,Executed Amount,' +
      'Executed Quote Amount,Stop Price,Status,Client Order Id,Time In Force,Activate Price,' +
      'Price Rate,Update Time,Order No',
  );
  const column = (name: string) => rows.map((row) => row[header!.indexOf(name)]);
  expect(column('Client Order Id')).toContain('buy-1');
  expect(column('Side')).toEqual(['BUY', 'SELL']);
  expect(column('Status')).toEqual(['FILLED', 'FILLED']);
  expect(column('Average Price')).toEqual(['100', '103']);
  expect(column('Executed Amount')).toEqual(['10', '4']);
  expect(column('Executed Quote Amount')).toEqual(['1000', '412']);
});

test('income/asyn: a file of fees, profits and transfers', async () => {
  const [header, ...rows] = await download('income', trader);
  expect(header?.join(',')).toBe('Date(UTC),type,Amount,Asset,Symbol,Transaction ID');
  expect(rows.map(([createdAt]) => createdAt)).toEqual(rows.map(() => time));
  const told = rows.map(([, type, amount, asset, market]) => [type, amount, asset, market]);
  expect(told).toEqual(
    expect.arrayContaining([
      ['COMMISSION', '-0.5', 'USDT', symbol],
      ['COMMISSION', '-0.206', 'USDT', symbol],
      ['REALIZED_PNL', '12', 'USDT', symbol],
    ]),
  );
});

test('downloads: a file belongs to its account and kind, and its URL cannot be guessed', async () => {
  const id = await request('trade', trader);
  await run();
  const denied = { status: 400, body: { code: -1100 } };
  const ask = (kind: string, as: Address, downloadId: string) =>
    service.call('GET', `/v1/${kind}/asyn/id`, as, { downloadId });
  expect(await ask('trade', maker, id)).toMatchObject(denied);
  expect(await ask('order', trader, id)).toMatchObject(denied);
  for (const other of ['0', '-1', 'x', '9'.repeat(30), '999999']) {
    expect(await ask('trade', trader, other)).toMatchObject(denied);
  }
  const { url } = await find('trade', trader, id);
  expect(url).toMatch(/^https:\/\/here\.example\/api\/v1\/downloads\/[0-9a-f]{64}$/);
  const guess = url.slice(0, -1) + (url.endsWith('0') ? '1' : '0');
  expect(await open(guess)).toMatchObject({ status: 404 });
});

test('downloads: an interrupted run leaves no file, and the next one creates it', async () => {
  const id = await request('order', maker);
  const stopped = new AbortController();
  const { exchange, services } = service.spot;
  const futuresHistory = Object.create(services.futuresHistory) as typeof services.futuresHistory;
  futuresHistory.listOrders = async (filter) => {
    stopped.abort(new Error('the process ends'));
    const { items } = await services.futuresHistory.listOrders(filter);
    // A whole page, so that another one would follow.
    return { items: Array.from({ length: 1_000 }, () => items[0]!), nextCursor: null };
  };
  const job = makeDownloadsJob({ exchange, ...services, futuresHistory });
  await expect(job.run({ isFirst: false, signal: stopped.signal })).rejects.toThrow('process ends');
  expect(await find('order', maker, id)).toMatchObject({ status: 'processing', url: '' });
  await run();
  const { url } = await find('order', maker, id);
  expect((await open(url)).text.trimEnd().split('\n')).toHaveLength(3);
});

test('downloads: an existing file is not changed', async () => {
  const id = await request('income', maker);
  await run();
  const { url } = await find('income', maker, id);
  const before = await open(url);
  await service.spot.services.downloads.complete(id, 'another one');
  expect((await open(url)).text).toBe(before.text);
});

test('downloads: both times are needed, at most 366 days apart', async () => {
  const { startTime, endTime } = span;
  const ask = (fields: Record<string, number>) =>
    service.call('GET', '/v1/trade/asyn', trader, fields);
  expect(await ask({ endTime })).toMatchObject({ status: 400, body: { code: -1102 } });
  expect(await ask({ startTime })).toMatchObject({ status: 400, body: { code: -1102 } });
  expect(await ask({ startTime, endTime: startTime - 1 })).toMatchObject({ body: { code: -1100 } });
  const late = startTime + 366 * dayMs + 1;
  expect(await ask({ startTime, endTime: late })).toMatchObject({ body: { code: -1100 } });
});

test('downloads: an account has at most ten at a time', async () => {
  const other = await service.derivatives.nextTrader();
  for (let count = 0; count < 10; count += 1) await request('trade', other);
  expect(await service.call('GET', '/v1/trade/asyn', other, span)).toMatchObject({
    status: 429,
    body: { code: -1003 },
  });
  await run();
});
