import { makersMax, makersOfFokMax } from '../book/makers-max.ts';
import type { Reach } from '../book/order-book.ts';
import type { ByRules } from '../rules.ts';

const everywhere: Reach = { met: Number.POSITIVE_INFINITY, seen: Number.POSITIVE_INFINITY };
const bounded: Reach = { met: makersMax, seen: makersOfFokMax };

/** How many resting orders an arriving order meets. */
export const reachOf: ByRules<Reach> = { 11: everywhere, 12: everywhere, 13: bounded };
