import { hash } from 'node:crypto';
import { findRecord, readLength, readSequence } from '../journal/journal-record.ts';
import { LogUnreachableError } from './log-unreachable-error.ts';

/**
 * A hash of a whole history of commands: equal chains mean equal histories. 16 hexadecimal digits.
 */
export type Chain = string;

/** A history's last command and its chain. */
export interface ChainPoint {
  readonly sequence: number;
  readonly chain: Chain;
}

/** This copy of an entry is damaged; another one may be sound. */
export class DamagedGroupError extends LogUnreachableError {}

const digits = 16;
// The length, checksum and place of a record depend on how records are grouped.
const contentAt = 8;
const placeAt = 10;

/**
 * Computes chains. Each is a hash of the chain before it and of one record, without the record's
 * place in its group; the exchange's identity is part of it.
 */
export class ChainHash {
  readonly #identity: Buffer;
  #scratch: Buffer;

  constructor(journalId: string) {
    this.#identity = Buffer.from(journalId, 'latin1');
    this.#scratch = Buffer.alloc(4_096);
  }

  /** Of the history without commands. */
  readonly first: Chain = '0'.repeat(digits);

  /** The chain after the sound record at `start`. */
  extend(before: Chain, bytes: Uint8Array, start: number, length: number): Chain {
    const recordAt = this.#identity.length + digits;
    const size = recordAt + length - contentAt;
    if (this.#scratch.length < size) this.#scratch = Buffer.alloc(2 * size);
    const scratch = this.#scratch;
    scratch.set(this.#identity);
    scratch.write(before, this.#identity.length, 'latin1');
    scratch.set(bytes.subarray(start + contentAt, start + length), recordAt);
    scratch.fill(0, recordAt + placeAt - contentAt, recordAt + placeAt - contentAt + 2);
    return hash('sha256', scratch.subarray(0, size), 'hex').slice(0, digits);
  }

  /**
   * The chain after each record of the group that follows the history, up to `through`; records
   * that the history contains are skipped.
   */
  extendBy(before: ChainPoint, group: Uint8Array, through = Infinity): readonly Chain[] {
    const chains: Chain[] = [];
    let { sequence, chain } = before;
    for (let at = 0; at < group.length; at += readLength(group, at)) {
      const length = findRecord(group, at, group.length);
      if (length === 0) throw new DamagedGroupError('a group holds something that is no record');
      const next = readSequence(group, at);
      if (next !== sequence + 1 || next > through) continue;
      chain = this.extend(chain, group, at, length);
      sequence = next;
      chains.push(chain);
    }
    return chains;
  }
}
