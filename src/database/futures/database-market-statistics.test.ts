import { afterEach, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { FuturesOutcomes } from '../../../test/support/futures-outcomes.ts';
import type { AppliedCommand } from '../../application/ports/exchange.ts';
import { toAmount } from '../../domain/amount.ts';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import type { Sequence, TimestampMs } from '../../domain/identifiers.ts';
import { projections } from '../projections/registry.ts';
import { Directory } from '../projector/directory.ts';
import { writeBatch } from '../projector/write-batch.ts';

const opened: TestDatabase[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

/** Trades of both markets over some hours, and a mark price after each few of them. */
function makeOutcomes(): readonly AppliedCommand[] {
  const flow = new FuturesOutcomes({ seed: 41 });
  flow.open();
  flow.stepMsMax = 120_000;
  for (let step = 0; step < 150; step += 1) {
    flow.trade(1);
    if (step % 3 !== 0) continue;
    const indexPrice = toAmount(BigInt(flow.draw(1_000) + 500) * 100_000_000n);
    flow.add([
      {
        type: 'markPriceChanged',
        marketId: flow.draw(2) as FuturesMarketId,
        indexPrice,
        markPrice: toAmount(indexPrice + BigInt(flow.draw(1_000_000_000)) - 500_000_000n),
        isIndexStale: false,
        fundingRate: 0n as never,
        nextFundingTime: flow.time as TimestampMs,
      },
    ]);
  }
  return flow.outcomes;
}

/** The tables of statistics after the outcomes were written in batches of a size. */
async function tablesAfter(outcomes: readonly AppliedCommand[], size: number): Promise<unknown> {
  const test = await openTestDatabase();
  opened.push(test);
  const client = await test.database.projector.connect();
  const directory = await Directory.load(client);
  for (let from = 0; from < outcomes.length; from += size) {
    const batch = outcomes.slice(from, from + size);
    await writeBatch({ client, directory, projections }, from as Sequence, batch);
  }
  const candles = await client.query(
    'SELECT * FROM futures_price_candles ORDER BY market_id, length, open_time',
  );
  const samples = await client.query(
    'SELECT * FROM futures_position_samples ORDER BY market_id, sampled_at',
  );
  client.release();
  return { candles: candles.rows, samples: samples.rows };
}

it('market statistics: candles and samples are the same, however the journal is cut', async () => {
  const outcomes = makeOutcomes();
  const whole = (await tablesAfter(outcomes, outcomes.length)) as {
    readonly candles: readonly unknown[];
    readonly samples: readonly { readonly open_interest: string }[];
  };
  expect(whole.candles.length).toBeGreaterThan(50);
  const open = whole.samples.filter(({ open_interest }) => Number(open_interest) > 0);
  expect(open.length).toBeGreaterThan(5);
  expect(await tablesAfter(outcomes, 1)).toEqual(whole);
  expect(await tablesAfter(outcomes, 7)).toEqual(whole);
});
