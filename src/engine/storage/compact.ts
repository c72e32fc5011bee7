/**
 * The same number in the engine's small form where it has one: a number read from a column of
 * doubles takes memory of its own in every object that it stands in.
 */
export function compact(value: number): number {
  const small = value | 0;
  return small === value ? small : value;
}
