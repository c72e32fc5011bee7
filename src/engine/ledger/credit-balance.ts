import { amountMax } from '../../domain/amount.ts';
import type { AccountId, Address } from '../../domain/identifiers.ts';
import type { Rejection } from '../../domain/rejection.ts';
import type { CreditBalance } from '../commands.ts';
import type { EngineState } from '../engine-state.ts';
import { postingCodes } from './postings.ts';

/** The address's account, opened if it has none. */
export function openAccount(state: EngineState, address: Address): AccountId {
  const known = state.accounts.find(address);
  if (known !== null) return known;
  const accountId = state.accounts.open(address);
  state.outcome.push({ type: 'accountOpened', accountId, address });
  return accountId;
}

/** Credits an account with money from outside; a reference that has been used changes nothing. */
export function creditBalance(state: EngineState, command: CreditBalance): Rejection | null {
  const { address, token, amount, actor, reason, reference } = command;
  const { tokens, ledger, references, outcome } = state;
  if (amount <= 0n) return { reason: 'amount_not_positive' };
  if (reference !== null && references.has(reference)) return null;
  const knownToken = tokens.find(token);
  const issued = knownToken === null ? 0n : ledger.issuedOf(knownToken);
  if (issued + amount > amountMax) return { reason: 'amount_out_of_range' };
  const accountId = openAccount(state, address);
  const tokenId = state.openToken(token);
  const available = ledger.open(accountId, tokenId);
  ledger.post(ledger.external(tokenId), available, amount, postingCodes.credit);
  if (reference !== null) references.add(reference);
  const credit = { accountId, tokenId, amount, actor, reason, reference };
  outcome.push({ type: 'balanceCredited', ...credit });
  return null;
}
