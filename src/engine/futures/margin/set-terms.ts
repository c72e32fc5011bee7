import { maxNotionalAt } from '../../../domain/leverage-brackets.ts';
import type { Rejection } from '../../../domain/rejection.ts';
import type { SetAccountFees, SetLeverage } from '../../futures-commands.ts';
import type { ByRules } from '../../rules.ts';
import type { FuturesAccount } from '../accounts/futures-account.ts';
import type { FuturesState } from '../futures-state.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { isFresh } from '../pricing/price-state.ts';
import { accountMargin, marginAt, marketMargin, renewedStake } from './account-margin.ts';
import { availableFor } from './new-risk.ts';
import { signedColumn } from './stakes.ts';

const multiplierMax = 10;
const discountMax = 10_000;

/** Whether a leverage has to allow for resting orders as well, as it does when one is placed. */
const countsOrders: ByRules<boolean> = { 11: false, 12: false, 13: true };

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
  const { notional } = marketMargin(account, market);
  if (notional > 0n || state.stakes.hasOrders(accountId, marketId)) {
    const grown = countsOrders[state.rules] ? growthByOrders(account, market) : 0n;
    const isTooLarge = notional + grown > maxNotionalAt(market.terms.brackets, leverage);
    if (isTooLarge) return { reason: 'leverage_out_of_range' };
    if (availableAt(state, account, market, leverage) < 0n)
      return { reason: 'insufficient_margin' };
  }
  account.leverages[marketId] = leverage;
  account.touchStake(marketId);
  const type = 'leverageChanged';
  state.engine.outcome.push({ type, accountId, marketId, leverage });
  return null;
}

/** The notional by which the resting orders could let the position grow. */
function growthByOrders(account: FuturesAccount, market: FuturesMarketState): bigint {
  const { stakes } = account;
  const record = renewedStake(account, market);
  return stakes.growth(record, stakes.figure(record, signedColumn), 0n, 0n);
}

/** What new orders could use at another leverage in the market; negative if too little is left. */
function availableAt(
  state: FuturesState,
  account: FuturesAccount,
  market: FuturesMarketState,
  leverage: number,
): bigint {
  const before = marketMargin(account, market);
  const after = marginAt(account, market, leverage);
  const initial = after.initial - before.initial;
  // See new-risk.ts: at a price that is not fresh, initial margin counts twice.
  const counted = isFresh(market, state.now) ? initial : 2n * initial;
  const available = availableFor(state, account, accountMargin(state, account));
  return available - counted - (after.orders - before.orders);
}

/**
 * Sets an account's VIP multiplier, in tenths, and referral discount, in basis points.
 * @returns `parameter_invalid` for a multiplier over 10 or a discount over 10,000.
 */
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
