import type { FapiFields } from '../fapi/fapi-fields.ts';

export interface Span {
  readonly startTime: number | null;
  readonly endTime: number | null;
}

/** The longest time span of a spot query at Binance. */
const spanMaxMs = 86_400_000;

/** Reads startTime and endTime; if both are given, they are at most 24 hours apart. */
export function readSpan(fields: FapiFields): Span | 'too_long' {
  const startTime = fields.time('startTime');
  const endTime = fields.time('endTime');
  if (startTime !== null && endTime !== null) {
    if (endTime < startTime) fields.fail('parameter_malformed', 'endTime');
    if (endTime - startTime > spanMaxMs) return 'too_long';
  }
  return { startTime, endTime };
}
