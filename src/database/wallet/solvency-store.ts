import { sql } from 'kysely';
import type {
  MoneyInFlight,
  SolvencyStore,
  TokenAmount,
} from '../../application/upkeep/check-solvency.ts';
import { formatAmount } from '../../domain/amount.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { DatabasePool } from '../database-pool.ts';
import { parseAmount } from './parse-amount.ts';
import { setPauseSwitch } from './pause-switch.ts';

const shortagesKey = 'vault_shortages';
const actor = 'check_solvency';

interface Row {
  readonly kind: 'block' | 'deposit' | 'withdrawal' | 'credit';
  /** The block's hash, the token's contract, or its symbol. */
  readonly place: string;
  readonly sum: string;
}

export class DatabaseSolvencyStore implements SolvencyStore {
  readonly #pool: DatabasePool;
  readonly #now: () => Date;

  constructor(pool: DatabasePool, now: () => Date) {
    this.#pool = pool;
    this.#now = now;
  }

  async noteShortages(
    present: readonly TokenAmount[],
    callsForPause: (kept: readonly TokenAmount[]) => boolean,
  ): Promise<boolean> {
    const texts = Object.fromEntries(
      present.map(({ token, amount }) => [token, formatAmount(amount)]),
    );
    return this.#pool.query((db) =>
      db.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ value: Readonly<Record<string, string>> }>`
          SELECT value FROM settings WHERE key = ${shortagesKey} FOR UPDATE`.execute(transaction);
        const kept = Object.entries(rows[0]?.value ?? {}).map(([token, text]) => ({
          token,
          amount: parseAmount(text),
        }));
        if (kept.length === 0 && present.length === 0) return false;
        await sql`
          INSERT INTO settings (key, value, updated_at)
          VALUES (${shortagesKey}, ${JSON.stringify(texts)}::jsonb, ${this.#now()})
          ON CONFLICT (key) DO UPDATE SET
            value = excluded.value, updated_at = excluded.updated_at`.execute(transaction);
        if (!callsForPause(kept)) return false;
        const reason = { shortage: texts };
        await setPauseSwitch(transaction, { isPaused: true, actor, at: this.#now(), reason });
        return true;
      }),
    );
  }

  // One statement, so that all of it is of one moment.
  async loadMoneyUnderWay(): Promise<MoneyInFlight> {
    const query = sql<Row>`
      (SELECT 'block' AS kind, hash AS place, '0' AS sum FROM chain_blocks
        ORDER BY number DESC LIMIT 1)
      UNION ALL
      SELECT 'deposit', token_address, sum(raw_amount)::text FROM spot_deposits
        WHERE credited_at IS NULL AND block_number IS NOT NULL GROUP BY token_address
      UNION ALL
      SELECT 'withdrawal', token, sum(amount)::text FROM withdrawals
        WHERE NOT is_settled AND status = 'completed' AND returned_deposit IS NULL
        GROUP BY token
      UNION ALL
      SELECT 'credit', token, sum(amount)::text FROM spot_admin_credits GROUP BY token`;
    const { rows } = await this.#pool.query((db) => query.execute(db));
    const block = rows.find(({ kind }) => kind === 'block');
    const amountsOf = (wanted: Row['kind']) =>
      rows
        .filter(({ kind }) => kind === wanted)
        .map(({ place, sum }) => ({ token: place, amount: parseAmount(sum) }));
    return {
      blockHash: (block?.place ?? null) as `0x${string}` | null,
      waitingDeposits: rows
        .filter(({ kind }) => kind === 'deposit')
        .map(({ place, sum }) => ({ tokenAddress: place as Address, rawAmount: BigInt(sum) })),
      paidWithdrawals: amountsOf('withdrawal'),
      credits: amountsOf('credit'),
    };
  }
}
