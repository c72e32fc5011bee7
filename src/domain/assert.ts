/** A broken invariant of the program itself. It stops the engine instead of being handled. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

/**
 * Throws an AssertionError unless the condition holds; a failure is a bug, never a caller's
 * mistake.
 */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

/**
 * Makes a switch over a union exhaustive: a member without a branch does not compile. Throws an
 * AssertionError at run time.
 */
export function assertNever(value: never): never {
  throw new AssertionError(`unexpected value ${String(value)}`);
}
