import { setTimeout as pause } from 'node:timers/promises';
import type { AdminWritePorts } from '../application/admin/admin-write.ts';
import type { CancelAllPorts } from '../application/trading/cancel-all-spot-orders.ts';
import { assert } from '../domain/assert.ts';
import { type Decimal, parseDecimal } from '../domain/decimal.ts';
import { DemoMarket, ticksNear } from './demo-market.ts';

export interface DemoPorts extends CancelAllPorts, AdminWritePorts {
  /** From 0 up to but not including 1. */
  readonly random: () => number;
}

export interface Demo {
  /** Resolves once the demo's orders are canceled and nothing of it runs any more. */
  stop(): Promise<void>;
}

/** One step is some twenty commands, so three markets make about sixty a second. */
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
  const markets = ports.exchange.peek((view) => view.listSpotMarkets());
  const loops = markets.flatMap((market) => {
    const startPrice = startPrices.get(market.symbol);
    if (startPrice === undefined || market.status !== 'listed') return [];
    const demo = new DemoMarket(ports, market, ticksNear(market, requirePrice(startPrice)));
    return [tradeUntil(stopping.signal, { ports, demo, symbol: market.symbol, intervalMs })];
  });
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
    },
  };
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
  while (!signal.aborted && !(await ports.database.isReachable())) await wait(intervalMs, signal);
  while (!signal.aborted) {
    let waitMs = intervalMs;
    try {
      await demo.step();
    } catch (error) {
      ports.log.warn({ err: error, symbol }, 'a step of the demo traders failed');
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
