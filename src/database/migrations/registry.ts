import type { Migration } from 'kysely';
import * as spotExchange from './0001-spot-exchange.ts';

/** Every migration by name, in the order in which they run; a name never changes. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-spot-exchange': spotExchange,
};
