import { setTimeout as pause } from 'node:timers/promises';
import type { AdminWritePorts } from '../application/admin/admin-write.ts';
import type { CancelAllPorts } from '../application/trading/cancel-all-spot-orders.ts';
import { assert } from '../domain/assert.ts';
import { type Decimal, parseDecimal } from '../domain/decimal.ts';
import { demoAddress } from '../domain/demo-accounts.ts';
import { DemoMarket } from './demo-market.ts';
import { PerpetualTrader } from './perpetual-trader.ts';
import { SpotTrader } from './spot-trader.ts';

export interface DemoPorts extends CancelAllPorts, AdminWritePorts {
  /** Whether the exchange takes orders and its database has caught up. */
  readonly isReady: () => Promise<boolean>;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
}

export interface Demo {
  /** Resolves once the demo's orders are canceled and nothing of it runs any more. */
  stop(): Promise<void>;
}

/** One step is some twenty commands, so five markets make about a hundred a second. */
const stepIntervalMs = 1000;
/** After a failed step, for example while the database does not answer. */
const failureWaitMs = 5000;

const startPrices = new Map<string, string>([
  ['BTCUSDT', '64000'],
  ['ETHUSDT', '3200'],
  ['DFUSDT', '0.75'],
]);

/** Starts demo traders in the development markets that are listed; development only. */
export function startDemo(ports: DemoPorts, intervalMs = stepIntervalMs): Demo {
  const stopping = new AbortController();
  const loops = demoMarkets(ports).map(({ symbol, demo }) =>
    tradeUntil(stopping.signal, { ports, demo, symbol, intervalMs }),
  );
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

function demoMarkets(ports: DemoPorts): { readonly symbol: string; readonly demo: DemoMarket }[] {
  const spot = ports.exchange
    .peek((view) => view.listSpotMarkets())
    .map((market) => ({
      market,
      open: (role: number) =>
        new SpotTrader(ports, demoAddress('spot', market.marketId, role), market),
    }));
  const perpetuals = ports.exchange.peek((view) => view.futures.listFuturesMarkets());
  const futures = perpetuals.map((market) => ({
    market,
    open: (role: number) =>
      new PerpetualTrader(ports, demoAddress('futures', market.marketId, role), market),
  }));
  return [...spot, ...futures].flatMap(({ market, open }) => {
    const { symbol, status, tickSize, tickLotAmount } = market;
    const start = startPrices.get(symbol);
    if (start === undefined || status !== 'listed') return [];
    const startPrice = Math.max(1, Number(requirePrice(start) / tickSize));
    const [maker, takers] = [open(1), [open(2), open(3)]];
    const { random } = ports;
    return [{ symbol, demo: new DemoMarket({ maker, takers, tickLotAmount, startPrice, random }) }];
  });
}

async function tradeUntil(
  signal: AbortSignal,
  work: {
    readonly ports: DemoPorts;
    readonly demo: DemoMarket;
    readonly symbol: string;
    readonly intervalMs: number;
  },
): Promise<void> {
  const { ports, demo, symbol, intervalMs } = work;
  while (!signal.aborted && !(await ports.isReady())) await wait(intervalMs, signal);
  while (!signal.aborted) {
    let waitMs = intervalMs;
    try {
      await demo.step();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      ports.log.warn({ reason, symbol }, 'a step of the demo traders failed');
      waitMs = failureWaitMs;
    }
    await wait(waitMs, signal);
  }
  await demo.close().catch((error: unknown) => {
    ports.log.warn({ err: error, symbol }, 'demo orders were left in the book');
  });
}

/** Waits, or until the signal. */
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
