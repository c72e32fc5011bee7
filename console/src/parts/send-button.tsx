import type { ComponentProps } from 'preact';
import { secondsToWait } from '../feed/clock.ts';
import * as texts from '../text/en/frame.ts';

/** A button whose click sends a request; while the service takes none it counts the time down. */
export function SendButton({ disabled, children, ...rest }: ComponentProps<'button'>) {
  const seconds = secondsToWait();
  if (seconds === 0) {
    return (
      <button type="button" {...rest} disabled={disabled}>
        {children}
      </button>
    );
  }
  return (
    <button type="button" {...rest} aria-label={undefined} disabled>
      {texts.waitSeconds(seconds)}
    </button>
  );
}
