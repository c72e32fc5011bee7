import type { AccountId } from '../../../domain/identifiers.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Stakes } from '../margin/stakes.ts';
import { OrdersOfAccount, type StoredOrders } from '../orders/stored-orders.ts';
import type { PerpCells } from './perp-cells.ts';
import type { Position, StoredPositions } from './stored-positions.ts';

/**
 * What changes the base fees of a market: a multiplier in tenths and a discount in basis points.
 */
export interface FeeTerms {
  readonly vipTier: number;
  readonly vipMultiplierTenths: number;
  readonly referralDiscountBps: number;
}

const undiscounted: FeeTerms = {
  vipTier: 0,
  vipMultiplierTenths: 10,
  referralDiscountBps: 0,
};

function isUndiscounted({ vipTier, vipMultiplierTenths, referralDiscountBps }: FeeTerms): boolean {
  return (
    vipTier === undiscounted.vipTier &&
    vipMultiplierTenths === undiscounted.vipMultiplierTenths &&
    referralDiscountBps === undiscounted.referralDiscountBps
  );
}

/** Where the data of all accounts are stored. */
interface AccountStores {
  readonly stakes: Stakes;
  readonly orders: StoredOrders;
  readonly positions: StoredPositions;
  readonly cells: PerpCells;
  readonly engine: { readonly ledger: Ledger };
}

/** All of one account's data in the futures markets; arrays are indexed by market. */
export class FuturesAccount {
  readonly accountId: AccountId;
  /** The wallet's cell in the ledger; -1 before money first moves. */
  walletCell: number;
  readonly positions: (Position | undefined)[] = [];
  readonly leverages: (number | undefined)[] = [];
  /** The margins of all accounts. */
  readonly stakes: Stakes;
  readonly orders: OrdersOfAccount;
  fees: FeeTerms = undiscounted;
  isWarned = false;
  /** Whether the running command has changed the wallet. */
  isTouched = false;
  private readonly ledger: Ledger;
  private readonly storedPositions: StoredPositions;

  constructor(state: AccountStores, accountId: AccountId) {
    this.accountId = accountId;
    this.stakes = state.stakes;
    this.orders = new OrdersOfAccount(state.orders, accountId);
    this.ledger = state.engine.ledger;
    this.storedPositions = state.positions;
    this.walletCell = state.cells.findWallet(accountId);
  }

  /** Settled money; negative only with a position, or inside one command. */
  get walletBalance(): bigint {
    return this.walletCell < 0 ? 0n : this.ledger.balance(this.walletCell);
  }

  /** The amount set aside for withdrawals. */
  get reserved(): bigint {
    return this.walletCell < 0 ? 0n : this.ledger.balance(this.walletCell + 1);
  }

  /**
   * Whether the account's data equal those of an account that never traded here. Judged by value
   * alone.
   */
  get isBlank(): boolean {
    const { walletBalance, reserved, positions, leverages, fees, isWarned } = this;
    const isIdle = walletBalance === 0n && reserved === 0n && !isWarned;
    const isEmpty = (list: readonly unknown[]): boolean => list.every((each) => each === undefined);
    return isIdle && isUndiscounted(fees) && isEmpty(positions) && isEmpty(leverages);
  }

  /** Whether the account has no position. */
  get isFlat(): boolean {
    return this.positions.every((position) => position === undefined || position.quantity === 0);
  }

  /** Records that the account's position, orders or leverage in the market have changed. */
  touchStake(marketId: number): void {
    this.stakes.touch(this.accountId, marketId);
  }

  /** The position in the market, created flat if it is missing. */
  positionIn(marketId: number): Position {
    const known = this.positions[marketId];
    if (known !== undefined) return known;
    const position = this.storedPositions.open(this.accountId, marketId);
    this.positions[marketId] = position;
    return position;
  }

  /** The position’s signed quantity in lots; 0 without one. */
  quantityIn(marketId: number): number {
    return this.positions[marketId]?.quantity ?? 0;
  }
}
