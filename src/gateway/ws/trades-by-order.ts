import type { SpotTrade } from '../../domain/spot-order.ts';

export interface OwnTrade<Trade> {
  readonly trade: Trade;
  readonly role: 'maker' | 'taker';
}

interface OrderNumbers {
  readonly maker: number;
  readonly taker: number;
}

/**
 * The trades of one command by the orders that they filled. One order can meet thousands, so going
 * through all trades for each of them would stop the process for seconds.
 */
export class TradesByOrder<Trade> {
  readonly #ordersOf: (trade: Trade) => OrderNumbers;
  readonly #own = new Map<number, OwnTrade<Trade>[]>();

  constructor(ordersOf: (trade: Trade) => OrderNumbers) {
    this.#ordersOf = ordersOf;
  }

  add(trade: Trade): void {
    const { maker, taker } = this.#ordersOf(trade);
    this.#push(maker, { trade, role: 'maker' });
    this.#push(taker, { trade, role: 'taker' });
  }

  /** The order's trades so far, in their order. */
  of(orderNumber: number): readonly OwnTrade<Trade>[] {
    return this.#own.get(orderNumber) ?? [];
  }

  #push(orderNumber: number, own: OwnTrade<Trade>): void {
    const known = this.#own.get(orderNumber);
    if (known === undefined) this.#own.set(orderNumber, [own]);
    else known.push(own);
  }
}

export function tradesOfSpot(): TradesByOrder<SpotTrade> {
  return new TradesByOrder(({ makerOrderNumber: maker, takerOrderNumber: taker }) => ({
    maker,
    taker,
  }));
}
