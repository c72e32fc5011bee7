import { toAmount } from '../../domain/amount.ts';
import type { FuturesMarketId } from '../../domain/futures-market.ts';
import type { SignedLots } from '../../domain/futures-position.ts';
import type { TimestampMs } from '../../domain/identifiers.ts';
import type { Lots, Ticks } from '../../domain/spot-market.ts';
import { sides } from '../../domain/spot-order.ts';
import { compact } from '../storage/compact.ts';
import { sortFew } from '../storage/sort-few.ts';
import type { FuturesAccount } from './accounts/futures-account.ts';
import { checkParty } from './command-rules.ts';
import type { FuturesState } from './futures-state.ts';
import type { FuturesMarketState } from './markets/futures-market-state.ts';

/** Reports what the command changed: levels, then positions, then wallets. */
export function reportTouched(state: FuturesState): void {
  const { touchedMarkets } = state;
  sortFew(touchedMarkets, byMarket);
  for (const market of touchedMarkets) reportLevels(state, market);
  while (touchedMarkets.length > 0) touchedMarkets.pop();
  reportPositions(state);
  reportWallets(state);
}

function reportLevels(state: FuturesState, market: FuturesMarketState): void {
  const { touchedLevels } = market;
  const { outcome } = state.engine;
  for (let place = 0; place < touchedLevels.count; place += 1) {
    market.lastUpdateId += 1;
    if (!outcome.isObserved) continue;
    outcome.push({
      type: 'futuresBookLevelChanged',
      marketId: market.terms.marketId,
      side: sides[touchedLevels.sideAt(place)],
      price: compact(touchedLevels.priceAt(place)) as Ticks,
      quantity: compact(touchedLevels.quantityAt(place)) as Lots,
      updateId: market.lastUpdateId,
    });
  }
  touchedLevels.clear();
}

function reportPositions(state: FuturesState): void {
  const { outcome } = state.engine;
  for (const position of state.touchedPositions.sort()) {
    const { accountId, marketId, quantity, entryNotional, updatedAt } = position;
    checkLots(state, marketId);
    checkParty(state, state.openAccount(accountId));
    outcome.push({
      type: 'positionChanged',
      position: {
        accountId,
        marketId: marketId as FuturesMarketId,
        quantity: compact(quantity) as SignedLots,
        entryNotional: toAmount(entryNotional),
        realizedProfit: toAmount(position.realizedProfit),
        fees: toAmount(position.fees),
        updatedAt: updatedAt as TimestampMs,
      },
    });
  }
  state.touchedPositions.clear();
}

function checkLots(state: FuturesState, marketId: number): void {
  const { terms, netLots } = state.getMarket(marketId);
  if (netLots === 0) return;
  state.engine.broken.report('market-lots-zero', `positions of ${terms.symbol} sum to ${netLots}`);
}

function reportWallets(state: FuturesState): void {
  for (const account of state.touchedAccounts.sort()) {
    const { accountId, walletBalance, reserved } = account;
    if (walletBalance < 0n) checkFlatWallet(state, account);
    state.engine.outcome.push({
      type: 'perpBalanceChanged',
      accountId,
      walletBalance: toAmount(walletBalance),
      reserved: toAmount(reserved),
    });
  }
  state.touchedAccounts.clear();
}

/** A loss without a payer is posted to one at the end of the close-out, not later. */
function checkFlatWallet(state: FuturesState, account: FuturesAccount): void {
  const { accountId, walletBalance } = account;
  if (state.closeOuts.has(accountId) || !account.isFlat) return;
  const detail = `account ${accountId} has ${walletBalance}`;
  state.engine.broken.report('flat-wallet-not-negative', detail);
}

function byMarket(first: FuturesMarketState, second: FuturesMarketState): number {
  return first.terms.marketId - second.terms.marketId;
}
