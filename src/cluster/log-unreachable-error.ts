/** The log does not answer; the outcome of pending calls is unknown. */
export class LogUnreachableError extends Error {
  override readonly name = 'LogUnreachableError';
}
