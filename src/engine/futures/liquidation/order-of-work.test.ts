import { expect, it } from 'vitest';
import { btcTerms, FuturesFixture } from '../../../../test/support/futures-fixture.ts';
import { toAmount } from '../../../domain/amount.ts';
import type { FuturesMarketId } from '../../../domain/futures-market.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import type { EngineEvent } from '../../events.ts';

// "Close-outs in their final stage go before those in the book stage, these before triggers,
// triggers before funding income."

const hourMs = 3_600_000;
/** More than one command deleverages. */
const shorts = 320;
/** The most triggers that one command fires. */
const triggersMax = 64;
const ethMarketId = 1 as FuturesMarketId;

function stepsOf(events: readonly EngineEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === 'liquidationProgressed'
      ? [`${event.accountId} ${event.stage} ${event.step}`]
      : [],
  );
}

/** Closing steps, triggered orders and funding paid, in their order. */
function kindsOf(events: readonly EngineEvent[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.type === 'fundingPaid') return ['funding'];
    if (event.type === 'liquidationProgressed') return [event.step];
    return event.type === 'futuresOrderUpdated' && event.cause === 'triggered' ? ['triggered'] : [];
  });
}

function fundAll<const T extends readonly number[]>(
  futures: FuturesFixture,
  usdt: T,
): { readonly [K in keyof T]: AccountId } {
  const accounts = usdt.map((each, at) => futures.fund(1 + at, each));
  return accounts as unknown as { readonly [K in keyof T]: AccountId };
}

function setEth(futures: FuturesFixture, price: number): readonly EngineEvent[] {
  const amount = toAmount(BigInt(price) * 10n ** 8n);
  return futures.done({ type: 'setIndexPrice', symbol: 'ETHUSDT', price: amount });
}

it('a slice of the book stage that is due waits for a final stage in progress', () => {
  const futures = new FuturesFixture();
  futures.done({
    type: 'createFuturesMarket',
    terms: { ...btcTerms, symbol: 'ETHUSDT', baseAsset: 'ETH' },
  });
  const [alice, bob, carol, dan] = fundAll(futures, [1_500, 100_000, 100_000, 505]);
  futures.setIndex(30_000);
  setEth(futures, 30_000);
  futures.place(bob, 'sell', { marketId: ethMarketId, price: 30_000, quantity: 0.9 });
  futures.place(alice, 'buy', { marketId: ethMarketId, quantity: 0.9 });
  for (let number = 0; number < shorts; number += 1) {
    const short = futures.fund(100 + number, 20);
    futures.place(short, 'sell', { price: 30_000, quantity: 0.001 });
  }
  futures.place(dan, 'buy', { quantity: 0.3 });
  expect(stepsOf(setEth(futures, 28_450))).toEqual([`${alice} book closing`]);
  futures.place(carol, 'buy', { marketId: ethMarketId, price: 28_400, quantity: 3 });
  futures.now += 500;
  expect(stepsOf(futures.setIndex(28_440))).toEqual([`${dan} final closing`]);
  futures.now += 600;
  expect(stepsOf(futures.done({ type: 'advanceTime' }))).toEqual([
    `${dan} final closing`,
    `${dan} final deleveraged`,
    `${alice} book closing`,
  ]);
});

it('triggers fire after the close-outs of their command', () => {
  const futures = new FuturesFixture();
  const [alice, bob, carol] = fundAll(futures, [1_500, 100_000, 100_000]);
  futures.setIndex(30_000);
  futures.place(bob, 'sell', { price: 30_000, quantity: 0.9 });
  futures.place(alice, 'buy', { quantity: 0.9 });
  futures.place(bob, 'buy', { price: 28_400, quantity: 3 });
  const stop = { orderType: 'stop_market', triggerPriceKind: 'mark', stopPrice: 28_460 } as const;
  futures.place(carol, 'sell', { ...stop, quantity: 0.1 });
  const kinds = kindsOf(futures.setIndex(28_450));
  expect(kinds).toContain('triggered');
  expect(kinds.indexOf('closing')).toBeGreaterThanOrEqual(0);
  expect(kinds.lastIndexOf('closing')).toBeLessThan(kinds.indexOf('triggered'));
});

it('funding that nobody waits for is booked after the triggers of its command', () => {
  const futures = new FuturesFixture();
  const [alice, bob, carol, dan] = fundAll(futures, [10_000, 100_000, 100_000, 100_000]);
  futures.setIndex(30_000);
  futures.place(bob, 'sell', { price: 30_000, quantity: 0.9 });
  futures.place(alice, 'buy', { quantity: 0.9 });
  futures.place(dan, 'buy', { price: 28_900, quantity: 3 });
  const stop = { orderType: 'stop_market', triggerPriceKind: 'mark', stopPrice: 29_500 } as const;
  for (let count = 0; count < triggersMax + 6; count += 1) {
    futures.place(carol, 'sell', { ...stop, quantity: 0.001 });
  }
  const toNextHour = hourMs - (futures.now % hourMs);
  futures.watch(toNextHour / 1_000 - 1);
  futures.now += 1_000;
  expect(kindsOf(futures.setIndex(29_000))).toEqual(Array<string>(triggersMax).fill('triggered'));
  const kinds = kindsOf(futures.done({ type: 'advanceTime' }));
  expect(kinds).toEqual([...Array<string>(6).fill('triggered'), 'funding', 'funding']);
});
