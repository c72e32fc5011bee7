import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { expectFuturesTables } from '../../../test/support/futures-contents.ts';
import { FuturesOutcomes, futuresAddress } from '../../../test/support/futures-outcomes.ts';
import { MemoryOutcomeLog } from '../../../test/support/outcomes.ts';
import { projectLog } from '../../../test/support/project-log.ts';
import { parseDecimal } from '../../domain/decimal.ts';
import { Directory } from '../projector/directory.ts';
import { PositionMovedError, writeBatch } from '../projector/write-batch.ts';
import { DatabaseReferralStore } from '../referral/referral-store.ts';
import { projections } from './registry.ts';

let test: TestDatabase;
let log: MemoryOutcomeLog;
let flow: FuturesOutcomes;

beforeEach(async () => {
  test = await openTestDatabase();
  log = new MemoryOutcomeLog();
  flow = new FuturesOutcomes({ seed: 11 });
});
afterEach(async () => {
  await test.close();
});

function projectAll(): Promise<void> {
  log.append(...flow.outcomes.slice(log.last));
  return projectLog(test, log);
}

describe('futures projections', () => {
  it.each([1, 2, 3])(
    'futures: the tables equal a replay of the events, whatever the batches (seed %i)',
    async (seed) => {
      flow = new FuturesOutcomes({ seed });
      flow.open();
      flow.trade(300);
      log.batchMax = [1, 37, 5_000][seed - 1] ?? 1;
      await projectAll();
      await expectFuturesTables(test.database.reads, flow.outcomes);
    },
  );

  it('futures: a batch that is written a second time counts once', async () => {
    flow.open();
    flow.trade(100);
    await projectAll();
    const client = await test.database.projector.connect();
    const directory = await Directory.load(client);
    const again = writeBatch({ client, directory, projections }, 0 as never, flow.outcomes);
    await expect(again).rejects.toThrow(PositionMovedError);
    client.release(true);
    await expectFuturesTables(test.database.reads, flow.outcomes);
  });

  it('futures: fees earn commission by the same rule as spot', async () => {
    flow.open();
    await projectAll();
    const store = new DatabaseReferralStore(test.database.rewards);
    const moment = { time: new Date(flow.time), durable: log.last };
    const referrer = futuresAddress(3);
    await store.createCode({ account: referrer, code: 'FUTURES' }, moment);
    await store.bind({ trader: futuresAddress(1), code: 'FUTURES' }, moment);
    const tradeNumber = flow.match({ maker: 1, taker: 2, price: 1000, quantity: 500 });
    flow.trade(50);
    await projectAll();
    const { rows } = await test.database.reads.query((db) =>
      sql<{ business_line: string; fees: string; commission: string; counted: string }>`
        SELECT business_line, trim_scale(sum(fee_value)) AS fees,
          trim_scale(sum(commission)) AS commission, count(*) AS counted
        FROM referral_earnings WHERE trader_id = 1 AND type = 'direct'
        GROUP BY business_line`.execute(db),
    );
    const { rows: paid } = await test.database.reads.query((db) =>
      sql<{ fee: string }>`
        SELECT trim_scale(fee) AS fee FROM (
          SELECT maker_fee AS fee FROM futures_trades
          WHERE maker_account_id = 1 AND trade_number >= ${tradeNumber}
          UNION ALL
          SELECT taker_fee FROM futures_trades
          WHERE taker_account_id = 1 AND trade_number >= ${tradeNumber}
        ) AS own WHERE trunc(fee * 0.1, 6) > 0`.execute(db),
    );
    const commissionOf = (fee: string): bigint => (parseDecimal(fee) ?? 0n) / 10n ** 13n;
    const commission = paid.reduce((sum, { fee }) => sum + commissionOf(fee), 0n);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.business_line).toBe('futures');
    expect(Number(rows[0]?.counted)).toBe(paid.length);
    expect((parseDecimal(rows[0]?.commission ?? '') ?? 0n) / 10n ** 12n).toBe(commission);
  });
});
