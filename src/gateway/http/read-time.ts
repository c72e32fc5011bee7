import { Type } from 'typebox';
import { done, type Outcome, refused } from '../../domain/outcome.ts';

/** A time in a request, as text; the handler parses it with readTime. */
export const timeInput = (description: string) =>
  Type.Optional(
    Type.String({
      description: `${description}: ISO 8601 in UTC, or milliseconds since 1970`,
      examples: ['2026-01-05T00:00:00Z'],
    }),
  );

/** 9999-01-01: about the last time that texts and the database write with a four-digit year. */
export const latestTime = 253_370_764_800_000;

const millisecondsPattern = /^(0|[1-9][0-9]{0,14})$/;
const isoPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/;

/** The field as milliseconds since 1970; null if it is absent. */
export function readTime(field: string, text: string | undefined): Outcome<number | null> {
  if (text === undefined) return done(null);
  const time = millisecondsPattern.test(text)
    ? Number(text)
    : Date.parse(isoPattern.test(text) ? text : '');
  if (time <= latestTime) return done(time);
  const detail = `${field}: neither ISO 8601 in UTC nor milliseconds since 1970`;
  return refused({ reason: 'parameter_invalid', detail });
}

export interface TimeRange {
  readonly startTime: number | null;
  readonly endTime: number | null;
}

/** The fields start_time and end_time as milliseconds since 1970; null if one is absent. */
export function readTimeRange(query: {
  readonly start_time?: string;
  readonly end_time?: string;
}): Outcome<TimeRange> {
  const startTime = readTime('start_time', query.start_time);
  if (startTime.kind === 'refused') return startTime;
  const endTime = readTime('end_time', query.end_time);
  if (endTime.kind === 'refused') return endTime;
  return done({ startTime: startTime.value, endTime: endTime.value });
}
