import type { QueryObserverResult } from '@tanstack/query-core';

type Query = QueryObserverResult<unknown>;

/** Of the queries that a list is made of, the first without a good answer; else the first. */
export function lackingOf(first: Query, ...others: readonly Query[]): Query {
  return [first, ...others].find(({ status }) => status !== 'success') ?? first;
}
