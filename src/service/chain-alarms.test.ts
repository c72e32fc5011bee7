import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { alertRules } from '../../deploy/monitoring/alert-rules.ts';
import { openTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import type { Config } from '../config/config.ts';
import { type ChainAlarmParts, watchChainAlarms } from './chain-alarms.ts';

// Every alarm fires when its state is reached, and is silent before.

const account = `0x${'b1'.repeat(20)}`;
const token = `0x${'a3'.repeat(20)}`;
const hash = `0x${'ab'.repeat(32)}`;
const ether = 10n ** 18n;

let opened: TestDatabase;
let registry: Registry;
let windowUsed: bigint;
let coin: bigint;
let isSignerUp: boolean;
let spent: bigint;
let surplus: { symbol: string; rawAmount: bigint }[];
let differences: number;

function watch(): void {
  registry = new Registry();
  const config = {
    chain: {
      deployment: {
        feeCaps: { maxFeePerGasGwei: '50', perTransaction: '0.02', perDay: '0.5' },
        assets: [{ symbol: 'USDT', decimals: 6, limit: { W: '1000' } }],
      },
    },
  } as unknown as Config;
  const parts = {
    metrics: registry,
    config,
    pool: opened.database.rewards,
    chain: {
      vaultSigner: {
        findToken: () => ({ address: token }),
        loadWindowUsed: () => Promise.resolve(windowUsed),
      },
      holdings: {
        loadSettlerCoin: () => Promise.resolve(coin),
        loadSurplus: () => Promise.resolve(surplus),
      },
      get deploymentDifferences() {
        return [['spotVault', differences]];
      },
      loadReachable: () => Promise.resolve([['vault', isSignerUp]]),
    },
    services: { chain: { transactions: { loadSpent: () => Promise.resolve(spent) } } },
  };
  watchChainAlarms(parts as unknown as ChainAlarmParts);
}

beforeEach(async () => {
  opened = await openTestDatabase();
  [windowUsed, coin, isSignerUp, spent, differences] = [0n, 5n * ether, true, 0n, 0];
  surplus = [];
  watch();
});
afterEach(() => opened.close());

/** Whether the rule's expression, a metric beside a number, holds for any label. */
async function isRaised(alert: string): Promise<boolean> {
  const rule = alertRules.find((each) => each.alert === alert);
  const [, name = '', sign = '', limit = ''] =
    /^(\w+) ([<>]) ([\d.]+)$/.exec(rule?.expr ?? '') ?? [];
  const metric = (await registry.getMetricsAsJSON()).find((each) => each.name === name);
  expect(metric, `${alert} reads a metric that is there`).toBeDefined();
  const values = (metric?.values ?? []).map(({ value }) => Number(value));
  return values.some((value) => (sign === '>' ? value > Number(limit) : value < Number(limit)));
}

const run = (statement: ReturnType<typeof sql>) =>
  opened.database.rewards.query((db) => statement.execute(db));

async function openTransaction(minutesAgo: number): Promise<void> {
  await run(sql`INSERT INTO chain_transactions
    (purpose, reference, sender, nonce, recipient, data, gas_limit)
    VALUES ('settlement', '1', ${account}, 0, ${token}, '0x', 21000)`);
  await run(sql`INSERT INTO chain_transaction_versions (hash, purpose, reference, position, kind,
      bytes, max_fee_per_gas, max_priority_fee_per_gas, sent_at)
    VALUES (${hash}, 'settlement', '1', 0, 'call', '0x02', 1, 1,
      now() - ${`${minutesAgo} minutes`}::interval)`);
}

async function openSettlement(minutesAgo: number): Promise<void> {
  await run(sql`INSERT INTO accounts (account_id, address, created_at)
    VALUES (1, ${account}, now())`);
  await run(sql`INSERT INTO settlement_batches (created_at)
    VALUES (now() - ${`${minutesAgo} minutes`}::interval)`);
  await run(sql`INSERT INTO settlement_items (batch_id, account_id, total, through_place, generation)
    SELECT max(id), 1, 1, 1, 0 FROM settlement_batches`);
}

async function parkEvent(hoursAgo: number): Promise<void> {
  await run(sql`INSERT INTO chain_parked_events
    (block_number, block_hash, block_seconds, log_index, contract, account, event, error)
    VALUES (1, ${hash}, extract(epoch FROM now())::bigint - ${hoursAgo * 3_600}, 0, 'spotVault',
      ${account}, '{"type":"vaultReleased"}', 'release_not_signed')`);
}

const contractPause = (minutesAgo: number) =>
  run(sql`INSERT INTO contract_pauses (contract, requested_by, requested_at)
    VALUES ('spotVault', 'operator', now() - ${`${minutesAgo} minutes`}::interval)`);

const stuckDeposit = () =>
  run(sql`INSERT INTO spot_deposits
    (account, number, token_address, raw_amount, tx_hash, block_number, seen_at, stuck_at)
    VALUES (${account}, 0, ${token}, 1, ${hash}, 1, now(), now())`);

const creditedDeposit = () =>
  run(sql`INSERT INTO spot_deposits (account, number, token_address, raw_amount, tx_hash,
      block_number, seen_at, token, amount, handed_over_at, credited_at)
    VALUES (${account}, 0, ${token}, 1, ${hash}, 1, now(), 'DF', 1, now(), now())`);

const queuedRelease = () =>
  run(sql`INSERT INTO vault_queue
    (queue_id, account, token_address, raw_amount, nonce, payable_at, block_number, state)
    VALUES (1, ${account}, ${token}, 5, 0, 1, 1, 'queued')`);

describe('alarms about custody', () => {
  test.each<[string, () => unknown, () => unknown]>([
    [
      'TransactionOpen',
      () => openTransaction(29),
      () => run(later('chain_transaction_versions', 'sent_at', 2)),
    ],
    [
      'KeyUsedElsewhere',
      () => openTransaction(29),
      () =>
        run(sql`UPDATE chain_transactions SET outcome = 'displaced', result_hash = NULL,
          result_block = 1`),
    ],
    [
      'SettlementOpen',
      () => openSettlement(59),
      () => run(later('settlement_batches', 'created_at', 2)),
    ],
    [
      'ChainEventOld',
      () => parkEvent(23),
      () => run(sql`UPDATE chain_parked_events SET block_seconds = block_seconds - 7200`),
    ],
    [
      'ContractPauseWaits',
      () => contractPause(20),
      () => run(sql`UPDATE contract_pauses SET requested_at = requested_at - interval '1 hour'`),
    ],
    ['DepositsWait', () => undefined, stuckDeposit],
    [
      'DepositVanished',
      creditedDeposit,
      () => run(sql`UPDATE spot_deposits SET block_number = NULL`),
    ],
    ['VaultQueue', () => undefined, queuedRelease],
    ['VaultWindowUsed', () => (windowUsed = 800_000_000n), () => (windowUsed = 800_000_001n)],
    ['GasBudgetUsed', () => (spent = ether / 12n), () => (spent = (ether * 2n) / 5n)],
    [
      'GasLow',
      () => (coin = (ether * 7n) / 2n),
      () => (coin = (ether * 7n) / 2n - 1n * 10n ** 15n),
    ],
    ['GasOut', () => (coin = ether), () => (coin = ether - 10n ** 15n)],
    ['RoleMismatch', () => undefined, () => (differences = 1)],
    ['SignerDown', () => undefined, () => (isSignerUp = false)],
  ])('alarms: %s', async (alert, prepare, bring) => {
    await prepare();
    expect(await isRaised(alert)).toBe(false);
    await bring();
    expect(await isRaised(alert)).toBe(true);
  });

  test('alarms: resolved and ignored events are not counted', async () => {
    await openTransaction(90);
    await run(sql`UPDATE chain_transactions
      SET outcome = 'succeeded', result_hash = ${hash}, result_block = 1`);
    await parkEvent(90);
    await run(sql`UPDATE chain_parked_events
      SET ignored_at = now(), ignored_by = 'people', reason = 'settled'`);
    expect(await isRaised('TransactionOpen')).toBe(false);
    expect(await isRaised('ChainEventOld')).toBe(false);
  });

  test('alarms: amounts outside all balances are shown: plain transfers, and what deposits were cut by', async () => {
    surplus = [{ symbol: 'USDT', rawAmount: 7n }];
    await creditedDeposit();
    await run(sql`UPDATE spot_deposits SET dust = 3`);
    const shown = async (name: string) =>
      (await registry.getMetricsAsJSON()).find((each) => each.name === name)?.values;
    expect(await shown('vault_surplus')).toMatchObject([{ value: 7, labels: { token: 'USDT' } }]);
    expect(await shown('deposit_dust')).toMatchObject([{ value: 3, labels: { token: 'DF' } }]);
  });

  test('alarms: numbers that cannot be loaded are not shown', async () => {
    await queuedRelease();
    await opened.database.stop();
    expect(await isRaised('VaultQueue')).toBe(false);
    opened = await openTestDatabase();
  });
});

function later(table: string, column: string, minutes: number) {
  return sql`UPDATE ${sql.table(table)}
    SET ${sql.ref(column)} = ${sql.ref(column)} - ${`${minutes} minutes`}::interval`;
}
