import { formatCountdown, formatMoment } from '../../number/format.ts';
import type { Step } from '../../parts/stepper.tsx';
import * as texts from '../../text/en/wallet.ts';

// The state of a withdrawal is what the service reports, so a reload shows the same step.

export interface Standing {
  readonly status: string;
  /** Unix seconds. */
  readonly deadline: number | null;
  readonly payable_at?: number;
}

const openStatuses = new Set(['pending', 'review', 'approved', 'signed', 'queued']);

/** True if something still has to happen to the withdrawal. */
export function isOpen({ status }: Standing): boolean {
  return openStatuses.has(status);
}

/** The transaction by which this browser sent it, or null. */
type Sent = { readonly isMined: boolean } | null;

/** The steps of sending it, and the end. */
function lastSteps(sent: Sent): Step[] {
  const isMined = sent?.isMined === true;
  const send: Step =
    sent === null
      ? { text: texts.sendFromWallet, state: 'now' }
      : { text: texts.sentFromWallet, state: isMined ? 'done' : 'now' };
  return [send, { text: texts.completed, state: isMined ? 'now' : 'later' }];
}

/** The steps, at the server's time in milliseconds. */
export function stepsOf(
  { status, deadline, payable_at: from }: Standing,
  now: number,
  sent: Sent = null,
): Step[] {
  const left = deadline === null ? '' : texts.left(formatCountdown(deadline * 1000 - now));
  const due = from === undefined ? '' : texts.fromTimeOn(formatMoment(from * 1000));
  const begun: Step = { text: texts.amountSetAside, state: 'done' };
  const completed: Step = { text: texts.completed, state: 'later' };
  const send: Step = { text: texts.sendFromWallet, state: 'later' };
  switch (status) {
    case 'pending':
      return [begun, { text: texts.confirmIt, state: 'now' }, send, completed];
    case 'review':
      return [
        begun,
        { text: texts.waitsForReview, state: 'now' },
        { text: texts.requestSignature, state: 'later' },
        send,
        completed,
      ];
    case 'approved':
      return [
        begun,
        { text: texts.approvedByTwoPeople, state: 'done' },
        { text: texts.requestSignature, state: 'now' },
        send,
        completed,
      ];
    case 'queued':
      return [
        begun,
        { text: texts.signed, state: 'done' },
        { text: texts.sentFromWallet, state: 'done' },
        { text: texts.vaultPays(due), state: 'now' },
        completed,
      ];
    default:
      return [
        begun,
        { text: texts.signedWith(sent === null ? left : ''), state: 'done' },
        ...lastSteps(sent),
      ];
  }
}

/** The message for a withdrawal that was just requested or confirmed. */
export function requestedNotice({ status }: Pick<Standing, 'status'>): string {
  return status === 'review' ? texts.amountIsReviewed : texts.withdrawalSigned;
}
