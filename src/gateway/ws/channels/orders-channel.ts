import { viewFuturesOrder, viewOwnTrade } from '../../../application/futures/futures-views.ts';
import type { AppliedCommand, EngineView, Exchange } from '../../../application/ports/exchange.ts';
import { viewSpotFill, viewSpotOrder } from '../../../application/trading/spot-views.ts';
import type { FuturesMarket } from '../../../domain/futures-market.ts';
import type { FuturesOrder, FuturesTrade } from '../../../domain/futures-order.ts';
import type { AccountId, TimestampMs } from '../../../domain/identifiers.ts';
import type { SpotMarket } from '../../../domain/spot-market.ts';
import type { SpotOrder, SpotTrade } from '../../../domain/spot-order.ts';
import type { StreamOrder, StreamPerpetualOrder } from '../protocol/stream-schemas.ts';
import type { SpotFeed } from '../spot-feed.ts';
import { type OwnTrade, TradesByOrder, tradesOfSpot } from '../trades-by-order.ts';
import {
  type AccountChanges,
  EngineEventChannel,
  type EngineEventChannelParts,
  ListsByAccount,
} from './engine-event-channel.ts';

// The account's orders: first the live ones of spot and perpetuals, then each order that a command
// changed, in its state after the command, with its fills by the command.

type AnyOrder = StreamOrder | StreamPerpetualOrder;

export class OrdersChannel extends EngineEventChannel<AnyOrder> {
  readonly #exchange: Exchange;
  readonly #feed: SpotFeed;

  constructor(parts: EngineEventChannelParts) {
    super('orders', parts);
    this.#exchange = parts.exchange;
    this.#feed = parts.feed;
  }

  protected override readLive(view: EngineView, accountId: AccountId): readonly AnyOrder[] {
    const { futures } = view;
    const spot = view
      .listOpenOrders(accountId, null)
      .map((order) => viewOrder(order, view.getSpotMarket(order.marketId), []));
    const perpetual = futures
      .listOpenFuturesOrders(accountId, null)
      .map((order) => viewPerpetualOrder(order, futures.getFuturesMarket(order.marketId), null));
    return [...spot, ...perpetual];
  }

  protected override collect(
    applied: AppliedCommand,
    isWatched: (accountId: AccountId) => boolean,
  ): AccountChanges<AnyOrder> {
    const spotOrders: SpotOrder[] = [];
    const spotTrades = tradesOfSpot();
    // An order has an event for each of its fills; the last one holds its state.
    const orders = new Map<number, FuturesOrder>();
    const trades = new TradesByOrder<FuturesTrade>(({ maker, taker }) => ({
      maker: maker.orderNumber,
      taker: taker.orderNumber,
    }));
    for (const event of applied.events) {
      if (event.type === 'spotTradeExecuted') spotTrades.add(event.trade);
      else if (event.type === 'futuresTradeExecuted') trades.add(event.trade);
      else if (event.type === 'spotOrderUpdated' && isWatched(event.order.accountId)) {
        spotOrders.push(event.order);
      } else if (event.type === 'futuresOrderUpdated' && isWatched(event.order.accountId)) {
        orders.set(event.order.orderNumber, event.order);
      }
    }
    const changes = new ListsByAccount<AnyOrder>();
    for (const order of spotOrders) {
      const market = this.#feed.getMarket(order.marketId);
      changes.add(order.accountId, viewOrder(order, market, spotTrades.of(order.orderNumber)));
    }
    for (const order of orders.values()) {
      const { marketId } = order;
      const market = this.#exchange.peek((view) => view.futures.getFuturesMarket(marketId));
      const fills = { trades: trades.of(order.orderNumber), time: applied.timestamp };
      changes.add(order.accountId, viewPerpetualOrder(order, market, fills));
    }
    return changes.lists;
  }
}

function viewOrder(
  order: SpotOrder,
  market: SpotMarket,
  fills: readonly OwnTrade<SpotTrade>[],
): StreamOrder {
  return {
    ...viewSpotOrder(order, market),
    market: 'spot',
    created_at: order.createdAt,
    updated_at: order.updatedAt,
    fills: fills.map(({ trade, role }) => viewSpotFill(trade, market, role)),
  };
}

interface Fills {
  readonly trades: readonly OwnTrade<FuturesTrade>[];
  readonly time: TimestampMs;
}

function viewPerpetualOrder(
  order: FuturesOrder,
  market: FuturesMarket,
  fills: Fills | null,
): StreamPerpetualOrder {
  return {
    ...viewFuturesOrder(order, market),
    market: 'futures',
    created_at: order.createdAt,
    updated_at: order.updatedAt,
    fills: fills === null ? [] : viewFills(market, fills),
  };
}

function viewFills(market: FuturesMarket, { trades, time }: Fills) {
  return (['maker', 'taker'] as const).flatMap((role) =>
    trades
      .filter((own) => own.role === role)
      .map(({ trade }) => {
        const own = viewOwnTrade({ trade, role, createdAt: time }, market);
        const { trade_id, price, quantity, fee, realized_profit } = own;
        return { trade_id, price, quantity, fee, realized_profit, role };
      }),
  );
}
