import type { Database } from './open-database.ts';
import { isTableMissing } from './projector/journal-end.ts';

interface Stamp {
  readonly count: number;
  readonly token: string;
}

/** The newest stamp of each member's data folder. */
export interface DatabaseStamps {
  /**
   * Null if the member has none; `unavailable` if the database lacks the table, which an upgrade
   * creates only once the process has recovered. @throws DatabaseError
   */
  load(member: string): Promise<Stamp | null | 'unavailable'>;
  /** Replaces the stamp if it still is `before`. @throws DatabaseError */
  replace(member: string, before: Stamp | null, stamp: Stamp): Promise<void>;
}

export function databaseStamps(open: () => Promise<Database>): DatabaseStamps {
  return {
    load: async (member) => {
      const { accounts } = await open();
      try {
        return await accounts.withClient(async (client) => {
          const { rows } = await client.query<{ count: string; token: string }>(
            'SELECT count, token FROM member_stamps WHERE member = $1',
            [member],
          );
          const [row] = rows;
          return row === undefined ? null : { count: Number(row.count), token: row.token };
        });
      } catch (error) {
        if (isTableMissing(error)) return 'unavailable';
        throw error;
      }
    },
    replace: async (member, before, { count, token }) => {
      const { accounts } = await open();
      await accounts.withClient((client) =>
        before === null
          ? client.query(
              `INSERT INTO member_stamps (member, count, token) VALUES ($1, $2, $3)
               ON CONFLICT DO NOTHING`,
              [member, count, token],
            )
          : client.query(
              `UPDATE member_stamps SET count = $2, token = $3
               WHERE member = $1 AND count = $4 AND token = $5`,
              [member, count, token, before.count, before.token],
            ),
      );
    },
  };
}
