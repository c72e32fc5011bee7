import type { Rejection } from './rejection.ts';

/** What a use case answers: its value, or the refusal that the caller may be told. */
export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'refused'; readonly rejection: Rejection };

export function done<T>(value: T): Outcome<T> {
  return { kind: 'done', value };
}

export function refused(rejection: Rejection): Outcome<never> {
  return { kind: 'refused', rejection };
}
