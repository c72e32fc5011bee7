import type { Side } from '../../src/domain/spot-order.ts';

/** A trailing stop of a plain list, with what it remembers. */
export interface PlainStop {
  readonly orderNumber: number;
  readonly side: Side;
  /** A price in the form that the list takes. */
  readonly activation: bigint | null;
  readonly callback: number;
  extreme: bigint | null;
}

const bpsPerWhole = 10_000n;

/** Trailing stops that follow their rule literally: each of them sees every price. */
export class PlainTrailingStops {
  stops: PlainStop[] = [];

  add(stop: Omit<PlainStop, 'extreme'>): void {
    this.stops.push({ ...stop, extreme: null });
  }

  remove(orderNumber: number): void {
    this.stops = this.stops.filter((stop) => stop.orderNumber !== orderNumber);
  }

  follow(price: bigint): void {
    for (const stop of this.stops) {
      const isSell = stop.side === 'sell';
      const { extreme, activation } = stop;
      if (extreme !== null) {
        if (isSell ? price > extreme : price < extreme) stop.extreme = price;
      } else if (activation === null || (isSell ? price >= activation : price <= activation)) {
        stop.extreme = price;
      }
    }
  }

  /** What fires at the price: buys first; of a side the trigger that comes first, then by number. */
  due(price: bigint): readonly PlainStop[] {
    return this.stops
      .filter(({ side, callback, extreme }) => {
        if (extreme === null) return false;
        const back = side === 'sell' ? extreme - price : price - extreme;
        return back * bpsPerWhole >= extreme * BigInt(callback);
      })
      .sort((one, other) => {
        if (one.side !== other.side) return one.side === 'buy' ? -1 : 1;
        const [first, second] = [triggerOf(one), triggerOf(other)];
        if (first === second) return one.orderNumber - other.orderNumber;
        return first < second === (one.side === 'buy') ? -1 : 1;
      });
  }
}

/** Ten thousand times the price at which it fires. */
function triggerOf({ side, callback, extreme }: PlainStop): bigint {
  const share = side === 'sell' ? bpsPerWhole - BigInt(callback) : bpsPerWhole + BigInt(callback);
  return (extreme ?? 0n) * share;
}
