import { stat } from 'node:fs/promises';

/** The system account that the server runs as; null: the account of this process. */
export type ServerAccount = { readonly uid: number; readonly gid: number } | null;

const rootUid = 0;
// The account `nobody` of Linux distributions: PostgreSQL refuses to run as root.
const nobody = { uid: 65_534, gid: 65_534 } as const;

/** Whoever owns an existing cluster; for a new one `nobody` under root, else this process. */
export async function chooseServerAccount(clusterFolder: string): Promise<ServerAccount> {
  if (process.getuid?.() !== rootUid) return null;
  const owner = await stat(clusterFolder).catch(() => null);
  if (owner === null || owner.uid === rootUid) return nobody;
  return { uid: owner.uid, gid: owner.gid };
}

// The server gets nothing of this process's environment: it holds secrets.
const serverEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** What `spawn` needs to run a program as the account. */
export function spawnOptionsFor(account: ServerAccount) {
  return { env: serverEnvironment, ...(account ?? {}) };
}
