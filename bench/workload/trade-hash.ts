export const tradeHashStart = 2_166_136_261;

const prime = 16_777_619;

/** Folds one trade into the hash; the order of trades counts. */
export function mixTrade(
  hash: number,
  maker: number,
  taker: number,
  quantity: number,
  price: number,
): number {
  let mixed = Math.imul(hash ^ maker, prime);
  mixed = Math.imul(mixed ^ taker, prime);
  mixed = Math.imul(mixed ^ quantity, prime);
  return Math.imul(mixed ^ price, prime) >>> 0;
}
