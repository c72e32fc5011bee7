import { type Amount, toAmount, zeroAmount } from '../../domain/amount.ts';
import type { SolvencyReport, TokenAmount, TokenSolvency } from './check-solvency.ts';

// The vault's balance of a token has to cover what is owed of it, else withdrawals pause. They do
// when a token turns from sound to short, and again when more of it is missing: whoever resumes
// them in spite of a shortage has seen it, and is not overridden for the same one.

/** What the vault lacks of each token by every one of these looks: the least of them. */
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

/** Whether something is missing that was not, or more than was. */
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
