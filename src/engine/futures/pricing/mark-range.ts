/** The lowest and the highest of a set of mark prices. */
export interface MarkRange {
  readonly low: bigint;
  readonly high: bigint;
}

const ratePart = 4n;
const rateUnit = 1_000_000_000n;

/** Whether the mark is further outside the range than a quarter of the base maintenance rate. */
export function isOutside(
  markPrice: bigint | null,
  range: MarkRange | null,
  { maintenanceMarginRate }: { readonly maintenanceMarginRate: bigint },
): boolean {
  if (markPrice === null || range === null) return false;
  const part = maintenanceMarginRate / ratePart;
  const fall = range.high - (range.high * part) / rateUnit;
  const rise = range.low + (range.low * part) / rateUnit;
  return markPrice < fall || markPrice > rise;
}
