import { sql } from 'kysely';
import type {
  ContractKind,
  ContractSet,
  ContractStore,
  CountedAccount,
  DrainingContract,
  ForeignWithdrawal,
} from '../../application/ports/contracts.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { DatabasePool } from '../database-pool.ts';
import { microUsdtOf } from '../referral/decimal-columns.ts';
import { queueWholeRegister } from '../referral/queue-register.ts';

const kinds: readonly ContractKind[] = ['rewardRouter', 'referralRebate', 'spotVault'];
const tablesOf: Readonly<Record<ContractKind, readonly string[]>> = {
  rewardRouter: ['reward_redemptions', 'reward_vouchers', 'settlement_items', 'router_settlements'],
  referralRebate: ['register_changes'],
  spotVault: ['spot_deposits', 'withdrawals'],
};

interface CountedRow {
  address: string;
  deposits: string;
  releases: string;
  redemptions: string;
  settled: string;
  claimed: string;
}

export class DatabaseContractStore implements ContractStore {
  readonly #pool: DatabasePool;
  readonly #now: () => Date;

  constructor(pool: DatabasePool, now: () => Date) {
    this.#pool = pool;
    this.#now = now;
  }

  async loadActive(): Promise<ContractSet | null> {
    const { rows } = await this.#pool.query((db) =>
      sql<{ kind: ContractKind; address: string }>`
        SELECT kind, address FROM contracts WHERE state = 'active'`.execute(db),
    );
    if (rows.length === 0) return null;
    return Object.fromEntries(rows.map(({ kind, address }) => [kind, address])) as ContractSet;
  }

  async loadChainId(): Promise<number | null> {
    const { rows } = await this.#pool.query((db) =>
      sql<{ id: string }>`
        SELECT chain_id AS id FROM contracts WHERE state = 'active' LIMIT 1`.execute(db),
    );
    return rows[0] === undefined ? null : Number(rows[0].id);
  }

  async listCounted(): Promise<readonly CountedAccount[]> {
    const { rows } = await this.#pool.query((db) =>
      sql<CountedRow>`
        SELECT address, sum(deposits) AS deposits, sum(releases) AS releases,
          sum(redemptions) AS redemptions, sum(settled) AS settled, sum(claimed) AS claimed
        FROM (
          SELECT account AS address, 1 AS deposits, 0 AS releases, 0 AS redemptions,
            0 AS settled, 0 AS claimed
          FROM spot_deposits WHERE block_number IS NOT NULL
          UNION ALL
          SELECT account, 0, 1, 0, 0, 0 FROM withdrawals
          WHERE status IN ('queued', 'completed', 'returned')
          UNION ALL
          SELECT account, (event->>'type' = 'vaultDeposited')::integer,
            (event->>'type' IN ('vaultReleased', 'vaultReleaseQueued'))::integer,
            (event->>'type' = 'rewardRedeemed')::integer, 0, 0
          FROM chain_parked_events
          UNION ALL
          SELECT address, 0, 0, 1, 0, amount
          FROM reward_redemptions JOIN accounts USING (account_id)
          UNION ALL
          SELECT address, 0, 0, 0, claimable + claimed, 0
          FROM referral_settled JOIN accounts USING (account_id) WHERE claimable + claimed > 0
        ) AS counted
        GROUP BY address ORDER BY address`.execute(db),
    );
    return rows.map((row) => ({
      account: row.address as Address,
      deposits: Number(row.deposits),
      releases: Number(row.releases),
      redemptions: Number(row.redemptions),
      settled: microUsdtOf(row.settled),
      claimed: microUsdtOf(row.claimed),
    }));
  }

  async listForeignWithdrawals(vault: Address): Promise<readonly ForeignWithdrawal[]> {
    const rows = await this.#pool.query((db) =>
      db
        .selectFrom('withdrawals')
        .select(['id', 'contract_address'])
        .where('contract_address', '!=', vault)
        .where('status', 'in', ['opening', 'pending', 'reserved', 'signed', 'queued'])
        .orderBy('position')
        .execute(),
    );
    return rows.map(({ id, contract_address: contractAddress }) => ({
      id,
      contractAddress: contractAddress as Address,
    }));
  }

  async adopt(contracts: ContractSet, chainId: number): Promise<void> {
    await this.#pool.query((db) =>
      db.transaction().execute(async (transaction) => {
        // If two processes start at the same time, the contracts are adopted only once.
        await sql`LOCK TABLE contracts IN EXCLUSIVE MODE`.execute(transaction);
        const { rows } = await sql`SELECT FROM contracts LIMIT 1`.execute(transaction);
        if (rows.length > 0) return;
        for (const kind of kinds) {
          await sql`
            INSERT INTO contracts (chain_id, kind, address, state, adopted_at)
            VALUES (${chainId}, ${kind}, ${contracts[kind]}, 'active', ${this.#now()})`.execute(
            transaction,
          );
        }
        await sql`
          INSERT INTO contracts (chain_id, kind, address, state, adopted_at)
          SELECT DISTINCT chain_id, 'spotVault', contract_address, 'retired',
            ${this.#now()}::timestamptz
          FROM withdrawals WHERE contract_address <> ${contracts.spotVault}
          ON CONFLICT (chain_id, address) DO NOTHING`.execute(transaction);
        await sql`
          UPDATE withdrawals SET contract_id = contracts.id FROM contracts
          WHERE contracts.address = contract_address
            AND contracts.chain_id = withdrawals.chain_id`.execute(transaction);
        for (const kind of kinds) {
          for (const table of tablesOf[kind]) {
            await sql`
              UPDATE ${sql.table(table)} SET contract_id = active_contract(${kind})
              WHERE contract_id IS NULL`.execute(transaction);
          }
        }
        await sql`UPDATE chain_parked_events
          SET contract_id = active_contract(contract)`.execute(transaction);
      }),
    );
  }

  async succeed(kind: ContractKind, successor: Address, chainId: number): Promise<void> {
    await this.#pool.query((db) =>
      db.transaction().execute(async (transaction) => {
        await sql`LOCK TABLE contracts IN EXCLUSIVE MODE`.execute(transaction);
        // Nothing in the database results from the register's events.
        const state = kind === 'referralRebate' ? 'retired' : 'draining';
        const { rows } = await sql<{ id: string }>`
          UPDATE contracts SET state = ${state} WHERE kind = ${kind} AND state = 'active'
            AND address <> ${successor} RETURNING id`.execute(transaction);
        const [predecessor] = rows;
        if (predecessor === undefined) return;
        await sql`
          INSERT INTO contracts (chain_id, kind, address, predecessor_id, state, adopted_at)
          VALUES (${chainId}, ${kind}, ${successor}, ${predecessor.id}, 'active',
            ${this.#now()})`.execute(transaction);
        if (kind === 'referralRebate') await queueWholeRegister(transaction);
      }),
    );
  }

  async listDraining(): Promise<readonly DrainingContract[]> {
    const { rows } = await this.#pool.query((db) =>
      sql<DrainingContract>`
        SELECT kind, address FROM contracts WHERE state = 'draining' ORDER BY id`.execute(db),
    );
    return rows.map(({ kind, address }) => ({ kind, address }));
  }

  async retire({ address }: DrainingContract): Promise<void> {
    await this.#pool.query((db) =>
      sql`UPDATE contracts SET state = 'retired'
        WHERE address = ${address} AND state = 'draining'`.execute(db),
    );
  }
}
