import { stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';

/** Held by one process at a time; the kernel releases it when the process ends in any way. */
export interface FolderLock {
  release(): Promise<void>;
}

/**
 * Locks the folder for this process.
 * @throws Error if another living process holds it.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  // Only Linux has socket names outside the file system, which disappear with their process.
  if (process.platform !== 'linux') return { release: async () => undefined };
  const { dev, ino } = await stat(folder);
  const server = createServer((socket) => socket.destroy());
  server.unref();
  await listen(server, `\0openbourse-database-${dev}-${ino}`).catch((cause: Error) => {
    throw new Error(`another process uses the database folder ${folder}`, { cause });
  });
  return {
    release: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
