import { describe, expect, it } from 'vitest';
import { credit } from '../../test/support/memory-cluster.ts';
import { MemoryDisk } from '../../test/support/memory-disk.ts';
import { recordGroup } from '../../test/support/record-group.ts';
import type { Sequence } from '../domain/identifiers.ts';
import type { Command } from '../engine/commands.ts';
import { systemTime } from '../system/system-time.ts';
import { ChainHash } from './chain.ts';
import { findFork } from './fork.ts';
import type { PlacedEntry } from './log-entry.ts';
import { OwnChain } from './own-chain.ts';

const journalId = '0123456789abcdef';
const perEntry = 2;
const own = Array.from({ length: 12 }, () => credit());
const others = Array.from({ length: 12 }, () => credit());

/** The commands of a log that continues differently after the first ones of the journal. */
const withCommon = (common: number): readonly Command[] => [
  ...own.slice(0, common),
  ...others.slice(common),
];

async function chainOf(commands: readonly Command[]): Promise<OwnChain> {
  const member = { checkpoint: null, beginning: null, saveCheckpoint: async () => undefined };
  const kept = { disk: new MemoryDisk(), time: systemTime, folder: '/journal' };
  const chain = await OwnChain.open({ ...kept, journalId, member }, 0 as Sequence);
  if (commands.length > 0) chain.advance(chain.extendedBy(recordGroup(commands, 1)));
  return chain;
}

/** Entries of two commands each. */
function entriesOf(commands: readonly Command[], count: number): PlacedEntry[] {
  const hash = new ChainHash(journalId);
  const chains = [
    hash.first,
    ...hash.extendBy({ sequence: 0, chain: hash.first }, recordGroup(commands, 1)),
  ];
  return Array.from({ length: count }, (_, index) => {
    const first = index * perEntry;
    const lastSequence = first + perEntry;
    const group = recordGroup(commands.slice(first, lastSequence), first + 1);
    const chain = { before: chains[first]!, after: chains[lastSequence]! };
    return { position: index + 1, epoch: 1, lastSequence, group, chain } as PlacedEntry;
  });
}

/** A log that has removed the entries before the beginning. */
const logOf = (entries: readonly PlacedEntry[], beginning = 1) => ({
  load: async (position: number) => (position < beginning ? null : (entries[position - 1] ?? null)),
  loadBeginning: async () => beginning,
  loadEnd: async () => entries.length,
});

describe('findFork', () => {
  it.each([0, 1, 2, 3, 4, 5, 6])(
    'in a log of %i entries, it is after the last command that both hold',
    async (count) => {
      const chain = await chainOf(own);
      for (let common = 0; common <= count * perEntry; common += 1) {
        const entries = entriesOf(withCommon(common), count);
        const found = await findFork(logOf(entries), chain);
        const position = Math.floor(common / perEntry) + 1;
        expect(found).toEqual({ sequence: common, entry: entries[position - 1] ?? null });
      }
    },
  );

  it.each([
    [0, 1],
    [1, 1],
    [2, 2],
    [3, 2],
    [10, 6],
    [12, 6],
  ])(
    'a journal that holds %i of the commands of a log agrees with it up to entry %i',
    async (length, agreed) => {
      const entries = entriesOf(own, 6);
      const chain = await chainOf(own.slice(0, length));
      const expected = { sequence: length, entry: entries[agreed] ?? null };
      expect(await findFork(logOf(entries), chain)).toEqual(expected);
    },
  );

  it('it is found in a log whose first entries are removed', async () => {
    const entries = entriesOf(withCommon(9), 6);
    const found = await findFork(logOf(entries, 3), await chainOf(own));
    expect(found).toEqual({ sequence: 9, entry: entries[4] });
  });

  it('it is at the beginning of an epoch that does not continue this history', async () => {
    const entries = entriesOf(own, 2);
    const chain = { before: '1'.repeat(16), after: '1'.repeat(16) };
    const beginning = { ...entries[1]!, position: 3, group: new Uint8Array(), chain };
    const found = await findFork(logOf([...entries, beginning]), await chainOf(own));
    expect(found).toEqual({ sequence: 4, entry: beginning });
  });
});
