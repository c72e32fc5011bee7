import { createServer, type Server } from 'node:net';
import type { Disk } from './disk.ts';
import { isErrorCode } from './journal-reader.ts';

/** Another process owns the journal. */
export class JournalLockedError extends Error {
  override readonly name = 'JournalLockedError';
}

export interface JournalLock {
  release(): Promise<void>;
}

/**
 * Makes this process the folder's only owner until it releases the lock or ends, however it ends:
 * the lock is a socket name that belongs to the kernel and not to the disk. It reaches as far as
 * the kernel's network namespace. @throws JournalLockedError
 */
export async function lockJournal(disk: Disk, folder: string): Promise<JournalLock> {
  const name = `\0openbourse-journal-${await disk.identify(folder)}`;
  const server = createServer((socket) => socket.destroy());
  try {
    await listen(server, name);
  } catch (error) {
    if (!isErrorCode(error, 'EADDRINUSE')) throw error;
    throw new JournalLockedError(`the journal in ${folder} is in use by another process`, {
      cause: error,
    });
  }
  server.unref();
  return { release: () => closeServer(server) };
}

function listen(server: Server, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(name, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}
