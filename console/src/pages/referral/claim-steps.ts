import type { Step } from '../../parts/stepper.tsx';

/** The transaction that pays a claim, as this browser sent it. */
type Sent = { readonly isMined: boolean };

/**
 * The steps of a claim that is in progress: its order is made, and `sent` is its transaction.
 * @param left The time until its signature expires, as text; null: unknown.
 */
export function claimSteps(sent: Sent | null, left: string | null): readonly Step[] {
  const send = `Send from your wallet${left === null || sent !== null ? '' : ` (${left} left)`}`;
  const isMined = sent?.isMined === true;
  return [
    { text: 'Order made', state: 'done' },
    { text: send, state: sent === null ? 'now' : 'done' },
    { text: 'Seen on the chain', state: isMined ? 'done' : sent === null ? 'later' : 'now' },
    { text: 'Success', state: isMined ? 'now' : 'later' },
  ];
}
