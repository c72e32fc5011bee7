import type { Sequence } from '../../../src/domain/identifiers.ts';

/** A broken rule, and the oracle that found it. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly oracle: string;

  constructor(oracle: string, text: string) {
    super(text);
    this.oracle = oracle;
  }
}

/** A record of any journal at the end. */
export interface HistoryRecord {
  readonly sequence: number;
  readonly timestamp: number;
  /** Unlike that of any other command; null for one whose repetition shows nothing. */
  readonly id: string | null;
}

/** What clients were told, checked as it happens and against the journals at the end. */
export class History {
  /** The highest sequence that was acknowledged or read. */
  seen = 0 as Sequence;
  acknowledged = 0;
  refused = 0;
  unknown = 0;
  reads = 0;
  readonly #idAt = new Map<number, string>();
  readonly #sequenceOf = new Map<string, number>();
  readonly #refusedIds = new Set<string>();
  readonly #hashAt = new Map<number, string>();

  /** O5: one sequence always belongs to the same command. */
  acknowledge(id: string, sequence: Sequence): void {
    this.acknowledged += 1;
    const other = this.#idAt.get(sequence);
    if (other !== undefined && other !== id) {
      throw new Violation('O5', `sequence ${sequence} was acknowledged for ${other} and ${id}`);
    }
    const before = this.#sequenceOf.get(id);
    if (before !== undefined && before !== sequence) {
      throw new Violation('O5', `${id} was acknowledged at ${before} and ${sequence}`);
    }
    this.#idAt.set(sequence, id);
    this.#sequenceOf.set(id, sequence);
    if (sequence > this.seen) this.seen = sequence;
  }

  /** The command was refused: no history may contain it. */
  refuse(id: string): void {
    this.refused += 1;
    this.#refusedIds.add(id);
  }

  /** The command is sent again. */
  retry(id: string): void {
    this.#refusedIds.delete(id);
  }

  /** O6: what was acknowledged or read before a call began is in its answer. */
  read(atLeast: Sequence, position: Sequence, where: string): void {
    this.reads += 1;
    if (position < atLeast) {
      throw new Violation(
        'O6',
        `a read at ${where} showed ${position}; ${atLeast} was seen before`,
      );
    }
    if (position > this.seen) this.seen = position;
  }

  /** O8: the same commands give the same state everywhere. */
  compare(sequence: number, stateHash: string, where: string): void {
    const other = this.#hashAt.get(sequence);
    if (other === undefined) this.#hashAt.set(sequence, stateHash);
    else if (other !== stateHash) {
      throw new Violation(
        'O8',
        `the state at ${where} after ${sequence} is another than elsewhere`,
      );
    }
  }

  /** O5 again, over a journal as it is at the end. */
  judge(records: readonly HistoryRecord[]): void {
    const places = new Map<string, number>();
    for (const { sequence, id } of records) {
      if (id === null) continue;
      const before = places.get(id);
      if (before !== undefined)
        throw new Violation('O5', `${id} stands at ${before} and ${sequence}`);
      places.set(id, sequence);
      if (this.#refusedIds.has(id)) {
        throw new Violation('O5', `${id} was refused and stands at ${sequence}`);
      }
    }
    for (const [id, sequence] of this.#sequenceOf) {
      if (places.get(id) === sequence) continue;
      const found = places.get(id) ?? 'nowhere';
      throw new Violation('O5', `${id} was acknowledged at ${sequence} and stands at ${found}`);
    }
    if (records.length < this.seen) {
      throw new Violation('O6', `${this.seen} was seen, and the journal ends at ${records.length}`);
    }
  }
}
