import type { Sequence } from '../domain/identifiers.ts';
import type { Disk } from '../journal/disk.ts';
import { findReaderStart } from '../journal/journal-folder.ts';
import { JournalReader } from '../journal/journal-reader.ts';
import { readSequence } from '../journal/journal-record.ts';
import type { Time } from '../system/time.ts';
import { type Chain, ChainHash, type ChainPoint } from './chain.ts';
import type { LogEntry } from './log-entry.ts';
import type { MemberFile } from './member-file.ts';

export interface OwnChainOptions {
  readonly disk: Disk;
  readonly time: Time;
  readonly folder: string;
  readonly journalId: string;
  readonly member: Pick<MemberFile, 'checkpoint' | 'beginning' | 'saveCheckpoint'>;
}

const keptMax = 1 << 16;
const checkpointEvery = 100_000;

/** The chain of this process's history, at its end and at every command before it. */
export class OwnChain {
  readonly #options: OwnChainOptions;
  readonly #hash: ChainHash;
  /** The newest chains, each at its sequence modulo the length. */
  readonly #kept: Chain[] = [];
  /** The first command whose chain is kept, as long as no newer one has taken its place. */
  #keptFrom = 1;
  #newest: ChainPoint;

  private constructor(options: OwnChainOptions) {
    this.#options = options;
    this.#hash = new ChainHash(options.journalId);
    this.#newest = this.#base(Infinity);
  }

  /** Reads the journal from the last checkpoint on. */
  static async open(options: OwnChainOptions, end: Sequence): Promise<OwnChain> {
    const chain = new OwnChain(options);
    chain.#newest = chain.#base(end);
    chain.#keptFrom = chain.#newest.sequence + 1;
    await chain.#read(chain.#newest, end, (next) => chain.advance([next]));
    return chain;
  }

  get newest(): ChainPoint {
    return this.#newest;
  }

  /** The chain after each record of the group that continues from the newest command. */
  extendedBy(group: Uint8Array): readonly Chain[] {
    return this.#hash.extendBy(this.#newest, group);
  }

  /** The same for a group that continues from another place, whose chain is given. */
  extend(before: Chain, group: Uint8Array): readonly Chain[] {
    return this.#hash.extendBy({ sequence: readSequence(group, 0) - 1, chain: before }, group);
  }

  /** The history continues with commands that have these chains. */
  advance(chains: readonly Chain[]): void {
    let { sequence, chain } = this.#newest;
    for (chain of chains) {
      sequence += 1;
      this.#kept[sequence % keptMax] = chain;
    }
    this.#newest = { sequence, chain };
  }

  /** The chain after that command; null if it is not one of the newest. */
  keptAt(sequence: number): Chain | null {
    const { newest } = this;
    if (sequence === newest.sequence) return newest.chain;
    const isKept =
      sequence < newest.sequence &&
      sequence >= this.#keptFrom &&
      newest.sequence - sequence < keptMax;
    return isKept ? this.#kept[sequence % keptMax]! : null;
  }

  /** The chain after that command, which this process holds. */
  async at(sequence: number): Promise<Chain> {
    const kept = this.keptAt(sequence);
    if (kept !== null) return kept;
    const base = this.#base(sequence);
    let { chain } = base;
    await this.#read(base, sequence, (next) => void (chain = next));
    return chain;
  }

  /**
   * Whether the entry continues from this history or belongs to it, as far as both go. False if
   * commands are missing between them.
   */
  async agrees({ group, lastSequence, chain }: LogEntry): Promise<boolean> {
    const { sequence: own } = this.#newest;
    const before = group.length === 0 ? lastSequence : readSequence(group, 0) - 1;
    if (before > own) return false;
    const beginning = this.#options.member.beginning?.sequence ?? 0;
    // What precedes the snapshot with which the journal begins is known by the chain there alone.
    if (lastSequence < beginning) return true;
    const expected = before < beginning ? (chain?.before ?? '') : await this.at(before);
    if (chain !== null && chain.before !== expected) return false;
    if (before === own || group.length === 0) return true;
    const common = Math.min(own, lastSequence);
    const chains = this.#hash.extendBy({ sequence: before, chain: expected }, group, common);
    return chains.at(-1) === (await this.at(common));
  }

  /** Saves the place to compute from after a restart: now and then, and always the last time. */
  async saveCheckpoint(durable: Sequence, isLast: boolean): Promise<void> {
    const { member } = this.#options;
    const beyond = durable - (member.checkpoint?.sequence ?? 0);
    if (beyond <= 0 || (!isLast && beyond < checkpointEvery)) return;
    await member.saveCheckpoint({ sequence: durable, chain: await this.at(durable) });
  }

  #base(sequence: number): ChainPoint {
    const { checkpoint, beginning } = this.#options.member;
    if (checkpoint !== null && checkpoint.sequence <= sequence) return checkpoint;
    return beginning ?? { sequence: 0, chain: this.#hash.first };
  }

  async #read(base: ChainPoint, end: number, visit: (chain: Chain) => void): Promise<void> {
    if (end <= base.sequence) return;
    const { disk, folder, time } = this.#options;
    const start = await findReaderStart(disk, folder, base.sequence as Sequence);
    const reader = new JournalReader(disk, start, time);
    let { chain } = base;
    try {
      const isWhole = await reader.read(end, () => {
        const { record } = reader;
        chain = this.#hash.extend(chain, record, 0, record.length);
        visit(chain);
      });
      if (!isWhole) throw reader.missingRecord;
    } finally {
      await reader.close();
    }
  }
}
