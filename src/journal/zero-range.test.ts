import { describe, expect, it } from 'vitest';
import type { DiskFile } from './disk.ts';
import { findLastNonZero, isZeroFrom, isZeroRange } from './zero-range.ts';

const mebibyte = 1 << 20;

/** A file of zeros, with ones in these places. */
function fileOf(bytes: number, ones: readonly number[]): DiskFile {
  const content = Buffer.alloc(bytes);
  for (const at of ones) content[at] = 1;
  const file = {
    size: async () => bytes,
    read: async (buffer: Buffer, position: number) =>
      position >= bytes ? 0 : content.copy(buffer, 0, position),
  };
  return file as unknown as DiskFile;
}

describe('the last byte of a file that is not zero', () => {
  it.each([
    [10, [], 0, -1],
    [10, [0], 0, 0],
    [10, [0], 1, -1],
    [10, [9], 0, 9],
    [10, [2, 7], 0, 7],
    [10, [2, 7], 7, 7],
    [10, [2, 7], 8, -1],
    [10, [], 10, -1],
    [0, [], 0, -1],
    [2 * mebibyte, [2 * mebibyte - 1], 0, 2 * mebibyte - 1],
    [2 * mebibyte, [mebibyte], 0, mebibyte],
    [2 * mebibyte, [mebibyte - 1], 0, mebibyte - 1],
    [2 * mebibyte + 5, [3, mebibyte + 3], 512, mebibyte + 3],
    [2 * mebibyte + 5, [3], 512, -1],
  ])('of %d bytes with ones at %j, from %d on, is at %d', async (bytes, ones, from, last) => {
    expect(await findLastNonZero(fileOf(bytes, ones), from)).toBe(last);
    expect(await isZeroFrom(fileOf(bytes, ones), from)).toBe(last < 0);
  });
});

describe('a range of bytes', () => {
  it('is zero if each byte in it is, whatever lies around it', () => {
    const bytes = Buffer.from([1, 0, 0, 1]);
    expect(isZeroRange(bytes, 1, 3)).toBe(true);
    expect(isZeroRange(bytes, 0, 3)).toBe(false);
    expect(isZeroRange(bytes, 1, 4)).toBe(false);
    expect(isZeroRange(bytes, 0, 0)).toBe(true);
  });
});
