import type { FapiFields } from '../fapi/fapi-fields.ts';

export interface Span {
  readonly startTime: number | null;
  readonly endTime: number | null;
}

/** Binance's longest span of a query of spot. */
const spanMaxMs = 86_400_000;

/** startTime and endTime; where both are given, at most 24 hours apart. */
export function readSpan(fields: FapiFields): Span | 'too_long' {
  const startTime = fields.time('startTime');
  const endTime = fields.time('endTime');
  if (startTime !== null && endTime !== null) {
    if (endTime < startTime) fields.fail('parameter_malformed', 'endTime');
    if (endTime - startTime > spanMaxMs) return 'too_long';
  }
  return { startTime, endTime };
}
