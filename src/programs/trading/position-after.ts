import type { Side } from '../../domain/spot-order.ts';

/** A position of one market; lots are negative if short, the entry notional is positive USDT. */
export interface HeldPosition {
  readonly quantity: number;
  readonly entryNotional: bigint;
}

/** A fill of that many lots for that much USDT. */
export interface PositionFill {
  readonly side: Side;
  readonly lots: number;
  readonly quote: bigint;
}

/** The position after a fill, and the profit realized by the part that closes; without fees. */
export function positionAfter(
  held: HeldPosition,
  { side, lots, quote }: PositionFill,
): HeldPosition & { readonly profit: bigint } {
  const signed = side === 'buy' ? lots : -lots;
  const quantity = held.quantity + signed;
  if (lots === 0) return { ...held, profit: 0n };
  if (held.quantity === 0 || Math.sign(held.quantity) === Math.sign(signed)) {
    return { quantity, entryNotional: held.entryNotional + quote, profit: 0n };
  }
  const heldLots = Math.abs(held.quantity);
  const closed = BigInt(Math.min(heldLots, lots));
  const closedQuote = (quote * closed) / BigInt(lots);
  const closedEntry = (held.entryNotional * closed) / BigInt(heldLots);
  const profit = held.quantity > 0 ? closedQuote - closedEntry : closedEntry - closedQuote;
  const isReversed = lots > heldLots;
  const entryNotional = isReversed ? quote - closedQuote : held.entryNotional - closedEntry;
  return { quantity, entryNotional, profit };
}
