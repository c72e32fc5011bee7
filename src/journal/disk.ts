/**
 * Files as the journal needs them. The port exists so that a test can lose, tear or refuse writes;
 * every method rejects with the system's own error and its `code`.
 */
export interface Disk {
  createFolder(path: string): Promise<void>;
  /** The names in a folder, sorted. */
  list(path: string): Promise<string[]>;
  /** A text that is the same for every path to this folder and for no other folder. */
  identify(path: string): Promise<string>;
  openForReading(path: string): Promise<DiskFile>;
  /** Creates or empties the file. What is written is durable after `sync` only. */
  create(path: string): Promise<DiskFile>;
  /** Opens an existing file whose writes are durable once they resolve. */
  openDurable(path: string): Promise<DiskFile>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes creations, renames and removals in the folder durable. */
  syncFolder(path: string): Promise<void>;
}

export interface DiskFile {
  readonly path: string;
  size(): Promise<number>;
  /** Reads until the buffer is full or the file ends; resolves with the bytes read. */
  read(buffer: Uint8Array, position: number): Promise<number>;
  /** Writes all of bytes[0, length). */
  write(bytes: Uint8Array, length: number, position: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}
