import type { DatabasePool } from '../database-pool.ts';
import type { SecretBox, SecretOwner } from './secret-box.ts';

export interface RewrapOptions {
  /** Uses the master key that currently seals the secrets. */
  readonly from: SecretBox;
  /** Uses the new master key. */
  readonly to: SecretBox;
}

export interface RewrapCount {
  readonly rewrapped: number;
  /** Already sealed under the new key by an earlier run. */
  readonly unchanged: number;
}

/**
 * Seals the secrets of all API keys under another master key: all of them, or none. No process of
 * the exchange may run meanwhile.
 * @throws Error naming an API key whose secret opens under neither key
 */
export async function rewrapSecrets(
  pool: DatabasePool,
  { from, to }: RewrapOptions,
): Promise<RewrapCount> {
  return pool.query((db) =>
    db.transaction().execute(async (transaction) => {
      const rows = await transaction.selectFrom('api_keys').selectAll().forUpdate().execute();
      let rewrapped = 0;
      for (const row of rows) {
        const owner = { apiKey: row.api_key, address: row.address };
        const sealed = {
          version: row.secret_version,
          iv: row.secret_iv,
          ciphertext: row.secret_ciphertext,
          tag: row.secret_tag,
        };
        if (opens(to, sealed, owner)) continue;
        const next = to.seal(from.open(sealed, owner), owner);
        await transaction
          .updateTable('api_keys')
          .set({
            secret_version: next.version,
            secret_iv: next.iv,
            secret_ciphertext: next.ciphertext,
            secret_tag: next.tag,
          })
          .where('api_key', '=', row.api_key)
          .execute();
        rewrapped += 1;
      }
      return { rewrapped, unchanged: rows.length - rewrapped };
    }),
  );
}

function opens(box: SecretBox, sealed: Parameters<SecretBox['open']>[0], owner: SecretOwner) {
  try {
    box.open(sealed, owner);
    return true;
  } catch {
    // Sealed under another key, or damaged: opening it under the other one shows which.
    return false;
  }
}
