import type { Kysely } from 'kysely';
import { adminActor } from './projections/admin-records.ts';
import type { Tables } from './tables.ts';

/** Who acted, by default the holder of the API key, and when, by default now. */
interface AuditOrigin {
  readonly by?: string;
  readonly at?: Date;
}

/** Records what an operator did; in the transaction of the change, so that neither is alone. */
export async function insertAudit(
  db: Kysely<Tables>,
  { action, detail }: { readonly action: string; readonly detail: object },
  { by = adminActor, at }: AuditOrigin = {},
): Promise<void> {
  await db
    .insertInto('admin_audit')
    .values({
      action,
      detail: JSON.stringify(detail),
      admin_actor: by,
      sequence: null,
      ...(at !== undefined && { created_at: at }),
    })
    .execute();
}
