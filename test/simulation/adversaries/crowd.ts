import type { FuturesMarket } from '../../../src/domain/futures-market.ts';
import type { AccountId } from '../../../src/domain/identifiers.ts';
import type { World } from './world.ts';

/** Everyone else: thousands who quote, trade, close, and take out and put in, in shared markets. */
export class Crowd {
  readonly markets: readonly FuturesMarket[];
  private readonly world: World;
  private readonly size: number;

  constructor(world: World, size: number) {
    this.world = world;
    this.size = size;
    this.markets = [world.open(30_000), world.open(2_000), world.open(150)];
  }

  act(): void {
    const { world } = this;
    const market = world.pick(this.markets);
    const accountId = (world.draw(this.size) + 1) as AccountId;
    const index = world.indexes.get(market.symbol) ?? 1;
    const side = world.draw(2) === 0 ? 'buy' : 'sell';
    // Some five to two hundred USDT.
    const lots = Math.max(1, Math.round(((5 + world.draw(3_000)) * 1_000) / index));
    const what = world.draw(20);
    if (what < 9) {
      const away = (1 + world.draw(40)) / 5_000;
      const price = Math.round(index * (side === 'buy' ? 1 - away : 1 + away) * 10) / 10;
      world.place(accountId, market, side, { price, lots });
    } else if (what < 14) world.place(accountId, market, side, { lots });
    else if (what < 16) world.flatten(accountId, market);
    else if (what < 17) {
      world.do({ type: 'cancelAllFuturesOrders', accountId, marketId: null, kind: 'all' });
    } else if (what < 18) world.leverage(accountId, market, world.pick([5, 20, 50, 125]));
    else if (what < 19) world.withdraw(accountId);
    else world.move(accountId, BigInt(world.draw(500)) * 10n ** 8n + 1n, 'spot_to_perp');
  }

  /** A shared index moves: most often a little, now and then through many margins at once. */
  movePrices(): void {
    const { world } = this;
    const market = world.pick(this.markets);
    const index = world.indexes.get(market.symbol) ?? 1;
    const bps = world.draw(12) === 0 ? 300 + world.draw(1_500) : world.draw(60);
    const moved = world.draw(2) === 0 ? 10_000 + bps : (10_000 * 10_000) / (10_000 + bps);
    world.push(market.symbol, Math.max(20, Math.round((index * moved) / 10_000)));
  }
}
