import type { FuturesMarket, FuturesMarketId } from '../../domain/futures-market.ts';
import type { FuturesOrderStatus } from '../../domain/futures-order.ts';
import type { AccountId, Address } from '../../domain/identifiers.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import type { CursorPage } from '../ports/database.ts';
import type { FuturesOrderFilter, PastFuturesOrder } from '../ports/futures-history.ts';
import { waitForDatabase } from '../wait-for-database.ts';
import { type FuturesReadPorts, findMarket } from './futures-ports.ts';
import {
  type FuturesOrderView,
  type OwnTradeView,
  viewFuturesOrder,
  viewOwnTrade,
} from './futures-views.ts';
import { type TriggerOrderView, viewTriggerOrder } from './trigger-order-view.ts';

// The caller's orders and trades in pages: by cursor at the same cost at any depth, or by offset as
// older clients do. A count costs as much as it counts, so a page requested by cursor returns -1.

export interface HistoryRequest {
  readonly address: Address;
  readonly symbol: string | null;
  readonly startTime: number | null;
  readonly endTime: number | null;
  readonly limit: number;
  readonly offset: number;
  /** Empty: the first page, without a count. Null: by offset. */
  readonly cursor: string | null;
}

export interface OrderHistoryRequest extends HistoryRequest {
  readonly statuses: readonly FuturesOrderStatus[] | null;
  /** Only orders that the exchange placed to close a position; absent: all orders. */
  readonly forcedBy?: FuturesOrderFilter['forcedBy'];
}

/** A page with the total number of rows; -1 if they were not counted. */
export interface CountedPage<T> extends CursorPage<T> {
  readonly total: number;
}

const emptyPage = { items: [], nextCursor: null } as const;
const queryWindowMs = 7 * 86_400_000;

/** @throws EngineRestartingError, DatabaseError, InvalidCursorError */
export async function listAccountOrders(
  ports: FuturesReadPorts,
  request: OrderHistoryRequest,
): Promise<Outcome<CountedPage<FuturesOrderView>>> {
  return listOrderPage(ports, { ...request, isTrigger: null }, viewFuturesOrder);
}

/**
 * The caller's trigger orders, waiting and finished.
 * @throws EngineRestartingError, DatabaseError, InvalidCursorError
 */
export async function listTriggerOrders(
  ports: FuturesReadPorts,
  request: OrderHistoryRequest,
): Promise<Outcome<CountedPage<TriggerOrderView>>> {
  return listOrderPage(ports, { ...request, isTrigger: true }, viewTriggerOrder);
}

async function listOrderPage<View>(
  ports: FuturesReadPorts,
  request: OrderHistoryRequest & { readonly isTrigger: true | null },
  viewOrder: (order: PastFuturesOrder, market: FuturesMarket) => View,
): Promise<Outcome<CountedPage<View>>> {
  const scope = await findScope(ports, request);
  if (scope.kind === 'refused') return scope;
  const { accountId, marketId } = scope.value;
  if (accountId === null) return done(countEmpty(request));
  const { statuses, isTrigger, forcedBy = null } = request;
  const filter = {
    accountId,
    marketId,
    statuses,
    isTrigger,
    forcedBy,
    from: null,
    order: 'newest_first' as const,
    ...placeOf(request),
  };
  const { futuresHistory, exchange } = ports;
  const [page, total] = await Promise.all([
    futuresHistory.listOrders(filter),
    request.cursor === null ? futuresHistory.countOrders(filter) : uncounted,
  ]);
  const marketOf = (id: FuturesMarketId) =>
    exchange.peek((view) => view.futures.getFuturesMarket(id));
  const items = page.items.map((order) => viewOrder(order, marketOf(order.marketId)));
  return done({ items, total, nextCursor: page.nextCursor });
}

/** @throws EngineRestartingError, DatabaseError, InvalidCursorError */
export async function listAccountTrades(
  ports: FuturesReadPorts,
  request: HistoryRequest,
): Promise<Outcome<CountedPage<OwnTradeView>>> {
  const scope = await findScope(ports, request);
  if (scope.kind === 'refused') return scope;
  const { accountId, marketId } = scope.value;
  if (accountId === null) return done(countEmpty(request));
  const filter = {
    accountId,
    marketId,
    orderNumber: null,
    from: null,
    order: 'newest_first' as const,
    ...placeOf(request),
  };
  const { futuresHistory, exchange } = ports;
  const [page, total] = await Promise.all([
    futuresHistory.listTrades(filter),
    request.cursor === null ? futuresHistory.countTrades(filter) : uncounted,
  ]);
  const marketOf = (id: FuturesMarketId) =>
    exchange.peek((view) => view.futures.getFuturesMarket(id));
  const items = page.items.map((own) => viewOwnTrade(own, marketOf(own.trade.marketId)));
  return done({ items, total, nextCursor: page.nextCursor });
}

const uncounted = -1;

interface Scope {
  /** Null: the caller has no account yet, so there is nothing to list. */
  readonly accountId: AccountId | null;
  readonly marketId: FuturesMarketId | null;
}

/**
 * Resolves the caller's account and the market, once history holds all that the caller may have
 * seen.
 * @throws EngineRestartingError, DatabaseError
 */
export async function findScope(
  { exchange, barrier }: FuturesReadPorts,
  { address, symbol, startTime, endTime }: Omit<HistoryRequest, 'limit' | 'offset' | 'cursor'>,
): Promise<Outcome<Scope>> {
  if (startTime !== null && endTime !== null && endTime - startTime > queryWindowMs) {
    const detail = 'end_time: at most 7 days after start_time';
    return refused({ reason: 'parameter_invalid', detail });
  }
  const scope = exchange.peek((view) => ({
    accountId: view.findAccount(address),
    market: symbol === null ? null : findMarket(view, symbol),
  }));
  if (symbol !== null && scope.market === null) return refused({ reason: 'market_not_found' });
  await waitForDatabase({ exchange, barrier });
  return done({ accountId: scope.accountId, marketId: scope.market?.marketId ?? null });
}

function placeOf({ cursor, startTime, endTime, limit, offset }: HistoryRequest) {
  const isByCursor = cursor !== null;
  return {
    startTime,
    endTime,
    limit,
    cursor: cursor === '' ? null : cursor,
    offset: isByCursor ? 0 : offset,
  };
}

function countEmpty({ cursor }: HistoryRequest): CountedPage<never> {
  return { ...emptyPage, total: cursor === null ? 0 : uncounted };
}

/**
 * The caller's live orders by order number, trigger orders included.
 * @throws EngineBusyError, EngineRestartingError
 */
export async function listOpenFuturesOrders(
  { exchange }: FuturesReadPorts,
  caller: Address,
  symbol: string | null,
): Promise<Outcome<readonly FuturesOrderView[]>> {
  return exchange.read((view) => {
    const market = symbol === null ? null : findMarket(view, symbol);
    if (symbol !== null && market === null) return refused({ reason: 'market_not_found' });
    const accountId = view.findAccount(caller);
    if (accountId === null) return done([]);
    const { futures } = view;
    const orders = futures.listOpenFuturesOrders(accountId, market?.marketId ?? null);
    return done(
      orders.map((order) => viewFuturesOrder(order, futures.getFuturesMarket(order.marketId))),
    );
  });
}
