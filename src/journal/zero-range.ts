import type { DiskFile } from './disk.ts';

const chunkBytesMax = 1 << 20;

/** Whether the file contains only zeros from the offset on. */
export async function isZeroFrom(file: DiskFile, offset: number): Promise<boolean> {
  return (await findLastNonZero(file, offset)) < 0;
}

/** The offset of the last non-zero byte at or after `offset`; -1 if there is none. */
export async function findLastNonZero(file: DiskFile, offset: number): Promise<number> {
  const chunkBytes = Math.max(1, Math.min(chunkBytesMax, (await file.size()) - offset));
  const chunk = Buffer.alloc(chunkBytes);
  const zeros = Buffer.alloc(chunkBytes);
  let last = -1;
  for (let at = offset; ; at += chunkBytes) {
    const count = await file.read(chunk, at);
    if (chunk.compare(zeros, 0, count, 0, count) !== 0) {
      let end = count - 1;
      while (chunk[end] === 0) end -= 1;
      last = at + end;
    }
    if (count < chunkBytes) return last;
  }
}

/** Whether bytes[start, end) are all zero; true if the range is empty. */
export function isZeroRange(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (bytes[at] !== 0) return false;
  return true;
}
