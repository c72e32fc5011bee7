import { rateOne } from '../../../domain/futures-market.ts';
/** The lowest and the highest of a set of mark prices. */
export interface MarkRange {
  readonly low: bigint;
  readonly high: bigint;
}

const ratePart = 4n;

/** Whether the mark is further outside the range than a quarter of the base maintenance rate. */
export function isOutside(
  markPrice: bigint | null,
  range: MarkRange | null,
  { maintenanceMarginRate }: { readonly maintenanceMarginRate: bigint },
): boolean {
  if (markPrice === null || range === null) return false;
  const part = maintenanceMarginRate / ratePart;
  const fall = range.high - (range.high * part) / rateOne;
  const rise = range.low + (range.low * part) / rateOne;
  return markPrice < fall || markPrice > rise;
}
