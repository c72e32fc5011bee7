import { assert } from '../../domain/assert.ts';
import type { AccountId, Address } from '../../domain/identifiers.ts';
import type { Exchange } from '../ports/exchange.ts';

/**
 * The account of an address, opened if there is none: a token or an API key can be older than the
 * exchange's state.
 */
export async function openAccount(exchange: Exchange, address: Address): Promise<AccountId> {
  const known = exchange.peek((view) => view.findAccount(address));
  if (known !== null) return known;
  await exchange.submit({ type: 'openAccount', address });
  const opened = exchange.peek((view) => view.findAccount(address));
  assert(opened !== null, 'an account that was opened is found');
  return opened;
}
