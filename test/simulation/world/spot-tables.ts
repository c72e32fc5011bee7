import type { AppliedCommand } from '../../../src/application/ports/exchange.ts';
import type {
  OwnedSpotOrder,
  SpotOrderFilter,
} from '../../../src/application/ports/spot-history.ts';
import { type SpotOrderView, viewSpotOrder } from '../../../src/application/trading/spot-views.ts';
import type { AccountId, Address, MarketId } from '../../../src/domain/identifiers.ts';
import type { SpotMarket } from '../../../src/domain/spot-market.ts';
import type { SpotOrder } from '../../../src/domain/spot-order.ts';

/** The rows of spot orders, as the projections write them. */
export class SpotTables {
  readonly #orders = new Map<number, SpotOrder>();
  readonly #owners = new Map<AccountId, Address>();
  readonly #markets = new Map<MarketId, SpotMarket>();

  take({ events }: AppliedCommand): void {
    for (const event of events) {
      if (event.type === 'accountOpened') this.#owners.set(event.accountId, event.address);
      if (event.type === 'spotMarketCreated') {
        this.#markets.set(event.market.marketId, event.market);
      }
      if (event.type === 'spotOrderUpdated') {
        this.#orders.set(event.order.orderNumber, event.order);
      }
    }
  }

  findOrder(orderNumber: number): OwnedSpotOrder | null {
    const order = this.#orders.get(orderNumber);
    if (order === undefined) return null;
    return { owner: this.#owners.get(order.accountId)!, order: this.#view(order) };
  }

  /** The newest orders of an address, newest first. */
  listOrders({ address, limit }: Pick<SpotOrderFilter, 'address' | 'limit'>): SpotOrderView[] {
    const own = [...this.#orders.values()].filter(
      ({ accountId }) => this.#owners.get(accountId) === address,
    );
    own.sort((one, other) => other.orderNumber - one.orderNumber);
    return own.slice(0, limit).map((order) => this.#view(order));
  }

  #view(order: SpotOrder): SpotOrderView {
    return viewSpotOrder(order, this.#markets.get(order.marketId)!);
  }
}
