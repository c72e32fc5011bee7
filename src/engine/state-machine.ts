import type { Sequence, TimestampMs } from '../domain/identifiers.ts';
import type { Command } from './commands.ts';
import type { EngineView } from './engine-view.ts';
import type { AppliedCommand } from './events.ts';

/** What the sequencer adds to a command: its place and time in the journal. */
export interface Stamp {
  readonly sequence: Sequence;
  readonly timestamp: TimestampMs;
}

/** The exchange as a pure function of its journal; the engine is the one implementation. */
export interface StateMachine extends EngineView {
  /** Total: refuses with a Rejection, throws only on a bug of its own. */
  apply(command: Command, stamp: Stamp): AppliedCommand;
  /** The same for the state, where nobody asks what comes of the command: no event is made. */
  replay(command: Command, stamp: Stamp): void;
  /** The whole state as bytes; `restore` of them gives a machine with the same hash. */
  encodeState(): Uint8Array;
  /** Covers all state that a later command could see; independent of how the state was reached. */
  stateHash(): string;
  /** The full audit: every rule that the state breaks, in words; reads everything there is. */
  findBroken(): readonly string[];
}

export interface StateMachineFactory {
  create(): StateMachine;
  /** @throws AssertionError where the bytes are no state of this version or the one below. */
  restore(state: Uint8Array): StateMachine;
  /** The state hash of the machine that `encodeState` gave these bytes. */
  hashState(state: Uint8Array): string;
  /** Whether a machine of these bytes gives the same bytes again; false for an older version. */
  isOfThisVersion(state: Uint8Array): boolean;
}
