import { assertNever } from '../domain/assert.ts';
import type { FlowSide } from './order-flow.ts';
import { oppositeOf, type ReplayAction } from './plan-replay.ts';

/** Prices of one side of the book, both ends included. */
export interface BookSpan {
  /** False: the action only depends on the orders there. */
  readonly isChanged: boolean;
  readonly side: FlowSide;
  readonly lowest: number;
  readonly highest: number;
}

/** The parts of the book that an action changes or depends on. */
export function spansOf(action: ReplayAction): readonly BookSpan[] {
  const { side, price } = action;
  const ownLevel = { isChanged: true, side, lowest: price, highest: price };
  switch (action.type) {
    case 'cancel':
    case 'reduce':
      return [ownLevel];
    case 'take':
      return [{ ...reachOf(side, price), isChanged: true }];
    case 'place':
      return [ownLevel, { ...reachOf(side, price), isChanged: false }];
    default:
      return assertNever(action);
  }
}

/** Whether one changes what the other changes or depends on, so that their order matters. */
export function doInterfere(left: readonly BookSpan[], right: readonly BookSpan[]): boolean {
  return left.some((one) =>
    right.some(
      (other) =>
        (one.isChanged || other.isChanged) &&
        one.side === other.side &&
        one.lowest <= other.highest &&
        other.lowest <= one.highest,
    ),
  );
}

/** The prices that an arriving order of this side and price could trade at. */
function reachOf(side: FlowSide, price: number): Omit<BookSpan, 'isChanged'> {
  const isBuy = side === 'buy';
  return {
    side: oppositeOf(side),
    lowest: isBuy ? 0 : price,
    highest: isBuy ? price : Number.POSITIVE_INFINITY,
  };
}
