/** Mark prices, from the lowest to the highest. */
export interface MarkRange {
  readonly low: bigint;
  readonly high: bigint;
}
