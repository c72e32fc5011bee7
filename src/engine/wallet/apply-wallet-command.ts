import { amountMax } from '../../domain/amount.ts';
import { assertNever } from '../../domain/assert.ts';
import type { TokenId } from '../../domain/identifiers.ts';
import type { Rejection } from '../../domain/rejection.ts';
import type { EngineState } from '../engine-state.ts';
import { openAccount } from '../ledger/credit-balance.ts';
import { postingCodes } from '../ledger/postings.ts';
import type {
  CreditDeposit,
  ReopenWithdrawal,
  ReserveWithdrawal,
  WalletCommand,
} from './wallet-commands.ts';
import type { WithdrawalState } from './wallet-events.ts';
import type { ReservedWithdrawal } from './wallet-state.ts';

// The engine's part of deposits and withdrawals (contract.md section 8). Each step takes effect
// once however often it is sent: a deposit by its number, a withdrawal by whether it is in
// progress.

/** Credits a deposit, or sets aside, pays out or returns the amount of a withdrawal. */
export function applyWalletCommand(state: EngineState, command: WalletCommand): Rejection | null {
  switch (command.type) {
    case 'creditDeposit':
      return creditDeposit(state, command);
    case 'reserveWithdrawal':
      return reserveWithdrawal(state, command);
    case 'completeWithdrawal':
      return finishWithdrawal(state, command.withdrawalId, 'completed');
    case 'releaseWithdrawal':
      return finishWithdrawal(state, command.withdrawalId, 'released');
    case 'reopenWithdrawal':
      return reopenWithdrawal(state, command);
    default:
      return assertNever(command);
  }
}

function creditDeposit(state: EngineState, command: CreditDeposit): Rejection | null {
  const { address, token, amount, number } = command;
  const { accounts, tokens, ledger, wallet, outcome } = state;
  const known = accounts.find(address);
  const due = known === null ? 0 : wallet.countDeposits(known);
  if (number < due) return null;
  if (number !== due) return { reason: 'deposit_out_of_turn' };
  if (amount < 0n || !hasRoom(state, tokens.find(token), amount)) {
    return { reason: 'amount_out_of_range' };
  }
  const accountId = openAccount(state, address);
  const tokenId = state.openToken(token);
  wallet.countDeposit(accountId);
  if (amount > 0n) {
    const available = ledger.open(accountId, tokenId);
    ledger.post(ledger.external(tokenId), available, amount, postingCodes.deposit);
  }
  outcome.push({ type: 'depositCredited', accountId, tokenId, amount, number });
  return null;
}

function reserveWithdrawal(state: EngineState, command: ReserveWithdrawal): Rejection | null {
  const { withdrawalId, accountId, token, amount } = command;
  const { accounts, tokens, ledger, wallet } = state;
  if (!accounts.has(accountId)) return { reason: 'account_not_found' };
  if (amount <= 0n) return { reason: 'amount_not_positive' };
  if (wallet.find(withdrawalId) !== null) return { reason: 'withdrawal_under_way' };
  const tokenId = tokens.find(token);
  const cell = tokenId === null ? -1 : ledger.find(accountId, tokenId);
  if (tokenId === null || cell < 0 || ledger.balance(cell) < amount) {
    return { reason: 'insufficient_balance' };
  }
  const leaving = ledger.openSpotLeaving(accountId, tokenId);
  ledger.post(cell, leaving, amount, postingCodes.withdrawalSetAside);
  const withdrawal = { withdrawalId, accountId, tokenId, amount };
  wallet.reserve(withdrawal);
  report(state, withdrawal, 'reserved');
  return null;
}

function finishWithdrawal(
  state: EngineState,
  withdrawalId: string,
  end: 'completed' | 'released',
): Rejection | null {
  const { ledger, wallet } = state;
  const withdrawal = wallet.find(withdrawalId);
  if (withdrawal === null) return { reason: 'withdrawal_not_under_way' };
  const { accountId, tokenId, amount } = withdrawal;
  const leaving = ledger.openSpotLeaving(accountId, tokenId);
  if (end === 'completed') {
    ledger.post(leaving, ledger.external(tokenId), amount, postingCodes.withdrawalPaid);
  } else {
    const available = ledger.open(accountId, tokenId);
    ledger.post(leaving, available, amount, postingCodes.withdrawalReleased);
  }
  wallet.forget(withdrawalId);
  report(state, withdrawal, end);
  return null;
}

function reopenWithdrawal(state: EngineState, command: ReopenWithdrawal): Rejection | null {
  const { withdrawalId, accountId, token, amount } = command;
  const { accounts, tokens, ledger, wallet } = state;
  if (!accounts.has(accountId)) return { reason: 'account_not_found' };
  if (amount <= 0n) return { reason: 'amount_not_positive' };
  if (wallet.find(withdrawalId) !== null) return { reason: 'withdrawal_under_way' };
  if (!hasRoom(state, tokens.find(token), amount)) return { reason: 'amount_out_of_range' };
  const tokenId = state.openToken(token);
  const leaving = ledger.openSpotLeaving(accountId, tokenId);
  ledger.post(ledger.external(tokenId), leaving, amount, postingCodes.withdrawalReopened);
  const withdrawal = { withdrawalId, accountId, tokenId, amount };
  wallet.reserve(withdrawal);
  report(state, withdrawal, 'reserved');
  return null;
}

function hasRoom({ ledger }: EngineState, tokenId: TokenId | null, amount: bigint): boolean {
  const issued = tokenId === null ? 0n : ledger.issuedOf(tokenId);
  return issued + amount <= amountMax;
}

function report(
  { outcome }: EngineState,
  { withdrawalId, accountId, tokenId, amount }: ReservedWithdrawal,
  state: WithdrawalState,
): void {
  outcome.push({ type: 'withdrawalUpdated', withdrawalId, accountId, tokenId, amount, state });
}
