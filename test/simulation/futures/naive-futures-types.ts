import type { FuturesMarket } from '../../../src/domain/futures-market.ts';
import type { FuturesOrder } from '../../../src/domain/futures-order.ts';
import type { AccountId, TradeId } from '../../../src/domain/identifiers.ts';
import type { FuturesAudit } from '../../../src/engine/futures/futures-audit.ts';
import type { CloseOutStage } from '../../../src/engine/futures-events.ts';
import type { FeeTermsView } from '../../../src/engine/futures-view.ts';
import type { Unpaid } from './naive-arithmetic.ts';

/** What the plain engine knows before it has orders. */
export type PlainAudit = Omit<
  FuturesAudit,
  'closeOutCount' | 'getPositionNumber' | 'findProtection' | 'rules'
>;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface Order extends Mutable<FuturesOrder> {
  /** Whether it is in the book; its place there is its place in the market's list. */
  isResting: boolean;
  /** What an attached order protects: the number of a position, and its parent's lots in it. */
  protects: { readonly number: number; readonly lots: number } | null;
}

export interface Position {
  quantity: number;
  entry: bigint;
  realized: bigint;
  fees: bigint;
  updatedAt: number;
  /** The part of its notional that needs initial margin in full. */
  full: bigint;
  /** How often it has left zero or reversed. */
  number: number;
}

export interface Wallet {
  balance: bigint;
  reserved: bigint;
  /** The account's free USDT in its spot wallet. */
  spot: bigint;
  fees: FeeTermsView;
}

export interface Market {
  terms: FuturesMarket;
  /** Best first, then oldest first. */
  buy: Order[];
  sell: Order[];
  updateId: number;
  tradeCount: number;
  lastPrice: number | null;
  indexPrice: bigint | null;
  indexPriceAt: number | null;
  isIndexStale: boolean;
  held: { readonly price: bigint; readonly at: number } | null;
  markPrice: bigint | null;
  /** The mark price after the last command. */
  settled: bigint | null;
  /** The mark price at which all accounts were last judged. */
  judged: bigint | null;
  sampledAt: number;
  /** Middle less index, one each second since the beginning. */
  basis: bigint[];
  /** One each second of the running hour. */
  premiums: bigint[];
  lastRate: bigint;
  nextFundingTime: number;
  /** Minus what profits the market has paid out, and what funding it has kept. */
  clearing: bigint;
  funding: bigint;
  /** The last hour's payments, until each is booked. */
  unpaid: Unpaid[];
  isPaying: boolean;
  /** Mark price x rate of the last hour. */
  hour: bigint;
}

/** The id of the market's next trade. */
export function countTrade(market: Market): TradeId {
  market.tradeCount += 1;
  return market.tradeCount as TradeId;
}

/** A position that is being closed, with its part of the equity and its bankruptcy price. */
export interface Leg {
  readonly market: Market;
  readonly equity: bigint;
  readonly price: number;
}

/** An account that is being closed. */
export interface CloseOut {
  readonly accountId: AccountId;
  readonly number: number;
  stage: CloseOutStage;
  sliceAt: number;
}
