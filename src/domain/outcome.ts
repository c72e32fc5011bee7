import type { Rejection } from './rejection.ts';

/** The result of a use case: its value, or the rejection that is reported to the caller. */
export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'refused'; readonly rejection: Rejection };

/** The outcome of a use case that succeeded. */
export function done<T>(value: T): Outcome<T> {
  return { kind: 'done', value };
}

/** The outcome of a use case that was refused and changed nothing. */
export function refused(rejection: Rejection): Outcome<never> {
  return { kind: 'refused', rejection };
}
