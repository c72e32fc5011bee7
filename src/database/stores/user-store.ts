import type { UserStore } from '../../application/ports.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { DatabasePool } from '../database-pool.ts';

export class DatabaseUserStore implements UserStore {
  readonly #pool: DatabasePool;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
  }

  async setMarketMaker(address: Address, isMarketMaker: boolean): Promise<boolean> {
    const { numUpdatedRows } = await this.#pool.query((db) =>
      db
        .updateTable('accounts')
        .set({ is_market_maker: isMarketMaker })
        .where('address', '=', address)
        .executeTakeFirst(),
    );
    return numUpdatedRows > 0n;
  }
}
