import { type Amount, toAmount, zeroAmount } from './amount.ts';
import type { Brand } from './brand.ts';
import type { FuturesMarketId } from './futures-market.ts';
import type { AccountId, TimestampMs } from './identifiers.ts';

/** A position in lots: positive is long, negative is short, zero is none. */
export type SignedLots = Brand<number, 'SignedLots'>;

/** An account's position in one market, in one-way mode under cross margin. */
export interface FuturesPosition {
  readonly accountId: AccountId;
  readonly marketId: FuturesMarketId;
  readonly quantity: SignedLots;
  /** What the open quantity cost (long) or sold for (short), in USDT; never negative. */
  readonly entryNotional: Amount;
  /** USDT before fees, since the position was last zero. */
  readonly realizedProfit: Amount;
  /** Trading fees in USDT, since the position was last zero. */
  readonly fees: Amount;
  readonly updatedAt: TimestampMs;
}

/**
 * The USDT that closing the open quantity must bring in (long) or may cost (short) for the position
 * to end without profit or loss, before the fees of closing. Zero if no price would make a loss any
 * more. Funding is not included, as on Binance.
 * https://www.binance.com/en/support/faq/8a2bc34f411b414888fb10a2db851a9b
 */
export function breakEvenNotional({
  quantity,
  entryNotional,
  realizedProfit,
  fees,
}: FuturesPosition): Amount {
  const gained = realizedProfit - fees;
  const notional = quantity > 0 ? entryNotional - gained : entryNotional + gained;
  return notional > 0n ? toAmount(notional) : zeroAmount;
}

/** A position valued at the mark price; amounts in USDT. */
export interface FuturesPositionView extends FuturesPosition {
  /** From 1 to the market's highest. */
  readonly leverage: number;
  /** USDT for one whole base asset; null before the market's first. */
  readonly markPrice: Amount | null;
  /** At mark price, positive. */
  readonly notional: Amount;
  readonly unrealizedProfit: Amount;
  readonly initialMargin: Amount;
  readonly maintenanceMargin: Amount;
  /** Of the account's resting orders in this market. */
  readonly orderMargin: Amount;
  readonly bidNotional: Amount;
  readonly askNotional: Amount;
  /** USDT for one whole base asset; null if no price would liquidate. */
  readonly liquidationPrice: Amount | null;
  /** 0 to 4; the higher, the sooner this position is auto-deleveraged. */
  readonly deleverageRank: number;
}

/** An account's perp wallet; all amounts in USDT. */
export interface PerpAccountView {
  readonly accountId: AccountId;
  /** Transfers, realized profit, fees and funding, without unrealized profit. */
  readonly walletBalance: Amount;
  readonly unrealizedProfit: Amount;
  /** walletBalance + unrealizedProfit. */
  readonly equity: Amount;
  readonly positionMargin: Amount;
  readonly orderMargin: Amount;
  readonly maintenanceMargin: Amount;
  /** Free for new orders: equity less position and order margin, at least zero. */
  readonly available: Amount;
  /** What can leave the wallet: available without unrealized profit, at least zero. */
  readonly withdrawable: Amount;
  /** Set aside for withdrawals of the perp wallet. */
  readonly reserved: Amount;
}
