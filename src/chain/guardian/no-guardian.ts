import type { ContractGuardian } from '../../application/ports/contract-pauses.ts';

/** Where no requests to pause a contract are kept. */
export const noGuardian: ContractGuardian = {
  canPause: () => Promise.resolve(false),
  pauseRequested: () => Promise.resolve(),
};
