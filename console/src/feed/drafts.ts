import { signal } from '@preact/signals';
import type { SpotDraft } from '../forms/spot-order.ts';

/** The contents of the spot ticket; one per tab, kept after signing out. */
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
