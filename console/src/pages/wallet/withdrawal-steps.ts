import { formatCountdown, formatMoment } from '../../number/format.ts';
import type { Step } from '../../parts/stepper.tsx';

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
      ? { text: 'Send it from the wallet', state: 'now' }
      : { text: 'Sent from the wallet', state: isMined ? 'done' : 'now' };
  return [send, { text: 'Completed', state: isMined ? 'now' : 'later' }];
}

/** The steps, at the server's time in milliseconds. */
export function stepsOf(
  { status, deadline, payable_at: from }: Standing,
  now: number,
  sent: Sent = null,
): Step[] {
  const left = deadline === null ? '' : `, ${formatCountdown(deadline * 1000 - now)} left`;
  const due = from === undefined ? '' : ` from ${formatMoment(from * 1000)} on`;
  const begun: Step = { text: 'Amount set aside', state: 'done' };
  const completed: Step = { text: 'Completed', state: 'later' };
  const send: Step = { text: 'Send it from the wallet', state: 'later' };
  switch (status) {
    case 'pending':
      return [begun, { text: 'Confirm it', state: 'now' }, send, completed];
    case 'review':
      return [
        begun,
        { text: 'Two people look at it', state: 'now' },
        { text: 'Have it signed', state: 'later' },
        send,
        completed,
      ];
    case 'approved':
      return [
        begun,
        { text: 'Approved by two people', state: 'done' },
        { text: 'Have it signed', state: 'now' },
        send,
        completed,
      ];
    case 'queued':
      return [
        begun,
        { text: 'Signed', state: 'done' },
        { text: 'Sent from the wallet', state: 'done' },
        { text: `The vault pays it${due}`, state: 'now' },
        completed,
      ];
    default:
      return [
        begun,
        { text: `Signed${sent === null ? left : ''}`, state: 'done' },
        ...lastSteps(sent),
      ];
  }
}

/** The message for a withdrawal that was just requested or confirmed. */
export function requestedNotice({ status }: Pick<Standing, 'status'>): string {
  return status === 'review'
    ? 'The amount is set aside. Two people look at this withdrawal first; its step stands here.'
    : 'The withdrawal is signed. Send it from your wallet.';
}
