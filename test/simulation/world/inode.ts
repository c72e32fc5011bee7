import { type DamagedFile, type FileBytes, sidesOf } from './disk-damage.ts';

export const sectorBytes = 512;

export interface Inode extends DamagedFile {
  /** Sectors whose current bytes may not be on the disk. */
  readonly dirty: Set<number>;
}

export function newInode(bytes: Uint8Array): Inode {
  const dirty = new Set<number>();
  return { durable: Buffer.from(bytes), current: Buffer.from(bytes), dirty, sound: null };
}

/** Writes the bytes; they are not durable yet. */
export function put(inode: Inode, bytes: Uint8Array, position: number): void {
  const end = position + bytes.length;
  for (const side of sidesOf(inode)) {
    const { current } = side;
    const missing = end - current.length;
    if (missing > 0) side.current = Buffer.concat([current, Buffer.alloc(missing)]);
    side.current.set(bytes, position);
  }
  for (let at = position - (position % sectorBytes); at < end; at += sectorBytes) {
    inode.dirty.add(at);
  }
}

/** What was written is on the disk. */
export function settle(inode: Inode): void {
  for (const side of sidesOf(inode)) {
    const { durable, current } = side;
    if (durable.length !== current.length) side.durable = Buffer.from(current);
    else for (const at of inode.dirty) current.copy(durable, at, at, at + sectorBytes);
  }
  inode.dirty.clear();
}

/** A write or sync has failed: what was not on the disk then is no longer tried by a later sync. */
export function forget(inode: Inode): void {
  inode.dirty.clear();
}

/** The power fails: of what was not on the disk, these sectors are. */
export function surviveWith(side: FileBytes, isLonger: boolean, sectors: readonly number[]): void {
  const { durable, current } = side;
  const left = Buffer.alloc(isLonger ? current.length : durable.length);
  durable.copy(left);
  for (const at of sectors) {
    if (at < left.length) current.copy(left, at, at, at + sectorBytes);
  }
  side.current = left;
  side.durable = Buffer.from(left);
}
