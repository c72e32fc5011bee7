import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { limitOrder } from '../../../test/support/limit-order.ts';
import { MemoryOutcomeLog } from '../../../test/support/outcomes.ts';
import { projectLog, startProjector } from '../../../test/support/project-log.ts';
import { expectSumsToMatch } from '../../../test/support/referral-sums.ts';
import { flowAddress, SpotFlow } from '../../../test/support/spot-flow.ts';
import type { AppliedCommand } from '../../application/ports/exchange.ts';
import type { Moment } from '../../application/referral/referral-ports.ts';
import { type Decimal, parseDecimal } from '../../domain/decimal.ts';
import type { AccountId, Address, Sequence } from '../../domain/identifiers.ts';
import { formatMicroUsdt } from '../../domain/micro-usdt.ts';
import type { Lots, Ticks } from '../../domain/spot-market.ts';
import { valueSpotFee } from '../../programs/referral/fee-value.ts';
import { usualHoursMin } from '../../programs/referral/recent-prices.ts';
import {
  type AgentStatus,
  type AgentTerms,
  type Referral,
  type ReferralRelations,
  shareFee,
} from '../../programs/referral/share-fee.ts';
import type { Projector } from '../projector/projector.ts';
import { DatabaseReferralStore } from '../referral/referral-store.ts';

let test: TestDatabase;
let flow: SpotFlow;
let log: MemoryOutcomeLog;
let store: DatabaseReferralStore;
let running: Projector | null;

beforeEach(async () => {
  test = await openTestDatabase();
  log = new MemoryOutcomeLog();
  store = new DatabaseReferralStore(test.database.rewards);
  running = null;
});
afterEach(async () => {
  await running?.stop();
  await test.close();
});

const projectAll = () => projectLog(test, log);

const rate = (text: string): Decimal => parseDecimal(text) as Decimal;
const accountOf = (number: number): AccountId => number as AccountId;
const addressOf = (number: number): Address => flowAddress(number);
const moment = (durable: Sequence = log.last): Moment => ({ time: new Date(flow.time), durable });

/** Who earns what, recorded in the simplest way as it happens. */
class Expected implements ReferralRelations {
  readonly rows: string[] = [];
  readonly bindings = new Map<AccountId, Referral>();
  readonly agents = new Map<AccountId, AgentTerms>();

  findReferral(account: AccountId): Referral | null {
    return this.bindings.get(account) ?? null;
  }

  findAgent(account: AccountId): AgentTerms | null {
    return this.agents.get(account) ?? null;
  }

  addTrades(outcomes: readonly AppliedCommand[]): void {
    for (const { events, sequence } of outcomes) {
      for (const event of events) {
        if (event.type !== 'spotTradeExecuted') continue;
        const { trade } = event;
        const market = flow.engine.getSpotMarket(trade.marketId);
        for (const side of ['maker', 'taker'] as const) {
          const value = valueSpotFee(market, trade, side);
          if (value === null) continue;
          const payer = side === 'maker' ? trade.makerAccountId : trade.takerAccountId;
          const { tradeNumber } = trade;
          const fee = { businessLine: 'spot', tradeNumber, side, payer, value } as const;
          for (const { beneficiary, commission, source, type } of shareFee(fee, this)) {
            const amount = formatMicroUsdt(commission);
            const key = `${sequence} ${tradeNumber} ${side} ${type}`;
            this.rows.push(`${key}: ${payer} > ${source} > ${beneficiary} ${amount}`);
          }
        }
      }
    }
  }
}

async function earningRows(): Promise<readonly string[]> {
  const { rows } = await test.database.reads.query((db) =>
    sql<{ line: string }>`
      SELECT format('%s %s %s %s: %s > %s > %s %s', sequence, trade_number, side, type, trader_id,
        source_id, beneficiary_id, trim_scale(commission)) AS line
      FROM referral_earnings ORDER BY id`.execute(db),
  );
  return rows.map(({ line }) => line);
}

async function feeValues(): Promise<readonly string[]> {
  const { rows } = await test.database.reads.query((db) =>
    sql<{ value: string }>`
      SELECT trim_scale(fee_value)::text AS value FROM referral_earnings ORDER BY id`.execute(db),
  );
  return rows.map(({ value }) => value);
}

/** Makes one random change of the program, in the database and in what is expected. */
async function change(expected: Expected, draw: (limit: number) => number): Promise<void> {
  const [first, second] = [1 + draw(6), 1 + draw(6)];
  const [account, other] = [accountOf(first), accountOf(second)];
  const kind = draw(5);
  if (kind === 0) {
    const terms = { rebateRate: rate(`0.${1 + draw(9)}`), status: 'active' } as const;
    const status: AgentStatus = draw(4) === 0 ? 'suspended' : terms.status;
    const asked = { account: addressOf(first), tierLevel: null, ...terms, status };
    await store.changeAgent(asked, moment());
    expected.agents.set(account, { ...terms, status });
  } else if (kind === 1) {
    const refusal = await store.unbind(addressOf(first), moment());
    expect(refusal === null).toBe(expected.bindings.delete(account));
  } else if (kind === 2) {
    const bound = [...expected.bindings];
    const [trader, referral] = bound[draw(bound.length)] ?? [account, { referrer: other }];
    const { referrer } = referral;
    const subRate = rate(`0.0${draw(10)}`);
    const request = { caller: addressOf(referrer), target: addressOf(trader), subRate };
    const isRefused =
      (await store.promote(request, moment())) !== null &&
      (await store.changeSubRate(request, moment())) !== null;
    if (!isRefused) expected.bindings.set(trader, { referrer, subRate });
  } else {
    const request = { trader: addressOf(first), code: `CODE_${second}` };
    const result = await store.bind(request, moment());
    if (result.kind === 'bound') expected.bindings.set(account, { referrer: other, subRate: null });
  }
}

function generator(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return Math.floor((state / 0x8000_0000) * limit);
  };
}

async function openExchange(seed: number): Promise<Expected> {
  flow = new SpotFlow({ seed });
  log.append(...flow.open());
  await projectAll();
  const expected = new Expected();
  for (let number = 1; number <= 6; number += 1) {
    const request = { account: addressOf(number), code: `CODE_${number}` };
    expect(await store.createCode(request, moment())).toBeNull();
    expected.agents.set(accountOf(number), { rebateRate: rate('0.1'), status: 'active' });
  }
  return expected;
}

function trade(expected: Expected, count: number): void {
  const outcomes = flow.trade(count);
  log.append(...outcomes);
  expected.addTrades(outcomes);
}

describe('referral earnings', () => {
  it.each([1, 2, 3])(
    'earnings: each trade uses the relations at its position in the journal, however late the projector is (seed %i)',
    async (seed) => {
      const expected = await openExchange(seed);
      const draw = generator(seed);
      for (let round = 0; round < 60; round += 1) {
        trade(expected, 1 + draw(12));
        await change(expected, draw);
      }
      trade(expected, 20);
      log.batchMax = [1, 37, 5_000][seed - 1] ?? 1;
      await projectAll();
      expect(expected.rows.length).toBeGreaterThan(30);
      expect(expected.rows.some((row) => row.includes('spread'))).toBe(true);
      expect(await earningRows()).toEqual(expected.rows);
      await expectSumsToMatch(test.database.reads);
    },
  );

  it('earnings: the same while the projector runs, with changes and trades interleaved', async () => {
    const expected = await openExchange(4);
    const draw = generator(4);
    const { projector, barrier } = startProjector(test, log);
    running = projector;
    for (let round = 0; round < 40; round += 1) {
      trade(expected, 1 + draw(12));
      await change(expected, draw);
    }
    await barrier.waitFor(log.last);
    expect(await earningRows()).toEqual(expected.rows);
    await expectSumsToMatch(test.database.reads);
  });

  it('earnings: a change requested at an older position counts from the projected position on', async () => {
    const expected = await openExchange(5);
    trade(expected, 30);
    await projectAll();
    const stale = moment(0 as Sequence);
    await store.bind({ trader: addressOf(1), code: 'CODE_2' }, stale);
    await projectAll();
    expect(await earningRows()).toEqual([]);
    expected.bindings.set(accountOf(1), { referrer: accountOf(2), subRate: null });
    trade(expected, 30);
    await projectAll();
    expect(await earningRows()).toEqual(expected.rows);
  });

  it('earnings: no trade pays twice, even if it were written twice', async () => {
    const expected = await openExchange(6);
    await store.bind({ trader: addressOf(1), code: 'CODE_2' }, moment());
    expected.bindings.set(accountOf(1), { referrer: accountOf(2), subRate: null });
    trade(expected, 60);
    await projectAll();
    const again = test.database.reads.query((db) =>
      sql`INSERT INTO referral_earnings
            (beneficiary_id, type, business_line, trade_number, side, trader_id, source_id,
             fee_value, rate, commission, created_at, sequence)
          SELECT beneficiary_id, type, business_line, trade_number, side, trader_id, source_id,
             fee_value, rate, commission, created_at, sequence
          FROM referral_earnings LIMIT 1`.execute(db),
    );
    await expect(again).rejects.toThrow(/referral_earnings_once/);
  });

  it.each([
    ['by one projector', false],
    ['by one that starts again after each trade', true],
  ])(
    'earnings: what two accounts of one owner pay each other in a thin book, %s',
    async (_, restarts) => {
      await openExchange(9);
      await store.bind({ trader: addressOf(1), code: 'CODE_2' }, moment());
      const usualPrices = Array.from({ length: usualHoursMin }, () => 1_100);
      for (const price of [...usualPrices, 1_000_000, 1_000_000, 1_050]) {
        const order = limitOrder({ price: price as Ticks, quantity: 4_000 as Lots });
        log.append(flow.apply({ ...order, side: 'sell', accountId: accountOf(3) }));
        log.append(flow.apply({ ...order, accountId: accountOf(1) }));
        if (restarts) await projectAll();
        flow.time += 3_600_000;
      }
      await projectAll();
      // 0.01 BTC each, at twice 11 USDT instead of 10,000.
      expect(await feeValues()).toEqual([
        ...usualPrices.map(() => '0.11'),
        '0.22',
        '0.22',
        '0.105',
      ]);
    },
  );
});
