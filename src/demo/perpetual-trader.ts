import { fromUnits, toUnits } from '@openbourse/client';
import { toAmount } from '../domain/amount.ts';
import { formatDecimal } from '../domain/decimal.ts';
import type { FuturesMarket } from '../domain/futures-market.ts';
import { decimalFromLots, decimalFromTicks, type Lots, type Ticks } from '../domain/spot-market.ts';
import type { Side } from '../domain/spot-order.ts';
import type { DemoAccount } from './demo-account.ts';
import type { DemoTrader } from './demo-trader.ts';

const unit = 10n ** 8n;
/** In orders: a position larger than this is only reduced. */
const heldMost = 10n;

/** A demo account of a perpetual, with margin in its perp wallet. */
export class PerpetualTrader implements DemoTrader {
  readonly #account: DemoAccount;
  readonly #market: FuturesMarket;

  constructor(account: DemoAccount, market: FuturesMarket) {
    this.#account = account;
    this.#market = market;
  }

  async topUp(quoteUnits: number): Promise<void> {
    const wanted = BigInt(quoteUnits) * unit;
    const client = await this.#account.client();
    const margin = await client.call('GET /api/v1/unified/account');
    const available = toUnits(margin.available_balance);
    if (available * 2n >= wanted) return;
    const amount = toAmount(wanted - available);
    await this.#account.credit('USDT', amount);
    const body = { direction: 'spot_to_perp', token: 'USDT', amount: fromUnits(amount) };
    await this.#account.attempt(() => client.call('POST /api/v1/spot/transfer', { body }));
  }

  async quote(side: Side, price: Ticks, quantity: Lots): Promise<void> {
    await this.#place({
      side: sideName(side),
      type: 'LIMIT',
      timeInForce: 'GTX',
      price: formatDecimal(decimalFromTicks(this.#market, price)),
      quantity: this.#format(quantity),
    });
  }

  /** Prefers the side that reduces the position, so that none grows forever. */
  async take(side: Side, _price: Ticks, quantity: Lots): Promise<void> {
    const client = await this.#account.client();
    const positions = await client.call('GET /api/v1/positions/active');
    const position = positions.find(({ symbol }) => symbol === this.#market.symbol);
    const size = this.#format(quantity);
    const held = toUnits(position?.quantity ?? '0');
    const isLarge = (held < 0n ? -held : held) > toUnits(size) * heldMost;
    const back = held > 0n ? 'SELL' : 'BUY';
    await this.#place({ side: isLarge ? back : sideName(side), type: 'MARKET', quantity: size });
  }

  async cancelAll(): Promise<void> {
    const { symbol } = this.#market;
    await this.#account.attempt((client) =>
      client.call('DELETE /api/v1/orders', { query: { symbol } }),
    );
  }

  setUsername(username: string): Promise<void> {
    return this.#account.attempt((client) =>
      client.call('PUT /api/v1/account/profile', { body: { username } }),
    );
  }

  async #place(terms: Readonly<Record<string, string>>): Promise<void> {
    const body = { symbol: this.#market.symbol, ...terms };
    await this.#account.attempt((client) => client.call('POST /api/v1/orders', { body }));
  }

  #format(quantity: Lots): string {
    return formatDecimal(decimalFromLots(this.#market, quantity));
  }
}

function sideName(side: Side): 'BUY' | 'SELL' {
  return side === 'buy' ? 'BUY' : 'SELL';
}
