import { beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../../bench/workload/random.ts';
import { agedImage } from '../../test/support/age-journal.ts';
import { ErringDisk, recordsEnd } from '../../test/support/erring-disk.ts';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import { flowCommands, hashesOf, liveHash } from '../../test/support/recorded-flow.ts';
import { type LogLine, makeSequencer } from '../../test/support/sequencer-fixture.ts';
import type { Command } from '../engine/commands.ts';
import { rulesVersion, rulesVersionMin } from '../engine/rules.ts';
import { crc32c } from './crc32c.ts';
import { JournalDamageError } from './journal-damage.ts';
import { findRecord } from './journal-record.ts';
import { RulesVersionError } from './rules-version.ts';

const folder = '/journal';
const startTime = 1_700_000_000_000;

type Image = Map<string, Buffer>;

interface Recorded {
  /** The files after each group of commands; the last one is after a graceful stop. */
  readonly images: readonly Image[];
  /** The last sequence in each image. */
  readonly sequences: readonly number[];
}

async function record(
  groups: readonly (readonly Command[])[],
  snapshotEvery = Number.MAX_SAFE_INTEGER,
): Promise<Recorded> {
  const disk = new MemoryDisk();
  const { sequencer } = makeSequencer(folder, { disk, limits: { snapshotEvery } });
  await sequencer.start();
  const images = [disk.files()];
  const sequences: number[] = [0];
  for (const group of groups) {
    await Promise.all(group.map((command) => sequencer.submit(command)));
    images.push(disk.files());
    sequences.push(sequencer.durableSequence);
  }
  await sequencer.stop();
  images.push(disk.files());
  sequences.push(sequencer.durableSequence);
  return { images, sequences };
}

function groupsOf(commands: readonly Command[], sizes: readonly number[]): Command[][] {
  const groups: Command[][] = [];
  for (let at = 0; at < commands.length; ) {
    const size = sizes[groups.length % sizes.length]!;
    groups.push(commands.slice(at, at + size));
    at += size;
  }
  return groups;
}

interface Recovery {
  readonly error: unknown;
  readonly sequence: number;
  readonly hash: string | null;
  readonly log: readonly LogLine[];
}

/** Recovers from the files and takes the further commands; what is left of it is only this. */
async function recover(
  image: Image,
  { further = [] as readonly Command[], disk = new MemoryDisk(image) } = {},
): Promise<Recovery> {
  const { sequencer, log } = makeSequencer(folder, { disk });
  const [started] = await Promise.allSettled([sequencer.start()]);
  const error: unknown = started.status === 'rejected' ? started.reason : null;
  if (error !== null) return { error, sequence: 0, hash: null, log };
  await Promise.all(further.map((command) => sequencer.submit(command)));
  const hash = liveHash(sequencer);
  await sequencer.stop();
  return { error, sequence: sequencer.durableSequence, hash, log };
}

function cutLine(log: readonly LogLine[]): LogLine | undefined {
  return log.find((line) => line.msg.startsWith('truncated the unfinished last write'));
}

function changed(image: Image, path: string, change: (bytes: Buffer) => Buffer | undefined): Image {
  const copy = new Map(image);
  const bytes = Buffer.from(copy.get(path)!);
  copy.set(path, change(bytes) ?? bytes);
  return copy;
}

/** The newest segment with a record. */
function lastWritten(image: Image): string {
  const segments = [...image.keys()].filter((path) => path.endsWith('.segment'));
  return segments.findLast((path) => recordsEnd(image.get(path)!) > 512)!;
}

describe('a torn tail', () => {
  const commands = flowCommands(1, 90);
  const hashes = hashesOf(commands, startTime);
  const path = `${folder}/00000001.segment`;
  let recorded: Recorded;
  beforeAll(async () => {
    recorded = await record(groupsOf(commands, [40, 1, 3, 2, 43, 1]));
  });

  async function expectPrefix(image: Image, group: number): Promise<Recovery> {
    const recovery = await recover(image);
    expect(recovery.error).toBeNull();
    expect(recovery.sequence).toBeGreaterThanOrEqual(recorded.sequences[group - 1]!);
    expect(recovery.sequence).toBeLessThanOrEqual(recorded.sequences[group]!);
    expect(recovery.hash).toBe(hashes[recovery.sequence]);
    return recovery;
  }

  test.each([
    ['zeros behind it', false],
    ['the file ends there', true],
  ])(
    'recovery: cut at every byte of the last writes (%s), every acknowledged command is there',
    async (_name, isTruncated) => {
      for (const group of [2, 3, 4, 6]) {
        const before = recorded.images[group - 1]!;
        const after = recorded.images[group]!.get(path)!;
        const from = recordsEnd(before.get(path)!);
        const end = recordsEnd(after);
        for (let cut = from; cut <= end; cut += 1) {
          const image = changed(before, path, (bytes) => {
            after.copy(bytes, from, from, cut);
            return isTruncated ? bytes.subarray(0, cut) : bytes;
          });
          const { log, sequence } = await expectPrefix(image, group);
          const isWhole = sequence === recorded.sequences[group];
          expect(isWhole).toBe(cut === end);
          const kept = cutLine(log)?.['offset'] ?? cut;
          expect(cutLine(log)?.['bytes'] ?? 0).toBe(
            recordsEnd(image.get(path)!) - Number(kept) || 0,
          );
        }
      }
    },
  );

  test('recovery: the records before the gap survive a write that lost any of its sectors', async () => {
    const group = 5;
    const before = recorded.images[group - 1]!;
    const after = recorded.images[group]!.get(path)!;
    const from = recordsEnd(before.get(path)!);
    const end = recordsEnd(after);
    const firstSector = Math.floor(from / 512);
    const sectors = Math.floor((end - 1) / 512) - firstSector + 1;
    expect(sectors).toBeGreaterThanOrEqual(4);
    for (let survivors = 0; survivors < 2 ** sectors - 1; survivors += 1) {
      const image = changed(before, path, (bytes) => {
        for (let sector = 0; sector < sectors; sector += 1) {
          if (((survivors >> sector) & 1) === 0) continue;
          const at = Math.max(from, (firstSector + sector) * 512);
          after.copy(bytes, at, at, Math.min(end, (firstSector + sector + 1) * 512));
        }
        return bytes;
      });
      await expectPrefix(image, group);
    }
  });

  test('recovery: after a truncation the journal continues, and recovers again', async () => {
    const before = recorded.images[3]!;
    const from = recordsEnd(before.get(path)!);
    const image = changed(before, path, (bytes) => {
      recorded.images[4]!.get(path)!.copy(bytes, from, from, from + 20);
      return bytes;
    });
    const { log, sequence } = await expectPrefix(image, 4);
    expect(cutLine(log)).toMatchObject({ file: path, offset: from, bytes: 20 });
    const disk = new MemoryDisk(image);
    const further = commands.slice(sequence, sequence + 5);
    await recover(image, { disk, further });
    const again = await recover(disk.files());
    expect(again.sequence).toBe(sequence + 5);
    expect(again.hash).toBe(hashes[sequence + 5]);
    expect(cutLine(again.log)).toBeUndefined();
  });
});

describe('damage', () => {
  const commands = flowCommands(2, 900);
  const hashes = hashesOf(commands, startTime);
  let whole: Image;
  let running: Image;
  beforeAll(async () => {
    const { images } = await record(groupsOf(commands, [20, 1, 7, 60, 3]), 250);
    whole = images.at(-1)!;
    // As a killed process leaves it: the last records are behind the newest snapshot.
    running = images.at(-2)!;
  });

  test('recovery: with any bit flipped, it names file and offset or restores the same state', async () => {
    const random = new Random(3);
    const seen = { refused: 0, same: 0 };
    for (let round = 0; round < 400; round += 1) {
      const image = round % 2 === 0 ? whole : running;
      const paths = [...image.keys()];
      const path = paths[random.nextBits() % paths.length]!;
      let offset = 0;
      const flipped = changed(image, path, (bytes) => {
        offset = random.nextBits() % (random.nextBits() % 2 ? bytes.length : recordsEnd(bytes));
        bytes[offset]! ^= 1 << (random.nextBits() % 8);
        return bytes;
      });
      const { error, hash, sequence } = await recover(flipped);
      if (error === null) {
        seen.same += 1;
        expect(sequence).toBe(commands.length);
        expect(hash).toBe(hashes[commands.length]);
      } else {
        seen.refused += 1;
        expect(error).toBeInstanceOf(JournalDamageError);
        const { file, offset: found, message } = error as JournalDamageError;
        expect(file).toBe(path);
        expect(found).toBeLessThanOrEqual(offset);
        expect(message).toContain(`${path} at offset ${found}`);
      }
    }
    expect(seen.refused).toBeGreaterThan(20);
    expect(seen.same).toBeGreaterThan(100);
  });

  test('recovery: every flipped bit of a complete last write counts as damage', async () => {
    const path = lastWritten(running);
    const end = recordsEnd(running.get(path)!);
    for (let offset = end - 150; offset < end; offset += 1) {
      for (const bit of [0, 3, 7]) {
        const image = changed(running, path, (bytes) => {
          bytes[offset]! ^= 1 << bit;
          return bytes;
        });
        const { error } = await recover(image);
        expect(error).toBeInstanceOf(JournalDamageError);
      }
    }
  });

  test('recovery: a damaged snapshot is logged, and the previous one gives the same state', async () => {
    const path = [...whole.keys()].findLast((each) => each.endsWith('.snapshot'))!;
    const image = changed(whole, path, (bytes) => {
      bytes[bytes.length - 100]! ^= 4;
      return bytes;
    });
    const { error, log, hash } = await recover(image);
    expect(error).toBeNull();
    expect(hash).toBe(hashes[commands.length]);
    expect(log.map((line) => line.msg)).toContain('snapshot is damaged; using an older one');
  });

  test('recovery: a snapshot that does not give the state it names is not used', async () => {
    const path = [...whole.keys()].findLast((each) => each.endsWith('.snapshot'))!;
    const image = changed(whole, path, (bytes) => {
      // The first digit of the state hash, with a checksum that is correct again.
      bytes[52] = bytes[52] === 48 ? 49 : 48;
      bytes.writeUInt32LE(crc32c(bytes, 0, bytes.length - 4), bytes.length - 4);
      return bytes;
    });
    const { log, hash } = await recover(image);
    expect(hash).toBe(hashes[commands.length]);
    expect(log.map((line) => line.msg)).toContain('snapshot is damaged; using an older one');
  });

  test('recovery: records that a snapshot has and the journal lacks count as damage', async () => {
    const last = lastWritten(whole);
    const image = changed(whole, last, (bytes) => {
      bytes.fill(0, 512);
      return bytes;
    });
    const { error } = await recover(image);
    expect(error).toBeInstanceOf(JournalDamageError);
    expect(String(error)).toMatch(/is missing, though snapshot 900 has it/);
  });

  test('recovery: a missing segment is named', async () => {
    const image = new Map(whole);
    image.delete(`${folder}/00000002.segment`);
    const { error } = await recover(image);
    expect(error).toMatchObject({ file: `${folder}/00000002.segment`, offset: 0 });
  });

  test('recovery: a segment in place of another is refused', async () => {
    const image = new Map(running);
    image.set(`${folder}/00000002.segment`, whole.get(`${folder}/00000003.segment`)!);
    for (const path of [...image.keys()]) if (path.endsWith('.snapshot')) image.delete(path);
    const { error } = await recover(image);
    expect(error).toMatchObject({ file: `${folder}/00000002.segment`, offset: 0 });
  });

  test('recovery: no single failing read damages anything', async () => {
    const random = new Random(5);
    const sound = new ErringDisk(running, 0, random);
    await recover(running, { disk: sound });
    expect(sound.reads).toBeGreaterThan(5);
    const found: number[] = [];
    for (let erring = 1; erring <= sound.reads; erring += 1) {
      for (let round = 0; round < 4; round += 1) {
        const disk = new ErringDisk(running, erring, random);
        const erred = await recover(running, { disk });
        if (String(erred.error).endsWith('read before now has a wrong checksum')) {
          const { offset, file } = erred.error as JournalDamageError;
          const bytes = running.get(file)!;
          expect(offset + findRecord(bytes, offset, bytes.length)).toBeGreaterThan(disk.erredAt);
          expect(offset).toBeLessThanOrEqual(disk.erredAt);
          found.push(offset);
        }
        const { error, hash } = await recover(disk.files());
        expect(error, `read ${erring}`).toBeNull();
        expect(hash).toBe(hashes[commands.length]);
      }
    }
    // The last group is read again before it is rewritten, and has several records.
    expect(new Set(found).size).toBeGreaterThan(1);
  }, 60_000);

  test('recovery: a segment that was cut off at its last record gets its full size back', async () => {
    const path = lastWritten(running);
    const before = running.get(path)!;
    const end = recordsEnd(before);
    const disk = new MemoryDisk(changed(running, path, (bytes) => bytes.subarray(0, end)));
    const { sequencer } = makeSequencer(folder, { disk });
    await sequencer.start();
    expect(disk.files().get(path)).toEqual(before);
    await sequencer.stop();
  });

  test('recovery: without its first segments the journal still serves from a snapshot', async () => {
    const image = new Map(whole);
    image.delete(`${folder}/00000001.segment`);
    const { error, hash } = await recover(image);
    expect(error).toBeNull();
    expect(hash).toBe(hashes[commands.length]);
    for (const path of [...image.keys()]) if (path.endsWith('.snapshot')) image.delete(path);
    const without = await recover(image);
    expect(String(without.error)).toMatch(/the journal begins with record \d+; 1 is needed/);
  });

  test('recovery: commands that other rules applied are not replayed, but a snapshot can be used', async () => {
    const older = rulesVersionMin - 1;
    const age = older - rulesVersion;
    const killed = await recover(agedImage(running, age));
    expect(killed.error).toBeInstanceOf(RulesVersionError);
    expect(String(killed.error)).toMatch(
      `was applied by version ${older} of the rules and this program has versions ` +
        `${rulesVersionMin} to ${rulesVersion}: start a program that has version ${older}`,
    );
    const newer = await recover(agedImage(running, 1));
    expect(String(newer.error)).toMatch(/start a program that has it$/);
    const disk = new MemoryDisk(agedImage(whole, age));
    const further = flowCommands(2, 905).slice(900);
    const stopped = await recover(whole, { disk, further });
    expect(stopped.sequence).toBe(905);
    const again = await recover(disk.files());
    expect(again.hash).toBe(stopped.hash);
  });
});
