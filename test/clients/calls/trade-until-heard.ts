import { expect } from 'vitest';
import type { CcxtClient } from '../../support/ccxt-client.ts';
import type { ClientCalls } from './client-calls.ts';

/** How many events a stream client has to have taken. */
const eventsMin = 100;

export interface Traders {
  readonly symbol: string;
  readonly maker: CcxtClient;
  readonly taker: CcxtClient;
}

/** Trades until each of the names has been heard, and a hundred events in all. */
export async function tradeUntilHeard(
  calls: ClientCalls,
  names: readonly string[],
  { symbol, maker, taker }: Traders,
): Promise<void> {
  await expect
    .poll(
      async () => {
        await maker.createOrder(symbol, 'limit', 'sell', 0.001, 50_000);
        await taker.createOrder(symbol, 'market', 'buy', 0.001);
        await maker.createOrder(symbol, 'limit', 'buy', 0.001, 49_990);
        await taker.createOrder(symbol, 'market', 'sell', 0.001);
        const heard = calls.methodsThat('works');
        return calls.count >= eventsMin ? names.filter((name) => !heard.includes(name)) : names;
      },
      { interval: 50, timeout: 120_000 },
    )
    .toEqual([]);
  expect(calls.count).toBeGreaterThanOrEqual(eventsMin);
}
