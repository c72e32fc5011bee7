import type { Answer } from '@openbourse/client';
import { signal } from '@preact/signals';
import type { PerpDraft } from '../../forms/perp-order.ts';

export type PerpMarket = Answer<'GET /api/v1/markets'>[number];

export const perpDraft = signal<PerpDraft>({
  side: 'BUY',
  type: 'LIMIT',
  tif: 'GTC',
  price: '',
  stop: '',
  quantity: '',
  takeProfit: '',
  stopLoss: '',
  activation: '',
  callback: '1',
  slippage: '',
  working: 'MARK_PRICE',
  hours: '24',
  isReduceOnly: false,
});

export function changePerpDraft(change: Partial<PerpDraft>): void {
  perpDraft.value = { ...perpDraft.value, ...change };
}
