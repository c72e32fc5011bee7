/** A broken rule of the program itself; it stops the engine instead of being handled. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

/** States what must hold here; a failure is a bug, never a caller's mistake. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

/** Closes a switch over a union: a member without a branch does not compile. */
export function assertNever(value: never): never {
  throw new AssertionError(`unexpected value ${String(value)}`);
}
