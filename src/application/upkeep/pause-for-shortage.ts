import { type Amount, toAmount, zeroAmount } from '../../domain/amount.ts';
import type { SolvencyReport, TokenAmount, TokenSolvency } from './check-solvency.ts';

// The vault's balance of a token has to cover what is owed; otherwise withdrawals pause. They pause
// when a token becomes short, and again when its shortage grows: an operator who resumes them
// despite a shortage has seen it, and is not overridden for the same one.

/** What the vault lacks of each token in all of these reports: the minimum over them. */
export function shortagesOf(looks: readonly SolvencyReport[]): readonly TokenAmount[] {
  const [first] = looks;
  if (first === undefined) return [];
  return first.tokens
    .map(({ token }) => {
      const found = looks.map(({ tokens }) => tokens.find((each) => each.token === token));
      return { token, amount: least(found.map(missingOf)) };
    })
    .filter(({ amount }) => amount > zeroAmount)
    .sort((a, b) => (a.token < b.token ? -1 : 1));
}

/** Whether there is a new or a larger shortage. */
export function callsForPause(
  kept: readonly TokenAmount[],
  present: readonly TokenAmount[],
): boolean {
  return present.some(({ token, amount }) => {
    const before = kept.find((each) => each.token === token);
    return before === undefined || amount > before.amount;
  });
}

function missingOf(token: TokenSolvency | undefined): Amount {
  if (token === undefined || !token.isShort) return zeroAmount;
  return toAmount(token.owed - token.unbacked - token.held);
}

function least(amounts: readonly Amount[]): Amount {
  return amounts.reduce((a, b) => (b < a ? b : a));
}
