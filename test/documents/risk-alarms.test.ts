import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { alertRules } from '../../deploy/monitoring/alert-rules.ts';
import { measureRisk } from '../../src/application/futures/measure-risk.ts';
import { toAmount } from '../../src/domain/amount.ts';
import { watchFutures } from '../../src/observability/watch-futures.ts';
import { btcTerms, FuturesFixture } from '../support/futures-fixture.ts';
import { postBadDebt } from '../support/post-bad-debt.ts';

// Every alarm about the risk of the perpetuals fires when its state is reached in the engine, and
// is silent before.

const unit = 10n ** 8n;

/** The metrics as /metrics shows them. */
async function metricsOf({ engine, now }: FuturesFixture): Promise<ReadonlyMap<string, number>> {
  const registry = new Registry();
  watchFutures(registry, () => measureRisk(engine.futures, now));
  const all = await registry.getMetricsAsJSON();
  return new Map(all.map(({ name, values }) => [name, Number(values[0]?.value)]));
}

/** Whether the rule's expression, a metric beside a number, holds. */
async function isRaised(alert: string, futures: FuturesFixture): Promise<boolean> {
  const rule = alertRules.find((each) => each.alert === alert);
  const [, name = '', limit = ''] = /^(\w+) > ([\d.]+)$/.exec(rule?.expr ?? '') ?? [];
  const value = (await metricsOf(futures)).get(name);
  expect(value, `${alert} reads a metric that is there`).toBeDefined();
  return (value ?? 0) > Number(limit);
}

function begin(terms = btcTerms): FuturesFixture {
  const futures = new FuturesFixture(terms);
  const [alice, bob] = [futures.fund(1, 1_500), futures.fund(2, 10_000)];
  futures.setIndex(30_000);
  futures.place(bob, 'sell', { price: 30_000, quantity: 0.9 });
  futures.place(alice, 'buy', { quantity: 0.9 });
  return futures;
}

function topUp(futures: FuturesFixture, usdt: bigint): void {
  const rest = { source: 'treasury', reason: null, reference: null } as const;
  futures.done({ type: 'moveHouseFunds', amount: toAmount(usdt * unit), ...rest });
}

describe('alarms about risk', () => {
  it.each<[string, () => FuturesFixture, (futures: FuturesFixture) => void]>([
    ['IndexStale', () => begin(), (futures) => futures.advance(61_000)],
    [
      'PriceHeld',
      () => begin({ ...btcTerms, indexJumpBps: 1_000 }),
      (futures) => futures.setIndex(20_000),
    ],
    ['BadDebt', () => begin(), (futures) => postBadDebt(futures.engine, 100n * unit)],
    ['WithdrawalsGated', () => begin(), (futures) => futures.advance(300_001)],
    [
      'LiquidationsWait',
      () => {
        const futures = begin();
        // Over two thirds of its maintenance margin, and an empty book: the account waits.
        futures.setIndex(28_460);
        return futures;
      },
      (futures) => futures.advance(61_000),
    ],
  ])('alarms: %s', async (alert, prepare, bring) => {
    const futures = prepare();
    expect(await isRaised(alert, futures)).toBe(false);
    bring(futures);
    expect(await isRaised(alert, futures)).toBe(true);
  });

  it('alarms: MarketSettles, while more accounts are due than one command closes', async () => {
    const futures = new FuturesFixture();
    const rich = futures.fund(1, 10_000_000);
    futures.setIndex(30_000);
    for (let number = 2; number <= 30; number += 1) {
      const poor = futures.fund(number, 1_500);
      futures.place(rich, 'sell', { price: 30_000, quantity: 0.9 });
      futures.place(poor, 'buy', { quantity: 0.9 });
    }
    expect(await isRaised('MarketSettles', futures)).toBe(false);
    futures.setIndex(20_000);
    expect(await isRaised('MarketSettles', futures)).toBe(true);
    futures.advance(0);
    expect(await isRaised('MarketSettles', futures)).toBe(false);
  });

  it('alarms: FundDrawdown, once the fund is 30 % below its highest level', async () => {
    const rule = alertRules.find(({ alert }) => alert === 'FundDrawdown');
    expect(rule?.expr).toBe(
      'futures_insurance_fund < 0.7 * max_over_time(futures_insurance_fund[8h])',
    );
    const futures = new FuturesFixture();
    futures.setIndex(30_000);
    const rich = futures.fund(1, 1_000_000);
    topUp(futures, 3_400n);
    const levels: number[] = [];
    const isLow = async (): Promise<boolean> => {
      const level = (await metricsOf(futures)).get('futures_insurance_fund') ?? Number.NaN;
      levels.push(level);
      return level < 0.7 * Math.max(...levels);
    };
    const seen: boolean[] = [await isLow()];
    for (let number = 2; number <= 3; number += 1) {
      futures.advance(61_000);
      futures.setIndex(30_000);
      const poor = futures.fund(number, 15_000);
      futures.place(rich, 'sell', { price: 30_000, quantity: 10 });
      futures.place(poor, 'buy', { price: 30_000, quantity: 10 });
      futures.setIndex(28_400);
      futures.advance(0);
      seen.push(await isLow());
    }
    expect(levels).toEqual([3_400, 2_550, 1_913]);
    expect(seen).toEqual([false, false, true]);
  });
});
