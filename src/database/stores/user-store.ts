import type { UserStore } from '../../application/ports/accounts.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { DatabasePool } from '../database-pool.ts';
import { insertAudit } from '../insert-audit.ts';

export class DatabaseUserStore implements UserStore {
  readonly #pool: DatabasePool;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
  }

  async setMarketMaker(address: Address, isMarketMaker: boolean): Promise<boolean> {
    return this.#pool.query((db) =>
      db.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('accounts')
          .set({ is_market_maker: isMarketMaker })
          .where('address', '=', address)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        const detail = { address, is_market_maker: isMarketMaker };
        await insertAudit(transaction, { action: 'set_market_maker', detail });
        return true;
      }),
    );
  }
}
