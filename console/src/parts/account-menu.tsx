import { address, isSignedIn } from '../feed/session.ts';
import { shortAddress } from '../number/format.ts';
import * as texts from '../text/en/frame.ts';
import { later } from './later.tsx';
import { isMenuOpen } from './sign-in-menu.ts';

const loadPanel = () => import('./account-panel.tsx').then((each) => each.AccountPanel);
const Panel = later(loadPanel);

// The first click finds the menu's code already there.
addEventListener('load', () => requestIdleCallback(() => void loadPanel().catch(() => undefined)));

/** The signed-in account, or the way to sign in, and the settings of this device. */
export function AccountMenu() {
  const close = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    isMenuOpen.value = false;
    (event.currentTarget as HTMLElement).querySelector('button')?.focus();
  };
  return (
    <div class="popover" onKeyDown={close}>
      <button
        type="button"
        class={isSignedIn.value ? '' : 'primary'}
        aria-expanded={isMenuOpen.value}
        onClick={() => {
          isMenuOpen.value = !isMenuOpen.value;
        }}
      >
        {isSignedIn.value ? (
          <span class="mono">{shortAddress(address.value ?? '')} ▾</span>
        ) : (
          texts.signIn
        )}
      </button>
      {isMenuOpen.value && (
        <div>
          <Panel />
        </div>
      )}
    </div>
  );
}
