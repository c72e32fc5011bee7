import { now } from '../feed/clock.ts';
import { formatCountdown } from '../number/format.ts';
import * as texts from '../text/en/frame.ts';

const tenMinutesMs = 600_000;
const twoMinutesMs = 120_000;

/** Which limit of time the rest is under, for screen readers; changes twice before the end. */
export function TimeWarning({ endsAt }: { endsAt: number }) {
  const left = endsAt - now.value;
  const limit = left < twoMinutesMs ? 'two' : left < tenMinutesMs ? 'ten' : null;
  return <span class="hidden">{limit !== null && texts.minutesLeft(limit)}</span>;
}

/** A countdown that screen readers announce at ten and at two minutes, and not every second. */
export function TimeLimit({ endsAt }: { endsAt: number }) {
  return (
    <>
      <span aria-live="off">{texts.left(formatCountdown(endsAt - now.value))}</span>
      <TimeWarning endsAt={endsAt} />
    </>
  );
}
