import { assert } from '../../domain/assert.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { Profile, ProfileStore } from '../ports/accounts.ts';
import type { ReadBarrier } from '../ports/database.ts';
import type { Exchange } from '../ports/exchange.ts';
import { openAccount } from '../trading/open-account.ts';
import { waitForDatabase } from '../wait-for-database.ts';

export interface ProfilePorts {
  readonly exchange: Exchange;
  readonly barrier: ReadBarrier;
  readonly profiles: ProfileStore;
}

export interface ProfileView {
  readonly address: string;
  readonly username: string | null;
  readonly created_at: string;
}

/**
 * The caller's profile.
 * @throws DatabaseError, EngineBusyError, EngineRestartingError
 */
export async function loadProfile(ports: ProfilePorts, caller: Address): Promise<ProfileView> {
  await awaitAccountRow(ports, caller);
  return viewProfile(await requireProfile(ports, caller));
}

/** The projector writes an account's row a moment after the account is opened. */
export async function awaitAccountRow(
  ports: Pick<ProfilePorts, 'exchange' | 'barrier'>,
  caller: Address,
): Promise<void> {
  await openAccount(ports.exchange, caller);
  await waitForDatabase(ports);
}

export async function requireProfile(ports: ProfilePorts, caller: Address): Promise<Profile> {
  const profile = await ports.profiles.find(caller);
  assert(profile !== null, 'an account that the database has seen opened has a row');
  return profile;
}

export function viewProfile({ address, username, createdAt }: Profile): ProfileView {
  return { address, username, created_at: createdAt.toISOString() };
}
