import { setTimeout as pause } from 'node:timers/promises';
import { HttpConnection } from '../client/http-connection.ts';
import { assert } from '../domain/assert.ts';
import { type Decimal, parseDecimal } from '../domain/decimal.ts';
import { type DemoOptions, demoAddress } from '../domain/demo-accounts.ts';
import type { Address } from '../domain/identifiers.ts';
import { DemoAccount } from './demo-account.ts';
import { DemoMarket } from './demo-market.ts';
import { type DemoPorts } from './demo-ports.ts';
import type { DemoTrader } from './demo-trader.ts';
import { PerpetualTrader } from './perpetual-trader.ts';
import { SpotTrader } from './spot-trader.ts';

export interface Demo {
  /** Resolves once every market has its first quotes, or failed to get them. */
  readonly quoted: Promise<void>;
  /** Resolves once the demo's orders are canceled and all of its work has ended. */
  stop(): Promise<void>;
}

/** Enough for all quotes of one market together. */
const socketsMax = 16;
/** One step is about twenty commands, so five markets make about a hundred per second. */
const stepIntervalMs = 1000;
/** How often to check whether trading can begin. */
const readyIntervalMs = 100;
/** After a failed step, for example while the database does not respond. */
const failureWaitMs = 5000;

const startPrices = new Map<string, string>([
  ['BTCUSDT', '64000'],
  ['ETHUSDT', '3200'],
  ['DFUSDT', '0.75'],
]);

/** Starts demo traders in the listed development markets; development only. */
export function startDemo(
  ports: DemoPorts,
  options: DemoOptions,
  intervalMs = stepIntervalMs,
): Demo {
  const stopping = new AbortController();
  const connection = new HttpConnection(ports.url, socketsMax);
  const works = demoMarkets(ports, options, connection).map((market) => ({
    ports,
    intervalMs,
    ...market,
  }));
  const opened = works.map((work) => openMarket(stopping.signal, work));
  const loops = works.map(async (work, index) => {
    await opened[index];
    await tradeUntil(stopping.signal, work);
  });
  return {
    quoted: Promise.all(opened).then(() => undefined),
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
      connection.close();
    },
  };
}

interface MarketWork {
  readonly ports: DemoPorts;
  readonly demo: DemoMarket;
  readonly symbol: string;
  readonly intervalMs: number;
  readonly names: ReadonlyMap<DemoTrader, string>;
}

const makerRoles = { maker_1: 1, maker_2: 4 } as const;
const takerRoles = { taker_1: 2, taker_2: 3 } as const;

function demoMarkets(
  ports: DemoPorts,
  { isRanked }: DemoOptions,
  connection: HttpConnection,
): readonly Omit<MarketWork, 'ports' | 'intervalMs'>[] {
  const accountOf = (address: Address) => new DemoAccount(ports, address, connection.fetch);
  const spot = ports.exchange
    .peek((view) => view.listSpotMarkets())
    .map((market) => ({
      market,
      kind: 'spot' as const,
      open: (address: Address) => new SpotTrader(accountOf(address), market),
    }));
  const perpetuals = ports.exchange
    .peek((view) => view.futures.listFuturesMarkets())
    .map((market) => ({
      market,
      kind: 'futures' as const,
      open: (address: Address) => new PerpetualTrader(accountOf(address), market),
    }));
  return [...spot, ...perpetuals].flatMap(({ market, kind, open }) => {
    const { symbol, status, tickSize, tickLotAmount, marketId } = market;
    const start = startPrices.get(symbol);
    if (start === undefined || status !== 'listed') return [];
    const startPrice = Math.max(1, Number(requirePrice(start) / tickSize));
    const place = kind === 'spot' ? symbol : `${symbol}_perp`;
    const names = new Map<DemoTrader, string>();
    const openAll = (each: Readonly<Record<string, number>>): readonly DemoTrader[] =>
      Object.entries(each).map(([name, role]) => {
        const trader = open(demoAddress({ kind, marketId, role, isRanked }));
        names.set(trader, `${place}_${name}`);
        return trader;
      });
    const [makers, takers] = [openAll(makerRoles), openAll(takerRoles)];
    const { random } = ports;
    const demo = new DemoMarket({ makers, takers, tickLotAmount, startPrice, random });
    return [{ symbol, demo, names }];
  });
}

/** Places the first quotes; the usernames follow, as they need the database. */
async function openMarket(signal: AbortSignal, work: MarketWork): Promise<void> {
  const { ports, demo, intervalMs } = work;
  const askEveryMs = Math.min(intervalMs, readyIntervalMs);
  while (!signal.aborted && !(await ports.isReady())) await wait(askEveryMs, signal);
  if (!signal.aborted) await attempt(work, () => demo.open());
}

async function tradeUntil(signal: AbortSignal, work: MarketWork): Promise<void> {
  const { ports, demo, symbol, intervalMs, names } = work;
  if (!signal.aborted) await attempt(work, () => nameTraders(names));
  while (!signal.aborted) {
    const isDone = await attempt(work, () => demo.step());
    await wait(isDone ? intervalMs : failureWaitMs, signal);
  }
  await demo.close().catch((error: unknown) => {
    ports.log.warn({ err: error, symbol }, 'demo orders remain in the book');
  });
}

// A name that another account already has is left to it.
async function nameTraders(names: MarketWork['names']): Promise<void> {
  for (const [trader, name] of names) await trader.setUsername(name);
}

/** Whether it succeeded; a failure is logged. */
async function attempt({ ports, symbol }: MarketWork, step: () => Promise<void>): Promise<boolean> {
  try {
    await step();
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    ports.log.warn({ reason, symbol }, 'a step of the demo traders failed');
    return false;
  }
}

/** Waits for the duration or until the signal aborts. */
async function wait(waitMs: number, signal: AbortSignal): Promise<void> {
  await pause(waitMs, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

function requirePrice(text: string): Decimal {
  const price = parseDecimal(text);
  assert(price !== null, 'a start price is a decimal');
  return price;
}
