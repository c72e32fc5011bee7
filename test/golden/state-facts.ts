import type { AccountId } from '../../src/domain/identifiers.ts';
import type { EngineView } from '../../src/engine/engine-view.ts';

/** What a state says in words that outlive its format: money, positions and live orders. */
export function listFacts(view: EngineView): unknown {
  const accounts: unknown[] = [];
  for (let number = 1; number <= countAccounts(view); number += 1) {
    const accountId = number as AccountId;
    accounts.push({
      address: view.getAddress(accountId),
      balances: view.listBalances(accountId).map(({ tokenId, available, locked }) => ({
        token: view.getTokenSymbol(tokenId),
        available,
        locked,
      })),
      spotOrders: view
        .listOpenOrders(accountId, null)
        .map((order) => [order.orderNumber, order.side, order.price, leftOf(order)]),
      perpWallet: view.futures.getPerpAccount(accountId).walletBalance,
      positions: view.futures
        .listPositions(accountId)
        .filter(({ quantity }) => quantity !== 0)
        .map(({ marketId, quantity, entryNotional }) => [marketId, quantity, entryNotional]),
      futuresOrders: view.futures
        .listOpenFuturesOrders(accountId, null)
        .map((order) => [order.orderNumber, order.type, order.side, order.price, leftOf(order)]),
    });
  }
  const futures = view.futures.listFuturesMarkets().map(({ symbol, status, marketId }) => ({
    symbol,
    status,
    openInterest: view.futures.getOpenInterest(marketId),
    depth: depthOf(view.futures.getFuturesDepth(marketId, 1_000)),
  }));
  const spot = view.listSpotMarkets().map(({ symbol, status, marketId }) => ({
    symbol,
    status,
    depth: depthOf(view.getDepth(marketId, 1_000)),
  }));
  return { sequence: view.sequence, accounts, futures, spot };
}

function leftOf(order: { quantity: number | null; filledQuantity: number }): number {
  return (order.quantity ?? 0) - order.filledQuantity;
}

function depthOf({ bids, asks }: ReturnType<EngineView['getDepth']>): unknown {
  return [bids, asks].map((levels) => levels.map(({ price, quantity }) => [price, quantity]));
}

function countAccounts(view: EngineView): number {
  let count = 0;
  for (;;) {
    try {
      view.getAddress((count + 1) as AccountId);
    } catch {
      return count;
    }
    count += 1;
  }
}
