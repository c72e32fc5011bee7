import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32c } from '../../src/journal/crc32c.ts';

// Both kinds of files of a journal have the version of the rules there.
const versionAt = 12;
const segmentChecksumAt = 508;
const snapshotChecksumBytes = 4;

/**
 * Makes a journal's files those of a program whose rules are that many versions ahead or behind.
 */
export async function ageJournal(folder: string, versions: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (isVersioned(path)) await writeFile(path, agedFile(path, await readFile(path), versions));
  }
}

/** The same for files in memory, by path. */
export function agedImage(
  image: ReadonlyMap<string, Buffer>,
  versions: number,
): Map<string, Buffer> {
  const aged = new Map(image);
  for (const [path, bytes] of image) {
    if (isVersioned(path)) aged.set(path, agedFile(path, Buffer.from(bytes), versions));
  }
  return aged;
}

function isVersioned(path: string): boolean {
  return path.endsWith('.segment') || path.endsWith('.snapshot');
}

function agedFile(path: string, bytes: Buffer, versions: number): Buffer {
  bytes.writeUInt32LE(bytes.readUInt32LE(versionAt) + versions, versionAt);
  const isSegment = path.endsWith('.segment');
  const checksumAt = isSegment ? segmentChecksumAt : bytes.length - snapshotChecksumBytes;
  bytes.writeUInt32LE(crc32c(bytes, 0, checksumAt), checksumAt);
  return bytes;
}
