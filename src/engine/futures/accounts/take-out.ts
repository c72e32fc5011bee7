import type { PostingCode } from '../../ledger/postings.ts';
import { reportRule } from '../command-rules.ts';
import { settleAccountFunding } from '../funding/settle-funding.ts';
import type { FuturesState } from '../futures-state.ts';
import { accountMargin } from '../margin/account-margin.ts';
import { freeOf } from '../margin/new-risk.ts';
import type { FuturesAccount } from './futures-account.ts';
import { isGateShut } from './withdrawal-gate.ts';

/** Moves settled money out of a perp wallet; there is no other way for an account to take it. */
export function takeOut(
  state: FuturesState,
  account: FuturesAccount,
  {
    to,
    amount,
    code,
  }: { readonly to: number; readonly amount: bigint; readonly code: PostingCode },
): void {
  const { accountId } = account;
  if (isGateShut(state)) {
    reportRule(state, 'gate-holds', `account ${accountId} withdraws while the gate is shut`);
  }
  settleAccountFunding(state, account);
  state.postToWallet(account, to, 0n - amount, code);
  const left = freeOf(state, account, accountMargin(state, account));
  if (left < 0n) {
    reportRule(
      state,
      'gate-holds',
      `account ${accountId} withdraws ${0n - left} more than is free`,
    );
  }
}
