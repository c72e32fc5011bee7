import type { AppliedCommand } from '../../../src/application/ports/exchange.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { Violation } from './history.ts';
import type { Machine, RunningProcess } from './machine.ts';

/** What a profile does in the world besides its clients of the engine. */
export interface Activity {
  /** Requests made so far. */
  readonly commands: number;
  /** Requests that were answered with their outcome. */
  readonly acknowledged: number;
  /** Requests that were sent again. */
  readonly repeats: number;
  /** The rules that the exchange begins with; absent: the newest. */
  readonly firstRules?: number;
  /** The program runs on the machine: starts what this profile adds to it. */
  attach(machine: Machine, process: RunningProcess): void;
  /** The program on the machine has ended on its own; null if that is expected. */
  hearEnd?(machine: Machine, error: unknown): Violation | null;
  /** The markets are open, and the faults are about to begin. */
  start(): void;
  /** Begins no further requests; those under way continue. */
  rest(): void;
  /** Null once everything under way has ended; otherwise what has not. */
  findUnfinished(): string | null;
  /** The process reports ready. @throws Violation if it does not serve as it should */
  probe(machine: Machine): Promise<void>;
  /** One command of the journal as a replay applies it, all in order. */
  replay(applied: AppliedCommand, engine: Engine): void;
  /** The journal has been replayed. @throws Violation */
  judge(): void;
}
