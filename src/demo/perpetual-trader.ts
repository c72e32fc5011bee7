import type { Command } from '../application/ports.ts';
import { openAccount } from '../application/trading/open-account.ts';
import { toAmount } from '../domain/amount.ts';
import type { FuturesMarket } from '../domain/futures-market.ts';
import type { AccountId, Address } from '../domain/identifiers.ts';
import type { Lots, Ticks } from '../domain/spot-market.ts';
import type { Side } from '../domain/spot-order.ts';
import { credit, type DemoTrader, skipWhereBusy } from './demo-trader.ts';
import type { DemoPorts } from './start-demo.ts';

const unit = 10n ** 8n;

type PlaceFuturesOrder = Extract<Command, { readonly type: 'placeFuturesOrder' }>;
type OrderTerms = Pick<PlaceFuturesOrder, 'orderType' | 'timeInForce' | 'price'>;

/** A demo account of a perpetual, with margin in its perp wallet. */
export class PerpetualTrader implements DemoTrader {
  readonly #ports: DemoPorts;
  readonly #address: Address;
  readonly #market: FuturesMarket;

  constructor(ports: DemoPorts, address: Address, market: FuturesMarket) {
    this.#ports = ports;
    this.#address = address;
    this.#market = market;
  }

  async topUp(quoteUnits: number): Promise<void> {
    const { exchange } = this.#ports;
    const wanted = BigInt(quoteUnits) * unit;
    const accountId = await this.#accountId();
    const { available } = exchange.peek((view) => view.futures.getPerpAccount(accountId));
    if (available * 2n >= wanted) return;
    const amount = toAmount(wanted - available);
    await credit(this.#ports, this.#address, 'USDT', amount);
    await skipWhereBusy(() =>
      exchange.submit({
        type: 'transferFunds',
        accountId,
        direction: 'spot_to_perp',
        amount,
        clientTransferId: null,
      }),
    );
  }

  async quote(side: Side, price: Ticks, quantity: Lots): Promise<void> {
    await this.#place(side, quantity, { orderType: 'limit', timeInForce: 'gtx', price });
  }

  /** Prefers the side that reduces the position, so that none grows forever. */
  async take(side: Side, _price: Ticks, quantity: Lots): Promise<void> {
    const accountId = await this.#accountId();
    const { marketId } = this.#market;
    const position = this.#ports.exchange.peek((view) =>
      view.futures.getPosition(accountId, marketId),
    );
    const held = Number(position.quantity);
    const isLarge = Math.abs(held) > quantity * heldMost;
    const back = held > 0 ? 'sell' : 'buy';
    await this.#place(isLarge ? back : side, quantity, {
      orderType: 'market',
      timeInForce: 'ioc',
      price: null,
    });
  }

  async cancelAll(): Promise<void> {
    const accountId = await this.#accountId();
    const { marketId } = this.#market;
    await skipWhereBusy(() =>
      this.#ports.exchange.submit({
        type: 'cancelAllFuturesOrders',
        accountId,
        marketId,
        kind: 'all',
      }),
    );
  }

  async #place(side: Side, quantity: Lots, terms: OrderTerms): Promise<void> {
    const accountId = await this.#accountId();
    await skipWhereBusy(() =>
      this.#ports.exchange.submit({
        type: 'placeFuturesOrder',
        accountId,
        marketId: this.#market.marketId,
        side,
        quantity,
        ...plainOrder,
        ...terms,
      }),
    );
  }

  #accountId(): Promise<AccountId> {
    return openAccount(this.#ports.exchange, this.#address);
  }
}

const heldMost = 10;

const plainOrder = {
  clientOrderId: null,
  worstPrice: null,
  stopPrice: null,
  triggerPriceKind: 'contract',
  activationPrice: null,
  callback: null,
  isReduceOnly: false,
  isClosePosition: false,
  isPriceProtected: false,
  priceMatch: 'none',
  selfTradeMode: 'expire_taker',
  goodTill: null,
  isAlgo: false,
  takeProfit: null,
  stopLoss: null,
} as const;
