import type { AccountId } from '../../domain/identifiers.ts';

export interface SpreadPosition {
  readonly accountId: AccountId;
  /** Lots, negative for a short position; 0 is ignored. */
  readonly quantity: bigint;
  readonly walletBalance: bigint;
}

/** The distribution of a market's positions over its accounts; quantities in lots. */
export interface PositionSpread {
  readonly openInterest: bigint;
  readonly longAccounts: number;
  readonly shortAccounts: number;
  readonly topLongAccounts: number;
  readonly topShortAccounts: number;
  readonly topLongs: bigint;
  readonly topShorts: bigint;
}

// The top traders are a fifth of those who hold a position, rounded up.
const topShare = 5;

/** The top traders have the largest wallets; of two equal ones the older account comes first. */
export function spreadOf(positions: readonly SpreadPosition[]): PositionSpread {
  const held = positions.filter(({ quantity }) => quantity !== 0n).sort(byWallet);
  const top = held.slice(0, Math.ceil(held.length / topShare));
  const all = sidesOf(held);
  const best = sidesOf(top);
  return {
    openInterest: all.longs,
    longAccounts: all.longAccounts,
    shortAccounts: held.length - all.longAccounts,
    topLongAccounts: best.longAccounts,
    topShortAccounts: top.length - best.longAccounts,
    topLongs: best.longs,
    topShorts: best.shorts,
  };
}

function byWallet(left: SpreadPosition, right: SpreadPosition): number {
  if (left.walletBalance !== right.walletBalance) {
    return left.walletBalance > right.walletBalance ? -1 : 1;
  }
  return left.accountId - right.accountId;
}

function sidesOf(positions: readonly SpreadPosition[]) {
  const sides = { longAccounts: 0, longs: 0n, shorts: 0n };
  for (const { quantity } of positions) {
    if (quantity < 0n) {
      sides.shorts -= quantity;
      continue;
    }
    sides.longAccounts += 1;
    sides.longs += quantity;
  }
  return sides;
}
