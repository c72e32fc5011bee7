import { type Amount, toAmount } from '../../domain/amount.ts';
import { assert } from '../../domain/assert.ts';
import { decimalFromTicks, type SpotMarket } from '../../domain/spot-market.ts';
import type { SpotTrade } from '../../domain/spot-order.ts';

// What a fee is worth in USDT (contract.md section 4): a fee taken in another token is valued at
// the trade's own price, rounded down.
// Decision 18: a market without USDT on either side has no such price; its fees earn nothing.

/** Referral commission is counted and paid in this token. */
export const rewardToken = 'USDT';

const decimalOne = 10n ** 18n;

export type TradeSide = 'maker' | 'taker';

/** The USDT value of the fee that one side of the trade paid; null where there is no price. */
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
