import { expect, test } from 'vitest';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import { flowCommands } from '../../test/support/recorded-flow.ts';
import { makeSequencer } from '../../test/support/sequencer-fixture.ts';
import { JournalDamageError } from './journal-damage.ts';

const folder = '/journal';
const path = `${folder}/00000001.segment`;

/** The journal before the last two writes, and how far it reached before and after each. */
async function record() {
  const disk = new MemoryDisk();
  const { sequencer } = makeSequencer(folder, { disk });
  await sequencer.start();
  const commands = flowCommands(1, 30);
  const ends: number[] = [];
  let before = disk.files();
  for (const group of [commands.slice(0, 10), commands.slice(10, 20), commands.slice(20)]) {
    await Promise.all(group.map((command) => sequencer.submit(command)));
    const files = disk.files();
    if (ends.length === 0) before = files;
    ends.push(files.get(path)!.findLastIndex((byte) => byte !== 0) + 1);
  }
  const after = disk.files().get(path)!;
  await sequencer.stop();
  const [from = 0, next = 0, end = 0] = ends;
  return { before, after, from, next, end };
}

test.each([
  { sectors: 1, has: 'nothing after it' },
  { sectors: 16, has: 'nothing after it' },
  { sectors: 16, has: 'the next write in its place' },
])(
  'journal: a write that the disk put $sectors sectors further on, with $has, is damage, and nothing is cut off',
  async ({ sectors, has }) => {
    const { before, after, from, next, end } = await record();
    const bytes = Buffer.from(before.get(path)!);
    const landed = from + 512 * sectors;
    if (has !== 'nothing after it') after.copy(bytes, next, next, end);
    after.copy(bytes, landed, from, next);
    const disk = new MemoryDisk(new Map(before).set(path, bytes));
    const { sequencer } = makeSequencer(folder, { disk });
    const error: unknown = await sequencer.start().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(JournalDamageError);
    expect(error).toMatchObject({ file: path, offset: from });
    expect(disk.files().get(path)).toEqual(bytes);
    if (has === 'nothing after it') {
      expect(String(error)).toMatch(new RegExp(`is damaged: it was written to offset \\d+$`));
    }
  },
);
