import { type Amount, toAmount } from '../../domain/amount.ts';
import { assert } from '../../domain/assert.ts';
import { decimalOne } from '../../domain/decimal.ts';
import { decimalFromTicks, type SpotMarket } from '../../domain/spot-market.ts';
import type { SpotTrade } from '../../domain/spot-order.ts';

// The value of a fee in USDT (contract.md section 4). A fee taken in another token is valued at the
// trade's price, rounded down.
// Decision 18: a market without USDT on either side has no such price; its fees earn nothing.

/** The token in which referral commission is counted and paid. */
export const rewardToken = 'USDT';

/** A side of a trade, as the payer of a fee. */
export type TradeSide = 'maker' | 'taker';

/**
 * The USDT value of the fee that one side of the trade paid, rounded down; null if the market has
 * no price in USDT.
 */
export function valueSpotFee(market: SpotMarket, trade: SpotTrade, side: TradeSide): Amount | null {
  const isBuyer = (trade.takerSide === 'buy') === (side === 'taker');
  const fee = side === 'taker' ? trade.takerFee : trade.makerFee;
  const token = isBuyer ? market.baseToken : market.quoteToken;
  if (token === rewardToken) return fee;
  const price = decimalFromTicks(market, trade.price);
  assert(price > 0n, 'a trade has a price');
  if (market.quoteToken === rewardToken) return toAmount((fee * price) / decimalOne);
  if (market.baseToken === rewardToken) return toAmount((fee * decimalOne) / price);
  return null;
}
