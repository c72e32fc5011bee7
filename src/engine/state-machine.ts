import type { Sequence, TimestampMs } from '../domain/identifiers.ts';
import type { Command } from './commands.ts';
import type { EngineView } from './engine-view.ts';
import type { AppliedCommand } from './events.ts';

/** What the sequencer adds to a command: its sequence in the journal and its time. */
export interface Stamp {
  readonly sequence: Sequence;
  readonly timestamp: TimestampMs;
}

/** The exchange as a pure function of its journal; the engine is its only implementation. */
export interface StateMachine extends EngineView {
  /** The version of the rules by which the next command is applied. */
  readonly rules: number;
  /** Applies the next command. Refuses with a Rejection, and throws only because of a bug. */
  apply(command: Command, stamp: Stamp): AppliedCommand;
  /**
   * Changes the state as `apply` does, without making events; for commands whose result nobody
   * reads.
   */
  replay(command: Command, stamp: Stamp): void;
  /** The whole state as bytes; `restore` returns a machine with the same hash for them. */
  encodeState(): Uint8Array;
  /** Covers all state that a later command could depend on; independent of how it was reached. */
  stateHash(): string;
  /** The full audit: describes every rule that the state breaks; reads the whole state. */
  findBroken(): readonly string[];
  /**
   * From now on `findBroken` also computes every cell of the ledger a second time, from the
   * postings of the commands to come. Costs memory and time for each posting.
   */
  recomputeLedger(): void;
}

/** Creates state machines, either empty or from an encoded state. */
export interface StateMachineFactory {
  /** The versions of the rules that its machines have: these and all between. */
  readonly oldestRules: number;
  readonly newestRules: number;
  /**
   * A machine without history, by the newest rules unless others are given.
   * @throws AssertionError if its machines do not have these rules.
   */
  create(rules?: number): StateMachine;
  /** @throws AssertionError if the bytes are not a state of a supported version. */
  restore(state: Uint8Array): StateMachine;
  /** The state hash of the machine whose `encodeState` returned these bytes. */
  hashState(state: Uint8Array): string;
  /**
   * Whether a machine restored from these bytes encodes to the same bytes; false for older
   * versions.
   */
  isOfThisVersion(state: Uint8Array): boolean;
}
