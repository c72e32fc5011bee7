import type pg from 'pg';
import type { DatabasePool } from '../../src/database/database-pool.ts';

/** A pool whose connections fail around the statement that a test names, counted from now. */
export class BreakingPool implements Pick<DatabasePool, 'query' | 'withClient'> {
  readonly query: DatabasePool['query'];
  readonly #pool: DatabasePool;
  #count = 0;
  #plan: { readonly statement: number; readonly moment: 'before' | 'after' } | null = null;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
    this.query = (work) => pool.query(work);
  }

  breakAt(statement: number, moment: 'before' | 'after'): void {
    this.#count = 0;
    this.#plan = { statement, moment };
  }

  async withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return this.#pool.withClient((client) => work(this.#breakable(client)));
  }

  #breakable(client: pg.PoolClient): pg.PoolClient {
    const query = client.query.bind(client) as (...values: unknown[]) => Promise<unknown>;
    const broken = async (...values: unknown[]): Promise<unknown> => {
      if (values[0] === 'ROLLBACK') return query(...values);
      this.#count += 1;
      const isDue = this.#plan?.statement === this.#count;
      if (isDue && this.#plan?.moment === 'before') throw new Error('the connection broke');
      const result = await query(...values);
      if (isDue) throw new Error('the connection broke');
      return result;
    };
    return new Proxy(client, {
      get: (target, name) => {
        if (name === 'query') return broken;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }
}
