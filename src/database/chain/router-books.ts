import { type RawBuilder, sql, type Transaction } from 'kysely';
import type {
  BlockReference,
  CountedRouter,
  RewardSettledEvent,
  RouterBooks,
  RouterOpening,
} from '../../application/ports/chain-ledger.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { DatabasePool } from '../database-pool.ts';
import type { Tables } from '../tables.ts';
import { contractIdOf } from './event-contract.ts';
import { SettledSums } from './settled-sums.ts';

// The sums of the router's events. A successor starts from what its predecessors have paid, so part
// of its totals comes from redemptions and the rest from its own settlements.

const micro = sql.lit(1_000_000);

/** Records by how much a settlement raises the account's total; one that repeats raises nothing. */
export async function recordSettlement(
  transaction: Transaction<Tables>,
  event: Pick<RewardSettledEvent, 'account' | 'settledTotal' | 'formerContract'>,
  block: number,
): Promise<void> {
  const { account, settledTotal } = event;
  const router = contractIdOf(event, 'rewardRouter');
  await sql`
    INSERT INTO router_settlements (contract_id, account, settled_total, raised, block_number)
    SELECT id, account, total, total - standing, ${block}
    FROM (
      SELECT id, account, total, greatest(${paidBefore(sql`id`, sql`account`)},
        coalesce((SELECT max(settled_total) FROM router_settlements AS known
          WHERE known.contract_id = asked.id AND known.account = asked.account), 0)) AS standing
      FROM (SELECT ${router} AS id, ${account}::text AS account,
        ${String(settledTotal)}::numeric AS total) AS asked
    ) AS settlement WHERE total > standing`.execute(transaction);
}

/** Undoes what was recorded for blocks after this one. */
export async function revertSettlements(
  transaction: Transaction<Tables>,
  block: number,
): Promise<void> {
  await sql`DELETE FROM router_settlements WHERE block_number > ${block}`.execute(transaction);
}

/** What the routers before this one have paid the account. */
function paidBefore(router: RawBuilder<unknown>, account: RawBuilder<unknown>) {
  return sql`(
    coalesce((SELECT sum(amount) * ${micro} FROM reward_redemptions JOIN accounts USING (account_id)
      WHERE accounts.address = ${account} AND contract_id < ${router}), 0)
    + coalesce((SELECT sum(${parkedAmount}) FROM chain_parked_events AS parked
      WHERE parked.account = ${account} AND event->>'type' = 'rewardRedeemed'
        AND contract_id < ${router}), 0))`;
}

const parkedAmount = sql`rtrim(event->>'amount', 'n')::numeric`;
const activeRouter = sql`active_contract('rewardRouter')`;

/** Sums of rows, in 10^-6 USDT. */
interface RouterSums {
  readonly raised: bigint;
  readonly paid: bigint;
  /** The part of `paid` that predecessors of the router have paid. */
  readonly paidBefore: bigint;
}

interface RouterRow {
  readonly id: string;
  readonly is_open: boolean;
  readonly opening_settled: string;
  readonly opening_claimed: string;
}

export class DatabaseRouterBooks implements RouterBooks {
  readonly #pool: DatabasePool;
  readonly #settled = new SettledSums<RouterSums>();

  constructor(pool: DatabasePool) {
    this.#pool = pool;
  }

  async load({ number, hash }: BlockReference, mustRecount = false): Promise<CountedRouter | null> {
    return this.#pool.query((db) =>
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (transaction) => {
          const { rows } = await sql<{ hash: string }>`
            SELECT hash FROM chain_blocks ORDER BY number DESC LIMIT 1`.execute(transaction);
          const router = await findActive(transaction);
          if (rows[0]?.hash !== hash || router === null) return null;
          const old = await this.#settled.load(
            { contract: router.id, head: number, mustRecount },
            (last) => sumRows(transaction, sql`block_number <= ${last}`),
          );
          const recent = await sumRecent(transaction, old.block);
          return {
            ...addUp(router, [old.sums, recent]),
            unopened: router.is_open ? null : await listSettled(transaction),
          };
        }),
    );
  }

  async open({ number }: BlockReference, opening: RouterOpening): Promise<void> {
    await this.#pool.query((db) =>
      db.transaction().execute(async (transaction) => {
        const { numAffectedRows } = await sql`
          UPDATE contracts SET books_since = ${number}
          WHERE id = ${activeRouter} AND books_since IS NULL`.execute(transaction);
        const router = await findActive(transaction);
        if (numAffectedRows === 0n || router === null) return;
        for (const { account, total } of opening.totals) {
          // Permanent, whatever blocks the chain leaves.
          await recordSettlement(transaction, { account, settledTotal: total }, 0);
        }
        const counted = addUp(router, [await sumRecent(transaction, -1)]);
        const settled = String(opening.settled - counted.settled);
        const claimed = String(opening.claimed - counted.claimed);
        await sql`
          UPDATE contracts SET
            opening_settled = opening_settled + ${settled}::numeric,
            opening_claimed = opening_claimed + ${claimed}::numeric
          WHERE id = ${activeRouter}`.execute(transaction);
        this.#settled.forget();
      }),
    );
  }
}

function addUp(router: RouterRow, sums: readonly RouterSums[]) {
  const sumOf = (field: keyof RouterSums) => sums.reduce((sum, each) => sum + each[field], 0n);
  return {
    settled: BigInt(router.opening_settled) + sumOf('raised') + sumOf('paidBefore'),
    claimed: BigInt(router.opening_claimed) + sumOf('paid'),
  };
}

async function findActive(transaction: Transaction<Tables>): Promise<RouterRow | null> {
  const { rows } = await sql<RouterRow>`
    SELECT id::text, books_since IS NOT NULL AS is_open, opening_settled::text,
      opening_claimed::text
    FROM contracts WHERE id = ${activeRouter}`.execute(transaction);
  return rows[0] ?? null;
}

/** Rows above a block, and redemptions that wait for people, however old. */
async function sumRecent(transaction: Transaction<Tables>, block: number): Promise<RouterSums> {
  return sumRows(
    transaction,
    sql`block_number > ${block}`,
    sql`UNION ALL SELECT ${parkedAmount}, contract_id FROM chain_parked_events
      WHERE event->>'type' = 'rewardRedeemed'`,
  );
}

async function sumRows(
  transaction: Transaction<Tables>,
  which: RawBuilder<unknown>,
  waiting: RawBuilder<unknown> = sql``,
): Promise<RouterSums> {
  const { rows } = await sql<Record<'raised' | 'paid' | 'paid_before', string>>`
    SELECT trunc(raised)::text AS raised, trunc(paid)::text AS paid,
      trunc(paid_before)::text AS paid_before
    FROM
      (SELECT coalesce(sum(raised), 0) AS raised FROM router_settlements
        WHERE contract_id = ${activeRouter} AND ${which}) AS settlements,
      (SELECT coalesce(sum(amount), 0) AS paid,
          coalesce(sum(amount) FILTER (WHERE contract_id < ${activeRouter}), 0) AS paid_before
        FROM (SELECT amount * ${micro} AS amount, contract_id FROM reward_redemptions
          WHERE ${which} ${waiting}) AS each) AS redemptions`.execute(transaction);
  const { raised = '0', paid = '0', paid_before: paidBefore = '0' } = rows[0] ?? {};
  return { raised: BigInt(raised), paid: BigInt(paid), paidBefore: BigInt(paidBefore) };
}

async function listSettled(transaction: Transaction<Tables>): Promise<readonly Address[]> {
  const { rows } = await sql<{ address: Address }>`
    SELECT address FROM referral_settled JOIN accounts USING (account_id)
    WHERE claimable + claimed > 0 ORDER BY account_id`.execute(transaction);
  return rows.map(({ address }) => address);
}
