/** Mark prices, from the lowest to the highest. */
export interface MarkRange {
  readonly low: bigint;
  readonly high: bigint;
}

const ratePart = 4n;
const rateUnit = 1_000_000_000n;

/** Whether the mark is more than a quarter of the base maintenance rate beyond the range. */
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
