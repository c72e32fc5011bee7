import { signal } from '@preact/signals';
import { stream } from '../api/api.ts';

/** The VIP tier of the account, 0 to 5; null until it is known. */
export const vipTier = signal<number | null>(null);

/** Subscribes to the account's tier; returns the end of the subscription. */
export function followVipTier(): () => void {
  return stream.subscribe(
    { channel: 'vip_tier' },
    {
      onMessage: ({ type, data }) => {
        if (type === 'snapshot') vipTier.value = data.tier;
        // A scheduled downgrade has not happened yet.
        else if (data.kind !== 'downgrade_scheduled') vipTier.value = data.to_tier;
      },
    },
  );
}
