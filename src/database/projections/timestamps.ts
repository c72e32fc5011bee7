/**
 * SQL for a moment given in whole milliseconds. `to_timestamp` takes a double, whose error is far
 * below the microsecond to which the moment is rounded.
 */
export function timestampFrom(milliseconds: string): string {
  return `to_timestamp(${milliseconds} / 1000.0::float8)`;
}
