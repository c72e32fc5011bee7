import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { silentLog } from '../../test/support/database-url.ts';
import { FuturesOutcomes, futuresAddress } from '../../test/support/futures-outcomes.ts';
import { MemoryOutcomeLog } from '../../test/support/outcomes.ts';
import { type RunningJobs, runJobs } from '../../test/support/run-jobs.ts';
import type {
  AppliedCommand,
  Command,
  EngineView,
  Exchange,
} from '../application/ports/exchange.ts';
import { overrideVipTier } from '../application/vip/override-vip-tier.ts';
import type { VipTierChange } from '../application/vip/vip-ports.ts';
import { createDatabaseServices, type DatabaseServices } from '../database/database-services.ts';
import type { AccountId, TimestampMs } from '../domain/identifiers.ts';
import { updateVipTiersJob } from './update-vip-tiers.ts';

const soon = { interval: 10 };
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Takes commands without an engine; trades are what the test says. */
class FakeExchange {
  readonly submitted: Command[] = [];
  readonly #listeners = new Set<(batch: readonly AppliedCommand[]) => void>();

  readonly state = 'ready';
  submit(command: Command): Promise<AppliedCommand> {
    this.submitted.push(command);
    return Promise.resolve(flow.outcomes[0] as AppliedCommand);
  }
  read<T>(query: (view: EngineView) => T): Promise<T> {
    return Promise.resolve(this.peek(query));
  }
  peek<T>(query: (view: EngineView) => T): T {
    const find = (address: string): AccountId | null => {
      for (let number = 1; number <= flow.accounts; number += 1) {
        if (futuresAddress(number) === address) return number as AccountId;
      }
      return null;
    };
    return query({
      findAccount: find,
      futures: { getFeeTerms: (accountId: AccountId) => this.#termsOf(accountId) },
    } as unknown as EngineView);
  }
  #termsOf(accountId: AccountId): object {
    const isOf = (each: Command) => each.type === 'setAccountFees' && each.accountId === accountId;
    const base = { vipTier: 0, vipMultiplierTenths: 10, referralDiscountBps: 0 };
    return this.submitted.findLast(isOf) ?? base;
  }
  subscribe(listener: (batch: readonly AppliedCommand[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
  get durableSequence() {
    return outcomes.last;
  }
  publish(batch: readonly AppliedCommand[]): void {
    for (const listener of this.#listeners) listener(batch);
  }
}

let test: TestDatabase;
let services: DatabaseServices;
let flow: FuturesOutcomes;
let outcomes: MemoryOutcomeLog;
let exchange: FakeExchange;
let jobs: RunningJobs;
let told: VipTierChange[];
let traderDiscountBps: number;

beforeEach(async () => {
  test = await openTestDatabase();
  flow = new FuturesOutcomes({ seed: 3 });
  outcomes = new MemoryOutcomeLog();
  exchange = new FakeExchange();
  services = createDatabaseServices({
    database: test.database,
    outcomes,
    journalEnd: () => outcomes.last,
    secretsKey: '0'.repeat(64),
    barrierTimeoutMs: 30_000,
  });
  services.start();
  flow.open();
  publish();
  told = [];
  traderDiscountBps = 0;
  for (const account of [1, 2]) {
    services.vipFeed.subscribe(futuresAddress(account), (changes) => told.push(...changes));
  }
  jobs = startJob();
});
afterEach(async () => {
  await jobs.stop();
  await services.stop();
  await test.close();
});

function ports() {
  const now = (): TimestampMs => flow.time as TimestampMs;
  const { barrier, vip, audit } = services;
  return {
    traderDiscountBps,
    exchange: exchange as Exchange,
    barrier,
    vip,
    audit,
    now,
    log: silentLog,
  };
}

function startJob(): RunningJobs {
  return runJobs([updateVipTiersJob(ports())], services.prepared);
}

function publish(): void {
  const fresh = flow.outcomes.slice(outcomes.last);
  outcomes.append(...fresh);
  exchange.publish(fresh);
}

/** Lets both accounts trade that many millions of USDT with each other. */
function trade(millions: number): void {
  flow.match({ maker: 1, taker: 2, price: 1000, quantity: 100_000 * millions });
  publish();
}

async function standingOf(account: number) {
  return (await services.vip.load(account as AccountId, flow.time as TimestampMs)).standing;
}

async function expectTier(account: number, tier: number): Promise<void> {
  await vi.waitFor(async () => expect((await standingOf(account)).tier).toBe(tier), soon);
}

/** A full hour comes: a job that starts then does what a running one does at it. */
async function passTime(durationMs: number): Promise<void> {
  await jobs.stop();
  flow.time += durationMs;
  jobs = startJob();
}

describe('updateVipTiersJob', () => {
  it('vip tiers: the trade that reaches a tier upgrades both sides at once, in engine and table', async () => {
    trade(0.5);
    trade(0.6);
    await expectTier(1, 1);
    await expectTier(2, 1);
    const fees = { type: 'setAccountFees', vipTier: 1, vipMultiplierTenths: 9 };
    const terms = { ...fees, referralDiscountBps: 0 };
    expect(exchange.submitted).toHaveLength(2);
    expect(exchange.submitted).toContainEqual({ ...terms, accountId: 1 });
    expect(exchange.submitted).toContainEqual({ ...terms, accountId: 2 });
    await vi.waitFor(() => expect(told).toHaveLength(2), soon);
    expect(told[0]).toMatchObject({
      kind: 'upgrade_immediate',
      fromTier: 0,
      toTier: 1,
      volume14Days: '1100000',
      effectiveAt: flow.time,
    });
  });

  it('vip tiers: a changed trader discount applies to users who are referred already', async () => {
    const of = (accountId: number) =>
      exchange.submitted.filter((each) => 'accountId' in each && each.accountId === accountId);
    trade(1.5);
    await expectTier(1, 1);
    await expectTier(2, 1);
    await bind({ trader: 1, referrer: 2 });
    const terms = { type: 'setAccountFees', vipTier: 1, vipMultiplierTenths: 9 };
    expect(of(1)).toEqual([{ ...terms, accountId: 1, referralDiscountBps: 0 }]);
    traderDiscountBps = 1_000;
    await passTime(hourMs);
    await vi.waitFor(() => expect(of(1)).toHaveLength(2), soon);
    expect(of(1)[1]).toEqual({ ...terms, accountId: 1, referralDiscountBps: 1_000 });
    expect(of(2)).toEqual([{ ...terms, accountId: 2, referralDiscountBps: 0 }]);
    traderDiscountBps = 0;
    await passTime(hourMs);
    await vi.waitFor(() => expect(of(1)).toHaveLength(3), soon);
    expect(of(1)[2]).toEqual({ ...terms, accountId: 1, referralDiscountBps: 0 });
  });

  it('vip tiers: a downgrade is scheduled for midnight and applied then, each published once', async () => {
    trade(21);
    await expectTier(1, 3);
    await vi.waitFor(() => expect(told).toHaveLength(2), soon);
    // Fourteen days later the trade no longer counts.
    await passTime(14 * dayMs + 30 * 60_000);
    const midnight = (Math.floor(flow.time / dayMs) + 1) * dayMs;
    await vi.waitFor(async () => {
      expect((await standingOf(1)).pending).toEqual({ tier: 0, at: midnight });
    }, soon);
    expect((await standingOf(1)).tier).toBe(3);
    await passTime(midnight - flow.time);
    await expectTier(1, 0);
    await expectTier(2, 0);
    await vi.waitFor(() => expect(told).toHaveLength(6), soon);
    const ofFirst = told.filter(({ address }) => address === futuresAddress(1));
    expect(ofFirst.map(({ kind }) => kind)).toEqual([
      'upgrade_immediate',
      'downgrade_scheduled',
      'downgrade_applied',
    ]);
    expect(exchange.submitted.at(-1)).toMatchObject({ vipTier: 0, vipMultiplierTenths: 10 });
  });

  it('vip tiers: an override takes effect and is published at once, whatever the volume', async () => {
    trade(2);
    await expectTier(1, 1);
    await vi.waitFor(() => expect(told).toHaveLength(2), soon);
    const set = await overrideVipTier(ports(), futuresAddress(1), 5);
    expect(set.kind).toBe('done');
    expect(await standingOf(1)).toEqual({ tier: 5, pending: null, override: 5 });
    expect(exchange.submitted.at(-1)).toMatchObject({ vipTier: 5, vipMultiplierTenths: 5 });
    await vi.waitFor(() => expect(told.at(-1)?.toTier).toBe(5), soon);
    trade(4);
    await expectTier(2, 2);
    expect((await standingOf(1)).tier).toBe(5);
    await overrideVipTier(ports(), futuresAddress(1), null);
    expect(await standingOf(1)).toEqual({ tier: 2, pending: null, override: null });
    await vi.waitFor(() => expect(told.at(-1)?.kind).toBe('downgrade_applied'), soon);
  });

  it('vip tiers: an address that was never registered is not found', async () => {
    const missing = await overrideVipTier(ports(), futuresAddress(99), 1);
    expect(missing).toEqual({ kind: 'refused', rejection: { reason: 'account_not_found' } });
  });

  it('vip tiers: trades made while the job did not run count when it starts', async () => {
    await jobs.stop();
    trade(6);
    jobs = startJob();
    await expectTier(2, 2);
  });

  it('load: 14 and 30 days of volume, as fee-info shows them', async () => {
    trade(1);
    await expectTier(1, 1);
    flow.time += 20 * dayMs;
    const record = await services.vip.load(1 as AccountId, flow.time as TimestampMs);
    expect(record.volume14Days).toBe(0n);
    expect(record.volume30Days).toBe(10n ** 14n);
  });
});

/** A binding as the referral program writes it. */
async function bind({ trader, referrer }: { trader: number; referrer: number }): Promise<void> {
  const moment = new Date(flow.time);
  const span = sql`0, NULL`;
  await test.database.reads.query(async (db) => {
    await sql`INSERT INTO referral_agents
      (account_id, code, tier_level, rebate_rate, status, created_at)
      VALUES (${referrer}, 'CODE', 0, 0.1, 'active', ${moment})`.execute(db);
    await sql`INSERT INTO referral_bindings
      (trader_id, trader_address, referrer_id, code, bound_at, from_position, until_position)
      VALUES (${trader}, ${futuresAddress(trader)}, ${referrer}, 'CODE', ${moment}, ${span})
    `.execute(db);
  });
}
