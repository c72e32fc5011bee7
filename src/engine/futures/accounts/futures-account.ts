import type { AccountId } from '../../../domain/identifiers.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { FuturesState } from '../futures-state.ts';
import type { Stakes } from '../margin/stakes.ts';
import { OrdersOfAccount } from '../orders/stored-orders.ts';

/** A position as the engine keeps it; see FuturesPosition for what the fields mean. */
export interface Position {
  readonly accountId: AccountId;
  readonly marketId: number;
  /** Lots, below zero for a short one. */
  quantity: number;
  entryNotional: bigint;
  realizedProfit: bigint;
  fees: bigint;
  /** The market's funding index up to which funding is paid. */
  fundingIndex: bigint;
  updatedAt: number;
}

export interface FeeTerms {
  readonly vipTier: number;
  readonly vipMultiplierTenths: number;
  readonly referralDiscountBps: number;
}

export const undiscounted: FeeTerms = {
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

/** Everything of one account in the futures markets; columns are indexed by market. */
export class FuturesAccount {
  readonly accountId: AccountId;
  /** Where the ledger keeps the wallet; -1 before money first moves. */
  walletCell: number;
  readonly positions: (Position | undefined)[] = [];
  readonly leverages: (number | undefined)[] = [];
  /** The margins of all accounts. */
  readonly stakes: Stakes;
  readonly orders: OrdersOfAccount;
  fees: FeeTerms = undiscounted;
  isWarned = false;
  private readonly ledger: Ledger;

  constructor(state: FuturesState, accountId: AccountId) {
    this.accountId = accountId;
    this.stakes = state.stakes;
    this.orders = new OrdersOfAccount(state.orders, accountId);
    this.ledger = state.engine.ledger;
    this.walletCell = state.cells.findWallet(accountId);
  }

  /** Settled money; below zero only with a position, or inside one command. */
  get walletBalance(): bigint {
    return this.walletCell < 0 ? 0n : this.ledger.balance(this.walletCell);
  }

  /** Set aside for withdrawals. */
  get reserved(): bigint {
    return this.walletCell < 0 ? 0n : this.ledger.balance(this.walletCell + 1);
  }

  /** Nothing was ever done here: the account is as good as absent. Judged by value alone. */
  get isBlank(): boolean {
    const { walletBalance, reserved, positions, leverages, fees, isWarned } = this;
    const isIdle = walletBalance === 0n && reserved === 0n && !isWarned;
    const isEmpty = (list: readonly unknown[]): boolean => list.every((each) => each === undefined);
    return isIdle && isUndiscounted(fees) && isEmpty(positions) && isEmpty(leverages);
  }

  /** The account's position, orders or leverage in the market have changed. */
  touchStake(marketId: number): void {
    this.stakes.touch(this.accountId, marketId);
  }

  positionIn(marketId: number): Position {
    const known = this.positions[marketId];
    if (known !== undefined) return known;
    const position: Position = {
      accountId: this.accountId,
      marketId,
      quantity: 0,
      entryNotional: 0n,
      realizedProfit: 0n,
      fees: 0n,
      fundingIndex: 0n,
      updatedAt: 0,
    };
    this.positions[marketId] = position;
    return position;
  }

  quantityIn(marketId: number): number {
    return this.positions[marketId]?.quantity ?? 0;
  }
}
