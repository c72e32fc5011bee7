import { stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { type DiskLock, JournalLockedError } from './disk.ts';
import { isErrorCode } from './journal-reader.ts';

/**
 * Makes this process the folder's only owner until it releases the lock or ends, however it ends:
 * the lock is a socket name owned by the kernel, not a file on the disk. It reaches as far as the
 * kernel's network namespace. @throws JournalLockedError
 */
export async function lockJournal(folder: string): Promise<DiskLock> {
  const name = `\0openbourse-journal-${await identify(folder)}`;
  const server = createServer((socket) => socket.destroy());
  try {
    await listen(server, name);
  } catch (error) {
    if (!isErrorCode(error, 'EADDRINUSE')) throw error;
    throw new JournalLockedError(folder, { cause: error });
  }
  server.unref();
  return { release: () => closeServer(server) };
}

// The same for every path to this folder and for no other folder.
async function identify(folder: string): Promise<string> {
  const { dev, ino } = await stat(folder, { bigint: true });
  return `${dev}-${ino}`;
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
