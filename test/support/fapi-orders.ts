import type { Address } from '../../src/domain/identifiers.ts';
import { FapiService } from './fapi-service.ts';

export type OrderFields = Readonly<Record<string, string | number | boolean>>;

export interface PlacedOrder {
  readonly orderId: number;
  readonly clientOrderId: string;
  readonly status: string;
}

/** A market with bids at 99 and offers at 101 throughout, and a trader who sends orders to /fapi. */
export class FapiOrders {
  readonly service: FapiService;
  readonly symbol: string;
  readonly maker: Address;
  readonly trader: Address;

  private constructor(service: FapiService, symbol: string, maker: Address, trader: Address) {
    this.service = service;
    this.symbol = symbol;
    this.maker = maker;
    this.trader = trader;
  }

  static async open(): Promise<FapiOrders> {
    const service = await FapiService.open();
    const { derivatives } = service;
    const symbol = await derivatives.nextMarket({ max_notional: '1000000' });
    await derivatives.setIndex(symbol, '100');
    derivatives.advanceTime();
    const maker = await derivatives.nextTrader();
    const trader = await derivatives.nextTrader();
    derivatives.place(maker, { symbol, side: 'buy', price: 99, quantity: 1000 });
    derivatives.place(maker, { symbol, side: 'sell', price: 101, quantity: 1000 });
    return new FapiOrders(service, symbol, maker, trader);
  }

  readonly limit = (change: OrderFields = {}): OrderFields => ({
    symbol: this.symbol,
    side: 'BUY',
    type: 'LIMIT',
    timeInForce: 'GTC',
    quantity: 1,
    price: 90,
    ...change,
  });
  readonly market = (change: OrderFields = {}): OrderFields => ({
    symbol: this.symbol,
    side: 'BUY',
    type: 'MARKET',
    quantity: 1,
    ...change,
  });
  readonly stop = (change: OrderFields = {}): OrderFields => ({
    symbol: this.symbol,
    side: 'SELL',
    type: 'STOP_MARKET',
    quantity: 1,
    stopPrice: 80,
    ...change,
  });

  readonly place = (fields: OrderFields, as = this.trader) =>
    this.service.call('POST', '/v1/order', as, fields);
  readonly placed = (fields: OrderFields, as = this.trader) =>
    this.service.done<PlacedOrder>('POST', '/v1/order', as, fields);
  readonly cancelAll = (as = this.trader) =>
    this.service.done('DELETE', '/v1/allOpenOrders', as, { symbol: this.symbol });
}
