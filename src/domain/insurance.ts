import { type Amount, toAmount } from './amount.ts';

/**
 * What a change of the insurance fund brought the account that it concerns; negative if the account
 * paid. Without `paid`, as rules 11 report it, what the fund loses counts as the account's.
 */
export function clearedAmount({
  change,
  paid,
}: {
  readonly change: Amount;
  readonly paid?: Amount;
}): Amount {
  return paid ?? toAmount(0n - change);
}
