import { toAmount } from '../../../domain/amount.ts';
import { bpsPerWhole } from '../../../domain/fee.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import { postingCodes } from '../../ledger/postings.ts';
import type { ByRules } from '../../rules.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import { shutGate } from '../accounts/withdrawal-gate.ts';
import type { FuturesState } from '../futures-state.ts';
import { drawdownBps, perpFundsMax } from '../risk-limits.ts';
import type { CloseOut } from './close-out.ts';

// Every loss has a payer, in this order: the account's own equity, what the insurance fund has
// reserved for its close-out, the positions of the other side, the exchange's fee revenue, the free
// part of the fund, and finally bad debt, which stays negative until it is repaid.

/** One close-out can reserve at most a quarter of the fund. */
const caseShare = 4n;

/** What is left of the fund's reservation for the close-out. */
export function reservationOf({ cells }: FuturesState, { accountId }: CloseOut): bigint {
  return cells.ledger.balance(cells.insuranceHeld(accountId));
}

/**
 * Reserves money of the fund for a close-out, so that no other can spend it. A fund that has lost
 * much within hours reserves nothing until it has recovered or someone has reviewed it.
 */
export function reserveInsurance(state: FuturesState, closeOut: CloseOut, worst: bigint): void {
  const { cells } = state;
  const free = cells.ledger.balance(cells.insurance());
  const total = free + state.insuranceHeld;
  const high = state.fundLevels.highest(total, state.now);
  if (total * bpsPerWhole < high * (bpsPerWhole - drawdownBps)) return;
  const reserved = least(free, least(total / caseShare, worst));
  if (reserved <= 0n) return;
  const { accountId } = closeOut;
  const cell = cells.insuranceHeld(accountId);
  cells.ledger.post(cells.insurance(), cell, reserved, postingCodes.insuranceReserved);
  state.insuranceHeld += reserved;
  reportFund(state, { accountId, number: closeOut.number, change: 0n - reserved });
}

/**
 * Pays the loss of a fill beyond the bankruptcy price, up to the reservation.
 *
 * @returns what was paid.
 */
export function payFromReservation(
  state: FuturesState,
  closeOut: CloseOut,
  account: FuturesAccount,
  loss: bigint,
): bigint {
  const paid = least(loss, reservationOf(state, closeOut));
  const cell = state.cells.insuranceHeld(closeOut.accountId);
  if (paid <= 0n) return 0n;
  noteFundLevel(state);
  state.postToWallet(account, cell, paid, postingCodes.insurancePayment);
  state.insuranceHeld -= paid;
  reportFund(state, { accountId: account.accountId, number: closeOut.number, change: 0n, paid });
  return paid;
}

/** Returns to the fund what the close-out did not need. */
export function releaseReservation(state: FuturesState, closeOut: CloseOut): void {
  const { cells } = state;
  const { accountId } = closeOut;
  const held = reservationOf(state, closeOut);
  if (held === 0n) return;
  const cell = cells.insuranceHeld(accountId);
  cells.ledger.post(cell, cells.insurance(), held, postingCodes.insuranceReturned);
  state.insuranceHeld -= held;
  reportFund(state, { accountId, number: closeOut.number, change: held });
}

/** Pays money of an account being closed into the fund; bad debt is repaid first. */
export function payIntoFund(
  state: FuturesState,
  account: FuturesAccount,
  { number }: CloseOut,
  amount: bigint,
): void {
  if (amount <= 0n) return;
  const { cells } = state;
  const repaid = least(amount, 0n - cells.ledger.balance(cells.badDebt()));
  if (repaid > 0n) {
    state.postToWallet(account, cells.badDebt(), 0n - repaid, postingCodes.debtRepaid);
    shutGate(state);
  }
  const change = amount - repaid;
  state.postToWallet(account, cells.insurance(), 0n - change, postingCodes.liquidationFee);
  reportFund(state, { accountId: account.accountId, number, change, paid: 0n - amount });
}

/** Whether fees pay no more than what may be in the perp wallets and the cells behind them. */
const areFeesLimitedByRoom: ByRules<boolean> = { 11: false, 12: false, 13: true };

/** The ledger's sum is that of before the command, which may have paid other losses from fees. */
function perpRoom({ cells, feesGiven }: FuturesState): bigint {
  const room = perpFundsMax - cells.ledger.perpFundsOf(cells.tokenId) - feesGiven;
  return room > 0n ? room : 0n;
}

/**
 * Makes up a negative wallet that has no other payer from the exchange's own money. The number is
 * that of its close-out; null if it has none.
 */
export function payByHouse(
  state: FuturesState,
  account: FuturesAccount,
  number: number | null,
): void {
  const missing = 0n - account.walletBalance;
  if (missing <= 0n) return;
  const { cells } = state;
  const { unpaidLoss } = postingCodes;
  const fees = cells.ledger.balance(cells.feeRevenue());
  const byFees = least(
    missing,
    areFeesLimitedByRoom[state.rules] ? least(fees, perpRoom(state)) : fees,
  );
  state.feesGiven += byFees;
  state.postToWallet(account, cells.feeRevenue(), byFees, unpaidLoss);
  const byFund = least(missing - byFees, cells.ledger.balance(cells.insurance()));
  if (byFund > 0n) noteFundLevel(state);
  state.postToWallet(account, cells.insurance(), byFund, unpaidLoss);
  state.postToWallet(account, cells.badDebt(), missing - byFees - byFund, unpaidLoss);
  reportFund(state, {
    accountId: account.accountId,
    number,
    change: 0n - byFund,
    paid: missing,
  });
}

/** Must be called before each payment out of the fund. */
function noteFundLevel(state: FuturesState): void {
  const { cells, fundLevels } = state;
  fundLevels.note(cells.ledger.balance(cells.insurance()) + state.insuranceHeld, state.now);
}

interface FundChange {
  /** Of the fund's free part. */
  readonly change: bigint;
  readonly accountId?: AccountId | null;
  /** The close-out that the change belongs to. */
  readonly number?: number | null;
  /** What the account received, or paid if it is negative. */
  readonly paid?: bigint;
}

/** Whether reservations, their payments and the close-out are reported. */
const isReservationReported: ByRules<boolean> = { 11: false, 12: true, 13: true };

/** Reports a change of the insurance fund with its new level. */
export function reportFund(
  { cells, engine, insuranceHeld, rules }: FuturesState,
  { change, accountId = null, number = null, paid = 0n }: FundChange,
): void {
  const type = 'insuranceFundChanged';
  const balance = toAmount(cells.ledger.balance(cells.insurance()));
  const told = { type, balance, change: toAmount(change), accountId } as const;
  if (!isReservationReported[rules]) {
    if (change !== 0n) engine.outcome.push(told);
    return;
  }
  engine.outcome.push({
    type,
    balance,
    change: toAmount(change),
    held: toAmount(insuranceHeld),
    accountId,
    number,
    paid: toAmount(paid),
  });
}

/** The smaller of two amounts. */
export function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
