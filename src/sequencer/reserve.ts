import { assertNever } from '../domain/assert.ts';
import type { Command } from '../engine/commands.ts';

/**
 * Whether the command may use the space reserved for a full disk: either it only frees held
 * amounts, or the start needs it.
 */
export function isAllowedFromReserve(command: Command): boolean {
  switch (command.type) {
    case 'cancelSpotOrder':
    case 'cancelAllSpotOrders':
    case 'cancelFuturesOrder':
    case 'cancelAllFuturesOrders':
    case 'advanceTime':
    case 'upgradeRules':
      return true;
    case 'openAccount':
    case 'createSpotMarket':
    case 'setSpotMarketStatus':
    case 'creditBalance':
    case 'placeSpotOrder':
    case 'createFuturesMarket':
    case 'setFuturesMarketStatus':
    case 'setIndexPrice':
    case 'transferFunds':
    case 'setLeverage':
    case 'setAccountFees':
    case 'placeFuturesOrder':
    case 'amendFuturesOrder':
    case 'setCountdownCancel':
    case 'reservePerpFunds':
    case 'moveHouseFunds':
    case 'holdWithdrawals':
    case 'creditDeposit':
    case 'reserveWithdrawal':
    case 'completeWithdrawal':
    case 'releaseWithdrawal':
    case 'reopenWithdrawal':
      return false;
    default:
      return assertNever(command);
  }
}
