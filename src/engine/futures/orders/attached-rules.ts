import { type FuturesState } from '../futures-state.ts';
import { type LiveOrder } from './live-order.ts';

/** How take-profits and stop-losses that are attached to an order, their parent, behave. */
export interface AttachedRules {
  /** Whether the waiting order watches its price. */
  isArmed(state: FuturesState, child: LiveOrder): boolean;
  /** Whether the account still has the position that the waiting order protects. */
  isProtecting(state: FuturesState, child: LiveOrder): boolean;
  /** Called after a fill of the parent has changed its position, before it counts as filled. */
  followFill(
    state: FuturesState,
    parent: LiveOrder,
    children: readonly LiveOrder[],
    quantity: number,
  ): void;
  /** Called when the position is over and the parent lives. */
  waitForFill(state: FuturesState, child: LiveOrder): void;
}
