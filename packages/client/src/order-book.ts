import { toUnits } from './decimal.ts';

/** Price and quantity in whole numbers of 10^-8. */
export interface Level {
  readonly price: bigint;
  readonly quantity: bigint;
}

interface BookData {
  readonly bids: readonly (readonly [string, string])[];
  readonly asks: readonly (readonly [string, string])[];
}

/** A book kept from snapshots and updates of the `orderbook` channel; best levels first. */
export class OrderBook {
  bids: Level[] = [];
  asks: Level[] = [];

  /**
   * Applies a snapshot, which replaces everything, or an update, which replaces only its levels.
   */
  apply(type: 'snapshot' | 'update', { bids, asks }: BookData): void {
    if (type === 'snapshot') {
      this.bids = [];
      this.asks = [];
    }
    for (const [price, quantity] of bids) put(this.bids, price, quantity, -1n);
    for (const [price, quantity] of asks) put(this.asks, price, quantity, 1n);
  }
}

/** `direction` is 1 for a side that rises from its best price, and -1 for one that falls. */
function put(side: Level[], priceText: string, quantityText: string, direction: bigint): void {
  const price = toUnits(priceText);
  const quantity = toUnits(quantityText);
  let low = 0;
  let high = side.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const held = side[middle]?.price ?? 0n;
    if ((held - price) * direction < 0n) low = middle + 1;
    else high = middle;
  }
  const isHeld = side[low]?.price === price;
  if (quantity === 0n) side.splice(low, isHeld ? 1 : 0);
  else side.splice(low, isHeld ? 1 : 0, { price, quantity });
}
