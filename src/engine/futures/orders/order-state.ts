import { type FuturesOrder } from '../../../domain/futures-order.ts';
import { type Lots } from '../../../domain/spot-market.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** An order's terms and progress, and its lifecycle flags. */
export interface OrderState extends Mutable<FuturesOrder> {
  /** Whether it rests in the book. */
  isResting: boolean;
  /** Whether trigger orders are attached to it. */
  hasChildren: boolean;
  /** Of an attached order: the number of the position that it protects; null if it waits. */
  positionNumber: number | null;
  /** Of an attached order: what its parent has filled in that position. */
  coveredQuantity: Lots;
}
