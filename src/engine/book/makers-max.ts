/** The maximum number of resting orders that one order or slice meets, filled or failed. */
export const makersMax = 10_000;
/**
 * The maximum number of resting orders that a fill-or-kill order reaches. One that is killed pays
 * no fee, nor does an order that is refused, so what they look at costs their account nothing.
 */
export const makersOfFokMax = 1_000;
