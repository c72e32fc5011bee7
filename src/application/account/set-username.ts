import type { Address } from '../../domain/identifiers.ts';
import {
  awaitAccountRow,
  type ProfilePorts,
  type ProfileView,
  requireProfile,
  viewProfile,
} from './load-profile.ts';

/**
 * Sets the caller's username; null if another account has it in any letter case.
 * @throws DatabaseError, EngineBusyError, EngineRestartingError
 */
export async function setUsername(
  ports: ProfilePorts,
  caller: Address,
  username: string,
): Promise<ProfileView | null> {
  await awaitAccountRow(ports, caller);
  if ((await ports.profiles.setUsername(caller, username)) === 'taken') return null;
  return viewProfile(await requireProfile(ports, caller));
}
