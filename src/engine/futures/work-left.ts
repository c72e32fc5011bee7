import type { Rejection } from '../../domain/rejection.ts';

/** Returned by a command that was applied, and has left timed work that is due. */
export const workLeft = 'work_left';

/** The outcome of a command that does timed work: refused, applied, or applied with work left. */
export type TimedOutcome = Rejection | typeof workLeft | null;
