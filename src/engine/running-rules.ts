// Rules that every command is checked for, over the cells, wallets and markets that it has touched.
// The full audit recomputes the same rules and more over the whole state.
//
//   postings-sum-zero         the cells of a token sum to zero
//   no-negative-cell          no cell holds what its kind forbids
//   flat-wallet-not-negative  a wallet is negative only with a position or a close-out
//   market-lots-zero          the positions of a market sum to zero
//   posting-positive          a posting moves more than nothing
//   no-unjudged-fill          a party of a fill ends with equity, or is being closed
//   gate-holds                nothing leaves while the gate is shut, nor more than is settled
//   price-state-allows        no fill grows a position without a fresh price
//   work-bounded              no command ends or fires more orders than one may
//   deleveraging-bounded      others are closed between the valuation price and the settled price

/** The rules checked at the end of each command, by name. */
export type RunningRule =
  | 'postings-sum-zero'
  | 'no-negative-cell'
  | 'flat-wallet-not-negative'
  | 'market-lots-zero'
  | 'posting-positive'
  | 'no-unjudged-fill'
  | 'gate-holds'
  | 'price-state-allows'
  | 'work-bounded'
  | 'deleveraging-bounded';

/** Called with a broken rule and what broke it. */
export type RuleListener = (rule: RunningRule, detail: string) => void;

/**
 * What an engine does when a command breaks a rule: `stop` throws before the command is
 * acknowledged; `hold` applies it and holds back all money in the perp wallets, so that the
 * exchange continues, every replay reaches the same state, and a person decides.
 */
export type OnBrokenRule = 'stop' | 'hold';

/** The rules that the running command has broken, in words. */
export class BrokenRules {
  private found: string[] = [];

  readonly report: RuleListener = (rule, detail) => {
    this.found.push(`${rule}: ${detail}`);
  };

  get isAny(): boolean {
    return this.found.length > 0;
  }

  /** Returns all that was reported, and starts over. */
  take(): readonly string[] {
    const { found } = this;
    this.found = [];
    return found;
  }
}
