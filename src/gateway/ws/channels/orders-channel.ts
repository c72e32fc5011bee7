import {
  type AppliedCommand,
  EngineRestartingError,
  type EngineView,
  type Exchange,
} from '../../../application/ports.ts';
import { viewSpotFill, viewSpotOrder } from '../../../application/trading/spot-views.ts';
import type { AccountId, Address } from '../../../domain/identifiers.ts';
import type { SpotMarket } from '../../../domain/spot-market.ts';
import type { SpotOrder, SpotTrade } from '../../../domain/spot-order.ts';
import type { Connection } from '../connection.ts';
import type { StreamOrder } from '../protocol/stream-schemas.ts';
import type { SpotFeed } from '../spot-feed.ts';
import {
  type AccountSnapshot,
  AccountStreams,
  type AccountStreamsParts,
} from './account-streams.ts';
import type { PrivateChannel, PrivateStream } from './channel.ts';

// The account's orders: first the resting ones, then each order that a command touched, as it
// stands after the command, with the fills that the command brought it.

export interface OrdersChannelParts extends Omit<AccountStreamsParts, 'channel'> {
  readonly exchange: Exchange;
  readonly feed: SpotFeed;
}

export class OrdersChannel implements PrivateChannel {
  readonly kind = 'private';
  readonly #exchange: Exchange;
  readonly #feed: SpotFeed;
  readonly #streams: AccountStreams;
  /** The accounts that somebody watches, both ways round. */
  readonly #addresses = new Map<AccountId, Address>();
  readonly #accountIds = new Map<Address, AccountId>();

  constructor(parts: OrdersChannelParts) {
    this.#exchange = parts.exchange;
    this.#feed = parts.feed;
    this.#streams = new AccountStreams({ ...parts, channel: 'orders' });
    this.#feed.addListener((applied) => this.#take(applied));
  }

  open(connection: Connection, address: Address): PrivateStream {
    const stream = this.#streams.open(connection, address, () => this.#loadSnapshot(address));
    return {
      opened: stream.opened,
      end: () => {
        stream.end();
        this.#forgetUnwatched(address);
      },
    };
  }

  async #loadSnapshot(address: Address): Promise<AccountSnapshot> {
    if (!this.#feed.isReady) throw new EngineRestartingError('the books are not read yet');
    return this.#exchange.read((view) => {
      const accountId = view.findAccount(address);
      // Watched from this very sequence on, so that no event falls between.
      if (accountId !== null && this.#streams.hasMembers(address)) {
        this.#watch(accountId, address);
      }
      const orders = accountId === null ? [] : listOpenOrders(view, accountId);
      return { sequence: view.sequence, data: JSON.stringify(orders) };
    });
  }

  #watch(accountId: AccountId, address: Address): void {
    this.#addresses.set(accountId, address);
    this.#accountIds.set(address, accountId);
  }

  #forgetUnwatched(address: Address): void {
    const accountId = this.#accountIds.get(address);
    if (accountId === undefined || this.#streams.hasMembers(address)) return;
    this.#addresses.delete(accountId);
    this.#accountIds.delete(address);
  }

  #take({ sequence, events }: AppliedCommand): void {
    if (this.#streams.isIdle) return;
    const trades: SpotTrade[] = [];
    const orders = new Map<Address, SpotOrder[]>();
    for (const event of events) {
      if (event.type === 'accountOpened' && this.#streams.hasMembers(event.address)) {
        this.#watch(event.accountId, event.address);
      } else if (event.type === 'spotTradeExecuted') {
        trades.push(event.trade);
      } else if (event.type === 'spotOrderUpdated') {
        const address = this.#addresses.get(event.order.accountId);
        if (address === undefined) continue;
        orders.set(address, [...(orders.get(address) ?? []), event.order]);
      }
    }
    for (const [address, touched] of orders) {
      const data = touched.map((order) =>
        viewOrder(order, this.#feed.getMarket(order.marketId), trades),
      );
      this.#streams.publish({ address, sequence, data: JSON.stringify(data) });
    }
  }
}

function listOpenOrders(view: EngineView, accountId: AccountId): readonly StreamOrder[] {
  return view
    .listOpenOrders(accountId, null)
    .map((order) => viewOrder(order, view.getSpotMarket(order.marketId), []));
}

function viewOrder(
  order: SpotOrder,
  market: SpotMarket,
  trades: readonly SpotTrade[],
): StreamOrder {
  return {
    ...viewSpotOrder(order, market),
    market: 'spot',
    created_at: order.createdAt,
    updated_at: order.updatedAt,
    fills: trades.flatMap((trade) => {
      if (trade.takerOrderNumber === order.orderNumber)
        return [viewSpotFill(trade, market, 'taker')];
      if (trade.makerOrderNumber === order.orderNumber)
        return [viewSpotFill(trade, market, 'maker')];
      return [];
    }),
  };
}
