import type { Weighs } from './endpoint.ts';

/** One weight with a `symbol`, another for all markets together. */
export function byMarket(one: number, all: number): Weighs {
  return ({ symbol }) => (symbol === undefined ? all : one);
}
