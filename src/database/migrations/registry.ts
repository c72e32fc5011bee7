import type { Migration } from 'kysely';
import * as spotExchange from './0001-spot-exchange.ts';
import * as referral from './0002-referral.ts';

/** Every migration by name, in the order in which they run; a name never changes. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-spot-exchange': spotExchange,
  '0002-referral': referral,
};
