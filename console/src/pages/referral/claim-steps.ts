import type { Step } from '../../parts/stepper.tsx';
import * as texts from '../../text/en/referral.ts';

/** The transaction that pays a claim, as this browser sent it. */
type Sent = { readonly isMined: boolean };

/**
 * The steps of a claim that is in progress: its order is made, and `sent` is its transaction.
 * @param left The time until its signature expires, as text; null: unknown.
 */
export function claimSteps(sent: Sent | null, left: string | null): readonly Step[] {
  const send = texts.sendFromYourWallet(left === null || sent !== null ? '' : texts.left(left));
  const isMined = sent?.isMined === true;
  return [
    { text: texts.claimRequested, state: 'done' },
    { text: send, state: sent === null ? 'now' : 'done' },
    { text: texts.seenOnTheChain, state: isMined ? 'done' : sent === null ? 'later' : 'now' },
    { text: texts.success, state: isMined ? 'now' : 'later' },
  ];
}
