import * as texts from '../text/en/frame.ts';

const storageKey = 'unsent-withdrawal';

/** Keeps the words of the banner that is shown, or none, for the next load of this tab. */
export function keepBanner(words: string): void {
  sessionStorage.setItem(storageKey, words);
}

/** Holds the space of a banner that was shown before a reload, so that the page does not move. */
export function AwaitedBanner({ path }: { path: string }) {
  const words = sessionStorage.getItem(storageKey) ?? '';
  if (path === '/wallet' || words === '') return null;
  return (
    <p class="banner awaited">
      <span>{words}</span>
      <a href="/wallet">{texts.toWallet}</a>
    </p>
  );
}
