import { signal } from '@preact/signals';
import type { SpotDraft } from '../forms/spot-order.ts';

/** What is typed into the spot ticket; one for this tab, kept through a sign-out. */
export const spotDraft = signal<SpotDraft>({
  side: 'buy',
  type: 'limit',
  tif: 'gtc',
  price: '',
  quantity: '',
  quote: '',
});

export function changeSpotDraft(change: Partial<SpotDraft>): void {
  spotDraft.value = { ...spotDraft.value, ...change };
}
