import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { areKeysOn } from '../feed/preferences.ts';
import * as texts from '../text/en/desk.ts';
import { confirm } from './dialog.tsx';

// Single-key shortcuts, disabled while the user types. A page adds its own by marking the element
// that a key clicks or focuses with data-key.

const pagesByKey: Readonly<Record<string, string>> = {
  w: '/wallet',
  r: '/referral',
  p: '/points',
  s: '/status',
  m: '/',
};

const list = [
  ['b / s', texts.buySell],
  ['p / q', texts.priceQuantity],
  ['m / l', texts.marketLimit],
  ['c', texts.cancelTheNewestOrder],
  ['Shift+C', texts.cancelAllOrders],
  ['1 – 6', texts.chartInterval],
  ['/', texts.searchMarkets],
  ['g w · g r · g p · g s', texts.walletReferralPointsStatus],
  ['?', texts.listOfKeys],
] as const;

/** Elements that use letters themselves; a ticked box or a slider does not. */
const typedInto =
  'input:not([type="checkbox"], [type="range"]), select, textarea, [contenteditable]';

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches(typedInto);
}

function press(key: string): void {
  const element = document.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  if (element === null) return;
  const field =
    element.closest<HTMLElement>('input, button') ??
    element.querySelector<HTMLElement>('input, button');
  if (field instanceof HTMLInputElement) field.select();
  field?.focus();
  if (field instanceof HTMLButtonElement) field.click();
}

const shownMaxMs = 3_000;

/** Presses a key's element once the page that has it is shown. */
function pressOnceShown(key: string, until = performance.now() + shownMaxMs): void {
  if (document.querySelector(`[data-key="${CSS.escape(key)}"]`) !== null) return press(key);
  if (performance.now() < until) requestAnimationFrame(() => pressOnceShown(key, until));
}

function showList(): void {
  const text = (
    <dl class="pairs">
      {list.map(([keys, what]) => (
        <>
          <dt key={keys}>{keys}</dt>
          <dd>{what}</dd>
        </>
      ))}
    </dl>
  );
  void confirm({ title: texts.keys, text, action: texts.close, isStatement: true });
}

/** The next key names a page; it can come while the page before it is still being shown. */
let isGoing = false;

export function KeyboardShortcuts() {
  const { route } = useLocation();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (!areKeysOn.value || ctrlKey || metaKey || altKey || isTyping(event.target)) return;
      if (document.querySelector('dialog[open]') !== null) return;
      if (isGoing) {
        isGoing = false;
        const page = pagesByKey[key];
        if (page !== undefined) route(page);
        return;
      }
      if (key === 'g') {
        isGoing = true;
        return;
      }
      if (key === '?') return showList();
      const isHere = document.querySelector(`[data-key="${CSS.escape(key)}"]`) !== null;
      if (!isHere && key !== '/') return;
      event.preventDefault();
      if (isHere) return press(key);
      route('/');
      pressOnceShown(key);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [route]);
  return null;
}
