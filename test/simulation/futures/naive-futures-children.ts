import type { FuturesOrderStatus } from '../../../src/domain/futures-order.ts';
import type { AccountId, OrderNumber } from '../../../src/domain/identifiers.ts';
import type { Protection } from '../../../src/engine/futures/futures-audit.ts';
import type { FuturesOrderCause, FuturesOrderEnd } from '../../../src/engine/futures-events.ts';
import { rulesVersion } from '../../../src/engine/rules.ts';
import { isWaiting, NaiveFuturesJudge } from './naive-futures-judge.ts';
import type { Order, Position } from './naive-futures-types.ts';

export interface Ending {
  readonly status: FuturesOrderStatus;
  readonly cause: FuturesOrderCause;
  readonly end: FuturesOrderEnd | null;
}

export function ending(
  status: FuturesOrderStatus,
  cause: FuturesOrderCause,
  end: FuturesOrderEnd | null = null,
): Ending {
  return { status, cause, end };
}

/** Take-profits and stop-losses that are attached to orders, and what they protect. */
export abstract class NaiveFuturesChildren extends NaiveFuturesJudge {
  readonly rules = rulesVersion;

  protected abstract finish(order: Order, how: Ending): void;

  protected childrenOf(parent: OrderNumber): Order[] {
    return this.orders.filter((each) => each.parentOrderNumber === parent && isWaiting(each));
  }

  /** Leaves an attached order armed, waiting for its parent, or not at all. */
  protected keepOrEnd(child: Order): boolean {
    const { number, quantity } = this.position(child.accountId, child.marketId);
    if (quantity !== 0 && child.protects?.number === number) return true;
    child.protects = null;
    const hasParent = this.orders.some(
      ({ orderNumber }) => orderNumber === child.parentOrderNumber,
    );
    if (!hasParent) this.finish(child, ending('expired', 'expired', 'position_closed'));
    return false;
  }

  getPositionNumber(accountId: AccountId, marketId: Order['marketId']): number {
    return this.position(accountId, marketId).number;
  }

  findProtection(orderNumber: OrderNumber): Protection | null {
    const order = this.orders.find((each) => each.orderNumber === orderNumber);
    if (order === undefined || order.parentOrderNumber === null) return null;
    const { number = null, lots = 0 } = order.protects ?? {};
    return { positionNumber: number, coveredQuantity: lots };
  }
}

/** What a parent fills in a position on its own side is what its children cover there. */
export function coverFill(
  position: Position,
  parent: Order,
  lots: number,
  children: Order[],
): void {
  const held = parent.side === 'buy' ? position.quantity : 0 - position.quantity;
  for (const child of held > 0 ? children : []) {
    const { number } = position;
    const { protects } = child;
    const before = protects?.number === number ? protects.lots : 0;
    child.protects = { number, lots: before + Math.min(lots, held) };
  }
}
