import { maxNotionalAt } from '../../../domain/leverage-brackets.ts';
import type { Rejection } from '../../../domain/rejection.ts';
import type { SetAccountFees, SetLeverage } from '../../futures-commands.ts';
import type { FuturesState } from '../futures-state.ts';
import { accountMargin, marketMargin } from './account-margin.ts';
import { availableFor } from './new-risk.ts';

const multiplierMax = 10;
const discountMax = 10_000;

/**
 * Sets an account's leverage in a market if its margin still covers its position and orders there.
 */
export function setLeverage(state: FuturesState, command: SetLeverage): Rejection | null {
  const { accountId, marketId, leverage } = command;
  const market = state.markets[marketId];
  if (market === undefined) return { reason: 'market_not_found' };
  const isInRange = Number.isInteger(leverage) && leverage >= 1;
  if (!isInRange || leverage > market.terms.maxLeverage) return { reason: 'leverage_out_of_range' };
  if (state.closeOuts.has(accountId)) return { reason: 'account_in_liquidation' };
  const account = state.openAccount(accountId);
  const before = account.leverages[marketId];
  account.leverages[marketId] = leverage;
  account.touchStake(marketId);
  const { notional } = marketMargin(account, market);
  const isTooLarge = notional > maxNotionalAt(market.terms.brackets, leverage);
  const hasStake = notional > 0n || state.stakes.hasOrders(accountId, marketId);
  if (
    hasStake &&
    (isTooLarge || availableFor(state, account, accountMargin(state, account)) < 0n)
  ) {
    account.leverages[marketId] = before;
    account.touchStake(marketId);
    return { reason: isTooLarge ? 'leverage_out_of_range' : 'insufficient_margin' };
  }
  const type = 'leverageChanged';
  state.engine.outcome.push({ type, accountId, marketId, leverage });
  return null;
}

export function setAccountFees(state: FuturesState, command: SetAccountFees): Rejection | null {
  const { accountId, vipTier, vipMultiplierTenths, referralDiscountBps } = command;
  if (
    vipMultiplierTenths > multiplierMax ||
    referralDiscountBps > discountMax ||
    vipTier < 0 ||
    vipMultiplierTenths < 0 ||
    referralDiscountBps < 0
  ) {
    return { reason: 'parameter_invalid', detail: 'a multiplier over 10 or a discount over 10000' };
  }
  const fees = { vipTier, vipMultiplierTenths, referralDiscountBps };
  state.openAccount(accountId).fees = fees;
  state.engine.outcome.push({ type: 'accountFeesChanged', accountId, ...fees });
  return null;
}
