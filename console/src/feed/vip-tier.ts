import { signal } from '@preact/signals';
import { stream } from '../api/api.ts';

/** The VIP tier of the account, 0 to 5; null until it is known. */
export const vipTier = signal<number | null>(null);

interface Tier {
  readonly tier?: number;
  readonly to_tier?: number;
  readonly kind?: string;
}

/** Subscribes to the account's tier; returns the end of the subscription. */
export function followVipTier(): () => void {
  return stream.subscribe(
    { channel: 'vip_tier' },
    {
      onMessage: ({ data }) => {
        const { tier, to_tier: next, kind } = data as Tier;
        // A scheduled downgrade has not happened yet.
        const now = tier ?? (kind === 'downgrade_scheduled' ? undefined : next);
        if (now !== undefined) vipTier.value = now;
      },
    },
  );
}
