import { randomUUID } from 'node:crypto';
import { HttpClient } from '@openbourse/client';
import { afterEach, expect, test, vi } from 'vitest';
import { ManualExchange } from '../../test/support/manual-exchange.ts';
import { createTestServer, type TestServer } from '../../test/support/test-server.ts';
import { seedDevelopmentMarkets } from '../application/admin/seed-development-markets.ts';
import { seedFuturesMarkets } from '../application/futures/seed-futures-markets.ts';
import type { Command, EngineEvent } from '../application/ports/exchange.ts';
import { demoAddress, demoAddresses } from '../domain/demo-accounts.ts';
import type { Address } from '../domain/identifiers.ts';
import { spotSurface } from '../gateway/errors/plain-errors.ts';
import { derivativeRoutes } from '../gateway/http/derivatives/routes.ts';
import { requestTransfer } from '../gateway/http/wallet/transfer.ts';
import { type DemoPorts } from './demo-ports.ts';
import { type Demo, startDemo } from './start-demo.ts';

let demo: Demo | null = null;
let server: TestServer | null = null;
let warnings: string[] = [];
afterEach(async () => {
  await demo?.stop();
  demo = null;
  await server?.close();
  server = null;
  warnings = [];
});

const unranked = { isRanked: false };

/** The gateway over HTTP with what the demo calls, and the ports of a demo that trades there. */
async function startServer(): Promise<{ exchange: ManualExchange; ports: DemoPorts }> {
  const barrier = { waitFor: async () => undefined };
  const started = await createTestServer({
    logLevel: 'silent',
    extraRoutes: (exchange) => {
      // The demo reads no history.
      const newClientOrderId = (): string => randomUUID();
      const ports = { exchange, barrier, newClientOrderId, now: Date.now } as never;
      return [
        derivativeRoutes(ports),
        { surface: spotSurface, endpoints: [requestTransfer(ports)] },
      ];
    },
  });
  server = started;
  const { exchange, tokens } = started;
  await seedDevelopmentMarkets(exchange);
  await seedFuturesMarkets(exchange, 'book');
  exchange.addMarket('OTHERUSDT');
  let seed = 1;
  const ports: DemoPorts = {
    exchange,
    url: await started.app.listen({ host: '127.0.0.1', port: 0 }),
    issueToken: (address) => tokens.issue(address),
    barrier,
    database: { isReachable: async () => true },
    isReady: async () => true,
    log: {
      warn: (details, message) => void warnings.push(`${message}: ${JSON.stringify(details)}`),
    },
    random: () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    },
  };
  return { exchange, ports };
}

test('startDemo: every development market has quotes on both sides, and trades', async () => {
  const { exchange, ports } = await startServer();
  const events: EngineEvent[] = [];
  exchange.subscribe((batch) => events.push(...batch.flatMap((applied) => applied.events)));
  demo = startDemo(ports, unranked, 1);
  const traded = (): Set<number> =>
    new Set(
      events.flatMap((event) =>
        event.type === 'spotTradeExecuted' ? [event.trade.marketId as number] : [],
      ),
    );
  await vi.waitFor(() => expect([...traded()].sort()).toEqual([0, 1, 2]));
  await vi.waitFor(() => {
    for (const market of exchange.engine.listSpotMarkets().slice(0, 3)) {
      const depth = exchange.engine.getDepth(market.marketId, 20);
      expect(depth.bids.length).toBeGreaterThanOrEqual(6);
      expect(depth.asks.length).toBeGreaterThanOrEqual(6);
    }
  });
  const other = exchange.engine.findSpotMarket('OTHERUSDT');
  expect(other).not.toBeNull();
  expect(traded().has(other?.marketId ?? -1)).toBe(false);
  expect(warnings).toEqual([]);
});

test('startDemo: the perpetuals have quotes on both sides, and are traded', async () => {
  const { exchange, ports } = await startServer();
  const events: EngineEvent[] = [];
  exchange.subscribe((batch) => events.push(...batch.flatMap((applied) => applied.events)));
  demo = startDemo(ports, unranked, 1);
  const { futures } = exchange.engine;
  await vi.waitFor(() => {
    for (const { marketId, symbol } of futures.listFuturesMarkets()) {
      const depth = futures.getFuturesDepth(marketId, 20);
      expect(depth.bids.length, symbol).toBeGreaterThanOrEqual(6);
      expect(depth.asks.length, symbol).toBeGreaterThanOrEqual(6);
      expect(futures.getOpenInterest(marketId), symbol).toBeGreaterThan(0);
    }
  });
  expect(events.some(({ type }) => type === 'futuresTradeExecuted')).toBe(true);
  expect(warnings).toEqual([]);
});

test('startDemo: stopping leaves no order in any book', async () => {
  const { exchange, ports } = await startServer();
  demo = startDemo(ports, unranked, 1);
  await vi.waitFor(() => expect(exchange.durableSequence).toBeGreaterThan(100));
  await demo.stop();
  const stoppedAt = exchange.durableSequence;
  for (const market of exchange.engine.listSpotMarkets()) {
    const { bids, asks } = exchange.engine.getDepth(market.marketId, 10);
    expect({ bids, asks }).toEqual({ bids: [], asks: [] });
  }
  for (const { marketId } of exchange.engine.futures.listFuturesMarkets()) {
    const { bids, asks } = exchange.engine.futures.getFuturesDepth(marketId, 10);
    expect({ bids, asks }).toEqual({ bids: [], asks: [] });
  }
  expect(exchange.durableSequence).toBe(stoppedAt);
});

test('startDemo: a failed step is logged and does not end the demo', async () => {
  const { ports } = await startServer();
  demo = startDemo({ ...ports, database: { isReachable: async () => false } }, unranked, 1);
  await vi.waitFor(() => expect(warnings.length).toBeGreaterThanOrEqual(3));
});

test('startDemo: nothing happens before the exchange is ready', async () => {
  const { exchange, ports } = await startServer();
  const before = exchange.durableSequence;
  let isUp = false;
  let questions = 0;
  const isReady = async () => {
    questions += 1;
    return isUp;
  };
  demo = startDemo({ ...ports, isReady }, unranked, 1);
  await vi.waitFor(() => expect(questions).toBeGreaterThan(10));
  expect(exchange.durableSequence).toBe(before);
  isUp = true;
  await vi.waitFor(() => expect(exchange.durableSequence).toBeGreaterThan(before));
  expect(warnings).toEqual([]);
});

test('seedDevelopmentMarkets: an exchange that has a market is left as it is', async () => {
  const exchange = new ManualExchange();
  expect(await seedDevelopmentMarkets(exchange)).toEqual(['BTCUSDT', 'ETHUSDT', 'DFUSDT']);
  expect(await seedDevelopmentMarkets(exchange)).toEqual([]);
  expect(exchange.engine.listSpotMarkets()).toHaveLength(3);
});

test('startDemo: a quoted book never loses all its quotes while they are renewed', async () => {
  const { exchange, ports } = await startServer();
  demo = startDemo(ports, unranked, 1);
  await demo.quoted;
  const worth = { smallest: Number.POSITIVE_INFINITY, looks: 0 };
  const { engine } = exchange;
  exchange.subscribe(() => {
    for (const { marketId } of engine.listSpotMarkets().slice(0, 3)) {
      const { bids, asks } = engine.getDepth(marketId, 20);
      worth.smallest = Math.min(worth.smallest, bids.length, asks.length);
    }
    worth.looks += 1;
  });
  await vi.waitFor(() => expect(worth.looks).toBeGreaterThan(1_000));
  expect(worth.smallest).toBeGreaterThanOrEqual(4);
});

test('startDemo: its traders have names', async () => {
  const { ports } = await startServer();
  demo = startDemo(ports, unranked, 1);
  const nameOf = async (symbol: string, role: number): Promise<unknown> => {
    const markets = ports.exchange.peek((view) => view.listSpotMarkets());
    const marketId = markets.find((market) => market.symbol === symbol)?.marketId ?? -1;
    const address = demoAddress({ kind: 'spot', marketId, role, isRanked: false });
    const { token } = await ports.issueToken(address);
    const client = new HttpClient({ url: ports.url, token: () => token });
    return (await client.call('GET /api/v1/account/profile')).username;
  };
  await vi.waitFor(async () => expect(await nameOf('BTCUSDT', 1)).toBe('BTCUSDT_maker_1'));
  await vi.waitFor(async () => expect(await nameOf('BTCUSDT', 4)).toBe('BTCUSDT_maker_2'));
  await vi.waitFor(async () => expect(await nameOf('DFUSDT', 3)).toBe('DFUSDT_taker_2'));
});

test('startDemo: every order arrives over HTTP; only test money is credited in the process', async () => {
  const { exchange, ports } = await startServer();
  const submitted = new Set<Command['type']>();
  const inProcess = new Proxy(exchange, {
    get: (target, name) => {
      if (name === 'submit') {
        return (command: Command) => {
          submitted.add(command.type);
          return target.submit(command);
        };
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  const kinds = new Set<string>();
  exchange.subscribe((batch) => {
    for (const { events } of batch) for (const { type } of events) kinds.add(type);
  });
  demo = startDemo({ ...ports, exchange: inProcess }, unranked, 1);
  await vi.waitFor(() => {
    expect(kinds).toContain('spotTradeExecuted');
    expect(kinds).toContain('futuresTradeExecuted');
    expect(kinds).toContain('fundsTransferred');
  });
  await demo.stop();
  expect([...submitted]).toEqual(['creditBalance']);
  expect(warnings).toEqual([]);
});

test('startDemo: a token that expires is replaced', async () => {
  const { ports } = await startServer();
  const issued = new Map<Address, number>();
  const issueToken: DemoPorts['issueToken'] = async (address) => {
    issued.set(address, (issued.get(address) ?? 0) + 1);
    return { ...(await ports.issueToken(address)), expiresAt: new Date() };
  };
  demo = startDemo({ ...ports, issueToken }, unranked, 1);
  const maker = demoAddress({ kind: 'futures', marketId: 0, role: 1, isRanked: false });
  await vi.waitFor(() => expect(issued.get(maker)).toBeGreaterThan(20));
  expect(warnings).toEqual([]);
});

test('demoAddress: ranked traders have addresses that leaderboards show', () => {
  const account = { kind: 'futures', marketId: 3, role: 2 } as const;
  const isUnranked = (address: Address): boolean =>
    address >= demoAddresses.first && address <= demoAddresses.last;
  expect(isUnranked(demoAddress({ ...account, isRanked: false }))).toBe(true);
  expect(isUnranked(demoAddress({ ...account, isRanked: true }))).toBe(false);
});
