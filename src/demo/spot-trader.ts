import { fromUnits, toUnits } from '@openbourse/client';
import { amountFromDecimal, toAmount } from '../domain/amount.ts';
import { assert } from '../domain/assert.ts';
import { formatDecimal } from '../domain/decimal.ts';
import {
  decimalFromLots,
  decimalFromTicks,
  type Lots,
  type SpotMarket,
  type Ticks,
} from '../domain/spot-market.ts';
import type { Side } from '../domain/spot-order.ts';
import type { DemoAccount } from './demo-account.ts';
import type { DemoTrader } from './demo-trader.ts';

const unit = 10n ** 8n;

/** A demo account of a spot market that holds both of its tokens. */
export class SpotTrader implements DemoTrader {
  readonly #account: DemoAccount;
  readonly #market: SpotMarket;

  constructor(account: DemoAccount, market: SpotMarket) {
    this.#account = account;
    this.#market = market;
  }

  async topUp(quoteUnits: number, price: Ticks): Promise<void> {
    const { baseToken, quoteToken, tickLotAmount } = this.#market;
    const quoteAmount = BigInt(quoteUnits) * unit;
    const lots = quoteAmount / (BigInt(price) * tickLotAmount);
    const baseAmount = amountFromDecimal(decimalFromLots(this.#market, Number(lots) as Lots));
    assert(baseAmount !== null, 'a quantity in lots is an amount');
    const client = await this.#account.client();
    const { items } = await client.call('GET /api/v1/spot/balances');
    for (const [token, wanted] of [
      [quoteToken, quoteAmount],
      [baseToken, baseAmount],
    ] as const) {
      const available = toUnits(items.find((each) => each.token === token)?.available ?? '0');
      if (available * 2n >= wanted) continue;
      await this.#account.credit(token, toAmount(wanted - available));
    }
  }

  async quote(side: Side, price: Ticks, quantity: Lots): Promise<void> {
    const order = {
      symbol: this.#market.symbol,
      side,
      type: 'limit',
      tif: 'post_only',
      price: formatDecimal(decimalFromTicks(this.#market, price)),
      quantity: this.#format(quantity),
    };
    await this.#account.attempt((client) =>
      client.call('POST /api/v1/spot/orders', { body: order }),
    );
  }

  async take(side: Side, price: Ticks, quantity: Lots): Promise<void> {
    const value = BigInt(price) * BigInt(quantity) * this.#market.tickLotAmount;
    const size =
      side === 'buy' ? { quote_quantity: fromUnits(value) } : { quantity: this.#format(quantity) };
    const order = { symbol: this.#market.symbol, side, type: 'market', ...size };
    await this.#account.attempt((client) =>
      client.call('POST /api/v1/spot/orders', { body: order }),
    );
  }

  async cancelAll(): Promise<void> {
    const { symbol } = this.#market;
    await this.#account.attempt((client) =>
      client.call('DELETE /api/v1/spot/orders', { query: { symbol } }),
    );
  }

  setUsername(username: string): Promise<void> {
    return this.#account.attempt((client) =>
      client.call('PUT /api/v1/account/profile', { body: { username } }),
    );
  }

  #format(quantity: Lots): string {
    return formatDecimal(decimalFromLots(this.#market, quantity));
  }
}
