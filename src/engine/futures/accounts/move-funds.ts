import { toAmount } from '../../../domain/amount.ts';
import type { Rejection } from '../../../domain/rejection.ts';
import type { EngineState } from '../../engine-state.ts';
import type { ReservePerpFunds, TransferFunds } from '../../futures-commands.ts';
import { postingCodes } from '../../ledger/postings.ts';
import { endIfCarried } from '../liquidation/liquidate-account.ts';
import { accountMargin } from '../margin/account-margin.ts';
import { withdrawableOf } from '../margin/new-risk.ts';
import { perpWalletMax } from '../risk-limits.ts';
import { perpToken } from './perp-cells.ts';
import { fitsPerpFunds } from './perp-limit.ts';
import { takeOut } from './take-out.ts';
import { isGateShut } from './withdrawal-gate.ts';

/**
 * Moves USDT between the spot and perp wallets; a repeated client id returns the first transfer.
 */
export function transferFunds(state: EngineState, command: TransferFunds): Rejection | null {
  const { futures } = state;
  const { accountId, direction, amount, clientTransferId } = command;
  const { transferIds } = futures;
  const known =
    clientTransferId === null ? undefined : transferIds.find(accountId, clientTransferId);
  const event = {
    type: 'fundsTransferred',
    accountId,
    direction,
    amount,
    clientTransferId,
  } as const;
  if (known !== undefined) {
    state.outcome.push({ ...event, transferNumber: known, isRepeated: true });
    return null;
  }
  if (amount <= 0n) return { reason: 'amount_not_positive' };
  const refusal =
    direction === 'spot_to_perp' ? takeSpot(state, command) : takePerp(state, command);
  if (refusal !== null) return refusal;
  futures.transferNumber += 1;
  const { transferNumber } = futures;
  if (clientTransferId !== null) transferIds.add({ accountId, clientTransferId, transferNumber });
  state.outcome.push({ ...event, transferNumber, isRepeated: false });
  return null;
}

function takeSpot(state: EngineState, { accountId, amount }: TransferFunds): Rejection | null {
  const tokenId = state.tokens.find(perpToken);
  const cell = tokenId === null ? -1 : state.ledger.find(accountId, tokenId);
  if (cell < 0 || state.ledger.balance(cell) < amount) return { reason: 'insufficient_balance' };
  const account = state.futures.openAccount(accountId);
  const fitsWallet = account.walletBalance + amount <= perpWalletMax;
  if (!fitsWallet || !fitsPerpFunds(state, amount)) return { reason: 'amount_out_of_range' };
  state.futures.postToWallet(account, cell, amount, postingCodes.transferToPerp);
  endIfCarried(state.futures, account);
  return null;
}

function takePerp(state: EngineState, { accountId, amount }: TransferFunds): Rejection | null {
  const { futures } = state;
  const account = futures.accounts[accountId];
  const tokenId = state.tokens.find(perpToken);
  if (account === undefined || tokenId === null) return { reason: 'insufficient_balance' };
  if (withdrawableOf(futures, account, accountMargin(futures, account)) < amount)
    return { reason: 'insufficient_balance' };
  const to = state.ledger.open(accountId, tokenId);
  takeOut(futures, account, { to, amount, code: postingCodes.transferToSpot });
  return null;
}

/** Sets money of the perp wallet aside for a withdrawal, returns it, or pays it out, once. */
export function reservePerpFunds(state: EngineState, command: ReservePerpFunds): Rejection | null {
  return command.step === 'reserve' ? reserve(state, command) : endReservation(state, command);
}

function reserve(state: EngineState, command: ReservePerpFunds): Rejection | null {
  const { futures } = state;
  const { accountId, amount, reference } = command;
  if (futures.reservations.has(reference)) return { reason: 'withdrawal_under_way' };
  if (amount <= 0n) return { reason: 'amount_not_positive' };
  if (isGateShut(futures)) return { reason: 'withdrawals_gated' };
  const account = futures.openAccount(accountId);
  const free = withdrawableOf(futures, account, accountMargin(futures, account));
  if (free < amount) return { reason: 'insufficient_balance' };
  const to = futures.cells.leaving(account);
  takeOut(futures, account, { to, amount, code: postingCodes.withdrawalSetAside });
  futures.reservations.set(reference, { accountId, amount });
  report(state, command, amount);
  return null;
}

function endReservation(state: EngineState, command: ReservePerpFunds): Rejection | null {
  const { futures } = state;
  const reservation = futures.reservations.get(command.reference);
  if (reservation?.accountId !== command.accountId) return { reason: 'withdrawal_not_under_way' };
  const { amount } = reservation;
  const account = futures.openAccount(command.accountId);
  futures.reservations.delete(command.reference);
  const leaving = futures.cells.leaving(account);
  if (command.step === 'release') {
    futures.postToWallet(account, leaving, amount, postingCodes.withdrawalReleased);
  } else {
    const external = state.ledger.external(futures.cells.tokenId);
    state.ledger.post(leaving, external, amount, postingCodes.withdrawalPaid);
    futures.touchedAccounts.add(account);
  }
  report(state, command, amount);
  return null;
}

function report(
  { outcome }: EngineState,
  { accountId, step, reference }: ReservePerpFunds,
  amount: bigint,
): void {
  const type = 'perpFundsReserved';
  outcome.push({ type, accountId, amount: toAmount(amount), step, reference });
}
