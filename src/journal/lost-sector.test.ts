import { expect, test } from 'vitest';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import { flowCommands } from '../../test/support/recorded-flow.ts';
import { makeSequencer } from '../../test/support/sequencer-fixture.ts';
import { findRecord, readSequence } from './journal-record.ts';
import { segmentHeaderBytes } from './segment.ts';

const folder = '/journal';
const path = `${folder}/00000001.segment`;
const sectorBytes = 512;
const lengthBytes = 4;

test('journal: a write that lost no more than the length of its record is unfinished, not damaged', async () => {
  const disk = new MemoryDisk();
  const { sequencer } = makeSequencer(folder, { disk, limits: { segmentBytesFirst: 1 << 20 } });
  await sequencer.start();
  await Promise.all(flowCommands(2, 2_000).map((command) => sequencer.submit(command)));
  const files = disk.files();
  await sequencer.stop();
  const bytes = files.get(path)!;
  const before = new Set<number>();
  for (let at = segmentHeaderBytes, length = 1; length > 0; at += length) {
    length = findRecord(bytes, at, bytes.length);
    const inSector = sectorBytes - (at % sectorBytes);
    if (length === 0 || inSector > lengthBytes || before.has(inSector)) continue;
    before.add(inSector);
    // The record is the last one, and the disk has all of it but what is in its first sector.
    const torn = Buffer.from(bytes);
    torn.fill(0, at, at + inSector).fill(0, at + length);
    const recovered = makeSequencer(folder, {
      disk: new MemoryDisk(new Map([[path, torn]])),
    }).sequencer;
    await recovered.start();
    expect(recovered.durableSequence).toBe(readSequence(bytes, at) - 1);
    await recovered.stop();
  }
  expect([...before].sort()).toEqual([1, 2, 3, 4]);
});
