import { readSequence } from '../journal/journal-record.ts';
import type { PlacedEntry } from './log-entry.ts';
import type { OwnChain } from './own-chain.ts';
import type { SharedLog } from './shared-log.ts';

/** Where a journal and the shared log diverge. */
export interface Fork {
  /** The last command that both hold. */
  readonly sequence: number;
  /** The first entry of the log that the journal does not agree with; null if there is none. */
  readonly entry: PlacedEntry | null;
}

type ForkLog = Pick<SharedLog, 'load' | 'loadBeginning' | 'loadEnd'>;
type ForkChain = Pick<OwnChain, 'agrees' | 'at' | 'newest' | 'extend'>;

/** Finds where they diverge, by binary search: entries agree up to that place and not after it. */
export async function findFork(log: ForkLog, chain: ForkChain): Promise<Fork> {
  let low = await log.loadBeginning();
  let high = (await log.loadEnd()) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const entry = await log.load(middle);
    if (entry === null || !(await chain.agrees(entry))) high = middle;
    else low = middle + 1;
  }
  const last = await log.load(low - 1);
  const entry = await log.load(low);
  const common = Math.min(last?.lastSequence ?? 0, chain.newest.sequence);
  if (entry === null || entry.group.length === 0) return { sequence: common, entry };
  return { sequence: await commonWithin(entry, common, chain), entry };
}

async function commonWithin(
  { group }: PlacedEntry,
  before: number,
  chain: ForkChain,
): Promise<number> {
  const bytes = Buffer.from(group.buffer, group.byteOffset, group.byteLength);
  if (readSequence(bytes, 0) !== before + 1) return before;
  const chains = chain.extend(await chain.at(before), bytes);
  let sequence = before;
  for (const next of chains) {
    if (sequence + 1 > chain.newest.sequence) break;
    if ((await chain.at(sequence + 1)) !== next) break;
    sequence += 1;
  }
  return sequence;
}
