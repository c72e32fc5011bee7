import { type Outcome, refused } from '../../../domain/outcome.ts';
import { isAddressBlock } from '../../auth/client-address.ts';

/** A key that can withdraw must not be open to every address. */
export const openToWithdraw: Outcome<never> = refused({
  reason: 'parameter_invalid',
  detail: 'ip_whitelist: required for a key with withdraw',
});

/**
 * Null if each entry is an address or a CIDR block; otherwise the refusal naming the first bad one.
 */
export function validateWhitelist(entries: readonly string[]): Outcome<never> | null {
  const index = entries.findIndex((entry) => !isAddressBlock(entry));
  if (index < 0) return null;
  return refused({
    reason: 'parameter_invalid',
    detail: `ip_whitelist.${index}: neither an IP address nor a CIDR block`,
  });
}
