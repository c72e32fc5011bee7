import type { AppliedCommand, OwnedSpotOrder } from '../../../src/application/ports.ts';
import { viewSpotOrder } from '../../../src/application/trading/spot-views.ts';
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
    const owner = this.#owners.get(order.accountId)!;
    return { owner, order: viewSpotOrder(order, this.#markets.get(order.marketId)!) };
  }
}
