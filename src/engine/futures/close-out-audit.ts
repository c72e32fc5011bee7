import type { AccountId } from '../../domain/identifiers.ts';
import type { CloseOutView, FuturesView } from '../futures-view.ts';
import type { Reservation } from './futures-state.ts';

// Checks that no account in danger is overlooked, and that what the insurance fund has reserved
// belongs to a close-out:
//   watch-sound              an account at or below its maintenance margin is being closed, or the
//                            next scan judges it; in the book stage, one at or below two thirds
//                            that does not wait for a fresh price
//   held-matches-close-outs  reservations are those of the close-outs, and sum to what is held

/** A broken rule, with the figures that break it. */
export interface CloseOutViolation {
  readonly invariant: 'watch-sound' | 'held-matches-close-outs';
  readonly detail: string;
}

/** What the checks read. */
export interface CloseOutAudit extends Pick<FuturesView, 'getPerpAccount' | 'insuranceHeld'> {
  readonly accountCount: number;
  /** Null if the account is not being closed. */
  findCloseOut(accountId: AccountId): CloseOutView | null;
  /** Whether the next scan for accounts to be closed judges the account. */
  isJudgedNext(accountId: AccountId): boolean;
  /** Whether none of the account's positions has a fresh price. */
  hasOldPricesOnly(accountId: AccountId): boolean;
  /** What the insurance fund has reserved, by account. */
  listInsuranceHeld(): readonly Reservation[];
}

/** Returns all broken rules; reads every account. */
export function findCloseOutViolations(audit: CloseOutAudit): readonly CloseOutViolation[] {
  return [...findUnwatched(audit), ...findWronglyReserved(audit)];
}

function findUnwatched(audit: CloseOutAudit): CloseOutViolation[] {
  const violations: CloseOutViolation[] = [];
  for (let id = 1; id <= audit.accountCount; id += 1) {
    const accountId = id as AccountId;
    const { equity, maintenanceMargin } = audit.getPerpAccount(accountId);
    const stage = audit.findCloseOut(accountId)?.stage ?? null;
    const isWaiting = stage === 'book' && equity >= 0n && audit.hasOldPricesOnly(accountId);
    const isSafe =
      isWaiting ||
      (stage === 'book' ? 3n * equity > 2n * maintenanceMargin : equity > maintenanceMargin);
    const isClosing = stage !== null && stage !== 'book';
    if (isSafe || maintenanceMargin === 0n || isClosing || audit.isJudgedNext(accountId)) continue;
    const detail = `account ${id} has ${equity} over ${maintenanceMargin} and no watch that is due`;
    violations.push({ invariant: 'watch-sound', detail });
  }
  return violations;
}

function findWronglyReserved(audit: CloseOutAudit): CloseOutViolation[] {
  const violations: CloseOutViolation[] = [];
  const invariant = 'held-matches-close-outs';
  let sum = 0n;
  for (const { accountId, amount } of audit.listInsuranceHeld()) {
    sum += amount;
    if (audit.findCloseOut(accountId) !== null) continue;
    violations.push({ invariant, detail: `${amount} for account ${accountId}, which has none` });
  }
  if (sum === audit.insuranceHeld) return violations;
  const detail = `${audit.insuranceHeld} held, reservations sum to ${sum}`;
  return [...violations, { invariant, detail }];
}
