import { stat } from 'node:fs/promises';

/** The system account that the server runs as; null: the account of this process. */
export type ServerAccount = { readonly uid: number; readonly gid: number } | null;

const rootUid = 0;
// The account `nobody` of Linux distributions: PostgreSQL refuses to run as root.
const nobody = { uid: 65_534, gid: 65_534 } as const;

/** The owner of an existing cluster; for a new one `nobody` under root, otherwise this process. */
export async function chooseServerAccount(clusterFolder: string): Promise<ServerAccount> {
  if (process.getuid?.() !== rootUid) return null;
  const owner = await stat(clusterFolder).catch(() => null);
  if (owner === null || owner.uid === rootUid) return nobody;
  return { uid: owner.uid, gid: owner.gid };
}

// The server inherits nothing of this process's environment, which contains secrets.
const serverEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** The `spawn` options that run a program as the account. */
export function spawnOptionsFor(account: ServerAccount) {
  return { env: serverEnvironment, ...(account ?? {}) };
}
