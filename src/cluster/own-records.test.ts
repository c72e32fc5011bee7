import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { credit, MemoryCluster } from '../../test/support/memory-cluster.ts';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import { readLength, readPlace, readSequence } from '../journal/journal-record.ts';
import { systemTime } from '../system/system-time.ts';
import { lastSequenceOf, type OwnGroup, OwnRecords } from './own-records.ts';

const groupBytesMax = 256 * 1_024;

describe("the records of a process's journal", () => {
  let cluster: MemoryCluster;
  let records: OwnRecords;

  beforeEach(() => {
    cluster = new MemoryCluster();
  });
  afterEach(() => cluster.close());

  async function write(reasons: readonly string[]): Promise<void> {
    const disk = new MemoryDisk();
    const { exchange } = await cluster.join(disk);
    for (const reason of reasons) await exchange.submit(credit(reason));
    await exchange.stop();
    records = new OwnRecords(disk, '/journal', systemTime);
  }

  async function visit(first: number, last: number): Promise<readonly OwnGroup[]> {
    const groups: OwnGroup[] = [];
    await records.visit(first, last, async (group) => void groups.push(group));
    return groups;
  }

  /** The sequences and places of the records in a group. */
  function placesOf({ group }: OwnGroup): readonly (readonly [number, number])[] {
    const places: (readonly [number, number])[] = [];
    for (let at = 0; at < group.length; at += readLength(group, at)) {
      places.push([readSequence(group, at), readPlace(group, at)]);
    }
    return places;
  }

  it('are one group from one sequence to another, with the places that they have there', async () => {
    await write(['1', '2', '3', '4', '5']);
    const [group, ...others] = await visit(2, 4);
    expect(others).toEqual([]);
    expect(placesOf(group!)).toEqual([
      [2, 0],
      [3, 1],
      [4, 2],
    ]);
    expect(group!.lastSequence).toBe(4);
    expect(lastSequenceOf(group!.group)).toBe(4);
    expect((await visit(5, 5)).map(placesOf)).toEqual([[[5, 0]]]);
  });

  it('are in no group where none is asked for', async () => {
    await write(['1']);
    expect(await visit(2, 1)).toEqual([]);
  });

  it('are in several groups if one would be longer than 256 KiB', async () => {
    await write(Array.from({ length: 9 }, () => 'x'.repeat(60_000)));
    const groups = await visit(1, 9);
    expect(groups.map(({ lastSequence }) => lastSequence)).toEqual([4, 8, 9]);
    for (const { group } of groups) expect(group.length).toBeLessThanOrEqual(groupBytesMax);
    expect(groups.map((each) => placesOf(each)[0]![1])).toEqual([0, 0, 0]);
  });

  it('that are missing are not passed over', async () => {
    await write(['1', '2']);
    await expect(visit(1, 3)).rejects.toThrow();
  });
});
