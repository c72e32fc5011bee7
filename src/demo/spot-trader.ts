import { cancelAllSpotOrders } from '../application/trading/cancel-all-spot-orders.ts';
import { placeSpotOrder } from '../application/trading/place-spot-order.ts';
import type { SpotOrderRequest } from '../application/trading/validate-spot-order.ts';
import { amountFromDecimal, toAmount } from '../domain/amount.ts';
import { assert } from '../domain/assert.ts';
import type { Address, TokenId } from '../domain/identifiers.ts';
import {
  decimalFromLots,
  decimalFromTicks,
  type Lots,
  type SpotMarket,
  type Ticks,
} from '../domain/spot-market.ts';
import type { Side } from '../domain/spot-order.ts';
import { credit, type DemoTrader, skipWhereBusy } from './demo-trader.ts';
import type { DemoPorts } from './start-demo.ts';

const unit = 10n ** 8n;

/** A demo account of a spot market that holds both of its tokens. */
export class SpotTrader implements DemoTrader {
  readonly #ports: DemoPorts;
  readonly #address: Address;
  readonly #market: SpotMarket;

  constructor(ports: DemoPorts, address: Address, market: SpotMarket) {
    this.#ports = ports;
    this.#address = address;
    this.#market = market;
  }

  async topUp(quoteUnits: number, price: Ticks): Promise<void> {
    const { baseToken, quoteToken, baseTokenId, quoteTokenId, tickLotAmount } = this.#market;
    const quoteAmount = BigInt(quoteUnits) * unit;
    const lots = quoteAmount / (BigInt(price) * tickLotAmount);
    const baseAmount = amountFromDecimal(decimalFromLots(this.#market, Number(lots) as Lots));
    assert(baseAmount !== null, 'a quantity in lots is an amount');
    await this.#topUp(quoteToken, quoteTokenId, quoteAmount);
    await this.#topUp(baseToken, baseTokenId, baseAmount);
  }

  async quote(side: Side, price: Ticks, quantity: Lots): Promise<void> {
    await this.#place({
      side,
      type: 'limit',
      timeInForce: 'post_only',
      price: decimalFromTicks(this.#market, price),
      quantity: decimalFromLots(this.#market, quantity),
    });
  }

  async take(side: Side, price: Ticks, quantity: Lots): Promise<void> {
    const value = toAmount(BigInt(price) * BigInt(quantity) * this.#market.tickLotAmount);
    if (side === 'buy') await this.#place({ side, type: 'market', quoteQuantity: value });
    else
      await this.#place({
        side,
        type: 'market',
        quantity: decimalFromLots(this.#market, quantity),
      });
  }

  async cancelAll(): Promise<void> {
    const { symbol } = this.#market;
    await skipWhereBusy(() => cancelAllSpotOrders(this.#ports, this.#address, symbol));
  }

  async #place(
    terms: Pick<SpotOrderRequest, 'side' | 'type'> & Partial<SpotOrderRequest>,
  ): Promise<void> {
    const request: SpotOrderRequest = {
      symbol: this.#market.symbol,
      timeInForce: null,
      price: null,
      quantity: null,
      quoteQuantity: null,
      clientOrderId: null,
      ...terms,
    };
    await skipWhereBusy(() => placeSpotOrder(this.#ports, this.#address, request));
  }

  async #topUp(token: string, tokenId: TokenId, wanted: bigint): Promise<void> {
    const available = this.#ports.exchange.peek((view) => {
      const accountId = view.findAccount(this.#address);
      const balances = accountId === null ? [] : view.listBalances(accountId);
      return balances.find((balance) => balance.tokenId === tokenId)?.available ?? 0n;
    });
    if (available * 2n >= wanted) return;
    await credit(this.#ports, this.#address, token, toAmount(wanted - available));
  }
}
