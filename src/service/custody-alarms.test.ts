import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { alertRules } from '../../deploy/monitoring/alert-rules.ts';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import type { ChainStatus } from '../application/ports/chain.ts';
import type { ChainService } from '../chain/chain-service.ts';
import type { Config } from '../config/config.ts';
import { DatabaseChainBacklog } from '../database/chain/chain-backlog.ts';
import { DatabaseSignerHeadStore } from '../database/chain/signer-head-store.ts';
import type { DatabaseServices } from '../database/database-services.ts';
import type { Address } from '../domain/identifiers.ts';
import { watchChain } from './chain.ts';
import { type CustodyAlarmParts, watchCustodyAlarms } from './custody-alarms.ts';
import { watchReviews } from './wallet.ts';

// Every alarm fires when its state is reached, and is silent before.

const hash = `0x${'ab'.repeat(32)}`;
let opened: TestDatabase;
let registry: Registry;
let difference: number;
let accounted: bigint;
let refusals: [reason: string, count: number][];
let oldestAt: Date | null;
let status: ChainStatus;

const calm: ChainStatus = {
  state: 'ready',
  reason: null,
  isSigning: true,
  countedBlock: 1,
  parkedEvents: 0,
  openHalts: 0,
  signerLogHalts: 0,
  disagreementSeconds: 0,
  excludedProviders: 0,
};

beforeEach(async () => {
  opened = await openTestDatabase();
  registry = new Registry();
  [difference, accounted, refusals, oldestAt] = [0, 0n, [], null];
  const config = {
    chain: { deployment: { assets: [{ symbol: 'USDT', decimals: 6, limit: { H: '1000' } }] } },
  };
  const chain = {
    get bookDifferences() {
      return [['USDT', difference]];
    },
    get signerRefusals() {
      return refusals;
    },
    holdings: {
      loadAccounted: () => Promise.resolve([{ symbol: 'USDT', rawAmount: accounted }]),
    },
  };
  watchCustodyAlarms({
    metrics: registry,
    config: config as unknown as Config,
    backlog: new DatabaseChainBacklog(opened.database.rewards, () => Date.now()),
    chain: chain as unknown as CustodyAlarmParts['chain'],
  });
  status = { ...calm };
  const watched = {
    get status() {
      return status;
    },
  };
  watchChain(registry, watched as ChainService);
  const reviews = { loadBacklog: () => Promise.resolve({ count: 1, oldestAt }) };
  watchReviews(registry, { reviews } as unknown as DatabaseServices);
});
afterEach(() => opened.close());

async function valuesOf(name: string): Promise<readonly number[]> {
  const metric = (await registry.getMetricsAsJSON()).find((each) => each.name === name);
  expect(metric, `${name} is there`).toBeDefined();
  return (metric?.values ?? []).map(({ value }) => Number(value));
}

async function isRaised(alert: string): Promise<boolean> {
  const expr = alertRules.find((each) => each.alert === alert)?.expr ?? '';
  const [, name = '', sign = '', text = ''] = /^(\w+) (>|<|==|!=) ([\d.]+)$/.exec(expr) ?? [];
  const limit = Number(text);
  const holds: Readonly<Record<string, (value: number) => boolean>> = {
    '>': (value) => value > limit,
    '<': (value) => value < limit,
    '==': (value) => value === limit,
    '!=': (value) => value !== limit,
  };
  return (await valuesOf(name)).some((value) => holds[sign]?.(value) === true);
}

const countBlock = (secondsAgo: number) =>
  opened.database.rewards.query((db) =>
    sql`INSERT INTO chain_blocks (number, hash, seconds) VALUES
      ((SELECT coalesce(max(number), 0) + 1 FROM chain_blocks), ${hash},
        extract(epoch FROM now())::bigint - ${secondsAgo})
      ON CONFLICT DO NOTHING`.execute(db),
  );

test.each<[string, () => unknown, () => unknown]>([
  [
    'FinalityOld',
    () => countBlock(3_500),
    () =>
      opened.database.rewards.query((db) =>
        sql`UPDATE chain_blocks SET seconds = seconds - 200`.execute(db),
      ),
  ],
  [
    'ProvidersDisagree',
    () => (status = { ...calm, disagreementSeconds: 30 }),
    () => (status = { ...calm, disagreementSeconds: 31 }),
  ],
  ['ProviderExcluded', () => undefined, () => (status = { ...calm, excludedProviders: 1 })],
  [
    'ChainUnavailable',
    () => (status = { ...calm, state: 'degraded' }),
    () => (status = { ...calm, state: 'unavailable' }),
  ],
  ['SigningOff', () => undefined, () => (status = { ...calm, isSigning: false })],
  ['SigningHalted', () => undefined, () => (status = { ...calm, openHalts: 1 })],
  ['SignerLogDiffers', () => undefined, () => (status = { ...calm, signerLogHalts: 1 })],
  ['EventsWaitForAPerson', () => undefined, () => (status = { ...calm, parkedEvents: 1 })],
  ['BooksDiffer', () => undefined, () => (difference = -0.000001)],
  ['VaultHot', () => (accounted = 1_000_000_000n), () => (accounted = 1_000_000_001n)],
  [
    'WithdrawalsInReview',
    () => (oldestAt = new Date(Date.now() - 3_500_000)),
    () => (oldestAt = new Date(Date.now() - 3_700_000)),
  ],
])('alarms: %s', async (alert, prepare, bring) => {
  await prepare();
  expect(await isRaised(alert)).toBe(false);
  await bring();
  expect(await isRaised(alert)).toBe(true);
});

/** By label: what Prometheus would have scraped. */
async function scrape(name: string): Promise<ReadonlyMap<string, number>> {
  const metric = (await registry.getMetricsAsJSON()).find((each) => each.name === name);
  const values = metric?.values ?? [];
  return new Map(values.map(({ labels, value }) => [JSON.stringify(labels), Number(value)]));
}

test('alarms: SignerRefuses, at the first refusal for a reason and at each further one', async () => {
  const expr = alertRules.find((each) => each.alert === 'SignerRefuses')?.expr ?? '';
  const name = 'signer_refusals_total';
  expect(expr).toBe(`increase(${name}[10m]) > 0 or (${name} > 0 unless ${name} offset 10m)`);
  // The value of that expression over two scrapes ten minutes apart.
  const rises = (before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) =>
    [...after].some(([label, value]) => value > (before.get(label) ?? 0));
  const none = await scrape(name);
  refusals.push(['two people have to approve it', 1]);
  const first = await scrape(name);
  expect([none.size, rises(none, none), rises(none, first), rises(first, first)]).toEqual([
    0,
    false,
    true,
    false,
  ]);
  refusals[0] = ['two people have to approve it', 2];
  expect(rises(first, await scrape(name))).toBe(true);
});

test('alarms: before a block is counted there is no age of finality', async () => {
  expect(await valuesOf('chain_finality_age_seconds')).toEqual([]);
});

test('signer heads: the first head for a position stays, and the one with the most signatures is the latest', async () => {
  const store = new DatabaseSignerHeadStore(opened.database.rewards, () => new Date());
  const signer = `0x${'51'.repeat(20)}` as Address;
  expect(await store.findLast(signer)).toBeNull();
  await store.note(signer, { head: 'aa', signatures: 10 });
  await store.note(signer, { head: 'bb', signatures: 9 });
  await store.note(signer, { head: 'cc', signatures: 10 });
  expect(await store.findLast(signer)).toEqual({ head: 'aa', signatures: 10 });
});
