/**
 * Files as the journal needs them. The port exists so that a test can lose, tear or refuse writes;
 * every method rejects with the system's own error and its `code`.
 */
export interface Disk {
  createFolder(path: string): Promise<void>;
  /** The names in a folder, sorted. */
  list(path: string): Promise<string[]>;
  /**
   * Makes the caller the folder's only owner until it releases the lock or its process ends.
   * @throws JournalLockedError
   */
  lock(folder: string): Promise<DiskLock>;
  openForReading(path: string): Promise<DiskFile>;
  /** Creates or empties the file. Written data is durable only after `sync`. */
  create(path: string): Promise<DiskFile>;
  /** Opens an existing file whose writes are durable once they resolve. */
  openDurable(path: string): Promise<DiskFile>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes creations, renames and removals in the folder durable. */
  syncFolder(path: string): Promise<void>;
}

export interface DiskLock {
  release(): Promise<void>;
}

/** Another process owns the journal. */
export class JournalLockedError extends Error {
  override readonly name = 'JournalLockedError';

  constructor(folder: string, options?: ErrorOptions) {
    super(`the journal in ${folder} is in use by another process`, options);
  }
}

export interface DiskFile {
  readonly path: string;
  size(): Promise<number>;
  /** Reads until the buffer is full or the file ends; resolves to the number of bytes read. */
  read(buffer: Uint8Array, position: number): Promise<number>;
  /** Writes all of bytes[0, length). */
  write(bytes: Uint8Array, length: number, position: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}
