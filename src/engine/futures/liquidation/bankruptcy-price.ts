import { floorDivide } from '../../../domain/rounding.ts';
import type { Position } from '../accounts/stored-positions.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';

/**
 * The price in ticks at which closing the position costs exactly the part of the account's equity
 * that backs it, rounded so that it never costs more:
 *   long: (value at mark - equity) / quantity, rounded up;
 *   short: (cost at mark + equity) / quantity, rounded down.
 * https://www.binance.com/en/support/faq/liquidation-protocols-360033525271
 */
export function bankruptcyPrice(
  market: FuturesMarketState,
  position: Position,
  equity: bigint,
): number {
  const lots = Math.abs(position.quantity);
  const perTick = market.quote(1, lots);
  const markPrice = market.markPrice ?? 0n;
  const ticks =
    position.quantity > 0
      ? -floorDivide(-(market.valueAt(markPrice, lots) - equity), perTick)
      : floorDivide(market.costAt(markPrice, lots) + equity, perTick);
  return ticks < 1n ? 1 : Number(ticks);
}
