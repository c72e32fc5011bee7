import { assertNever } from '../domain/assert.ts';
import type { Command } from '../engine/commands.ts';

/** Whether the command may use the space kept for a full disk, as it only frees what is held. */
export function isAllowedFromReserve(command: Command): boolean {
  switch (command.type) {
    case 'cancelSpotOrder':
    case 'cancelAllSpotOrders':
      return true;
    case 'openAccount':
    case 'createSpotMarket':
    case 'setSpotMarketStatus':
    case 'creditBalance':
    case 'placeSpotOrder':
      return false;
    default:
      return assertNever(command);
  }
}
