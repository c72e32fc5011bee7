import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32c } from '../../src/journal/crc32c.ts';

// Both kinds of files of a journal have the version of the rules there.
const versionAt = 12;
const segmentChecksumAt = 508;
const snapshotChecksumBytes = 4;

/** Makes a journal's files those of a program whose rules are so many versions further or behind. */
export async function ageJournal(folder: string, versions: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const isSegment = name.endsWith('.segment');
    if (!isSegment && !name.endsWith('.snapshot')) continue;
    const bytes = await readFile(join(folder, name));
    bytes.writeUInt32LE(bytes.readUInt32LE(versionAt) + versions, versionAt);
    const checksumAt = isSegment ? segmentChecksumAt : bytes.length - snapshotChecksumBytes;
    bytes.writeUInt32LE(crc32c(bytes, 0, checksumAt), checksumAt);
    await writeFile(join(folder, name), bytes);
  }
}
