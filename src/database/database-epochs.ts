import type { Database } from './open-database.ts';

/** The newest epoch that one of the processes that share the database has claimed. */
export interface DatabaseEpochs {
  /** 0 if none is claimed. @throws DatabaseError */
  load(): Promise<number>;
  /** Claims the epoch; false if it or a later one is claimed already. @throws DatabaseError */
  raise(epoch: number): Promise<boolean>;
}

export function databaseEpochs(open: () => Promise<Database>): DatabaseEpochs {
  return {
    load: async () => {
      const { accounts } = await open();
      return accounts.withClient(async (client) => {
        const { rows } = await client.query<{ epoch: string }>('SELECT epoch FROM exchange_epoch');
        return Number(rows[0]?.epoch ?? 0);
      });
    },
    raise: async (epoch) => {
      const { accounts } = await open();
      return accounts.withClient(async (client) => {
        const { rowCount } = await client.query(
          `INSERT INTO exchange_epoch (epoch) VALUES ($1)
           ON CONFLICT (is_only) DO UPDATE SET epoch = EXCLUDED.epoch
           WHERE exchange_epoch.epoch < EXCLUDED.epoch`,
          [epoch],
        );
        return rowCount === 1;
      });
    },
  };
}
