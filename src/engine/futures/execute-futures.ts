import { assert } from '../../domain/assert.ts';
import type { Rejection } from '../../domain/rejection.ts';
import type { EngineState } from '../engine-state.ts';
import type { FuturesCommand } from '../futures-commands.ts';

/** Applies a command of the futures side; a refused one leaves no trace. */
export function executeFutures(state: EngineState, command: FuturesCommand): Rejection | null {
  assert(state.sequence < 0, `no futures market takes ${command.type}`);
  return null;
}
