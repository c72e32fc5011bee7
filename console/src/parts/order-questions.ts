import type { MarketFeed } from '../feed/market.ts';
import { isAlwaysAsked } from '../feed/preferences.ts';
import * as texts from '../text/en/desk.ts';
import { confirm } from './dialog.tsx';

// Questions before orders of every market.

/** The question before an order while the link is down; null: the prices are live. */
export function warningOfAge({ staleSince }: MarketFeed): string | null {
  return staleSince.value === null ? null : texts.pricesOnPageAreOld;
}

/** What an order's button says besides its action while the link is down. */
export function agedWords({ staleSince }: MarketFeed): string {
  return staleSince.value === null ? '' : texts.pricesAreOld;
}

/** The question before any other order, if this device asks it. */
export function usualQuestion(): string | null {
  return isAlwaysAsked.value ? texts.confirmEveryOrder : null;
}

/** Resolves to whether one order is canceled: at once, unless this device asks every time. */
export function mayCancel(text: string): Promise<boolean> {
  if (!isAlwaysAsked.value) return Promise.resolve(true);
  return confirm({ title: texts.cancelThisOrder, text, action: texts.cancelIt });
}
