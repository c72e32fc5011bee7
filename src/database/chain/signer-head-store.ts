import { sql } from 'kysely';
import type { SignerHead, SignerHeadStore } from '../../application/ports/signer-log.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { DatabasePool } from '../database-pool.ts';

export class DatabaseSignerHeadStore implements SignerHeadStore {
  readonly #pool: DatabasePool;
  readonly #now: () => Date;

  constructor(pool: DatabasePool, now: () => Date) {
    this.#pool = pool;
    this.#now = now;
  }

  async note(signer: Address, { head, signatures }: SignerHead): Promise<void> {
    // The first word counts: a later one for the same place would hide a difference.
    await this.#pool.query((db) =>
      sql`
        INSERT INTO signer_heads (signer, signatures, head, noted_at)
        VALUES (${signer}, ${signatures}, ${head}, ${this.#now()})
        ON CONFLICT (signer, signatures) DO NOTHING`.execute(db),
    );
  }

  async findLast(signer: Address): Promise<SignerHead | null> {
    const { rows } = await this.#pool.query((db) =>
      sql<{ signatures: string; head: string }>`
        SELECT signatures, head FROM signer_heads WHERE signer = ${signer}
        ORDER BY signatures DESC LIMIT 1`.execute(db),
    );
    const [row] = rows;
    return row === undefined ? null : { head: row.head, signatures: Number(row.signatures) };
  }
}
