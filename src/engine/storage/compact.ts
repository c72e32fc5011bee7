/**
 * The same number as a small integer, if it is one: a number read from a column of doubles is
 * allocated separately in every object that holds it.
 */
export function compact(value: number): number {
  const small = value | 0;
  return small === value ? small : value;
}
