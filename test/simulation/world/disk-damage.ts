/** The bytes of a file: on the disk, and as a reader sees them now. */
export interface FileBytes {
  durable: Buffer;
  current: Buffer;
}

/** A file of a disk that may have changed on its own. */
export interface DamagedFile extends FileBytes {
  /** The content without any damage; null: there was none. Every write goes to both. */
  sound: FileBytes | null;
}

/** The file as it is, and as it would be without damage. */
export function sidesOf(file: DamagedFile): readonly FileBytes[] {
  return file.sound === null ? [file] : [file, file.sound];
}

/** Sets bytes to values that were never written there. */
export function spoil(file: DamagedFile, at: number, wrong: Uint8Array): void {
  file.sound ??= { durable: Buffer.from(file.durable), current: Buffer.from(file.current) };
  for (const bytes of [file.current, file.durable]) {
    if (at < bytes.length) bytes.set(wrong.subarray(0, bytes.length - at), at);
  }
}

export function isDamaged({ durable, current, sound }: DamagedFile): boolean {
  return sound !== null && !(sound.current.equals(current) && sound.durable.equals(durable));
}

/** Repairs the file, as an operator who restores it would. */
export function repair(file: DamagedFile): void {
  if (file.sound === null) return;
  Object.assign(file, file.sound);
  file.sound = null;
}
