import { requestJson } from '../../src/client/api-client.ts';
import type { HttpConnection } from '../../src/client/http-connection.ts';
import type { ApiKeyPair } from '../../src/client/sign-in.ts';
import { SigningKey } from '../../src/gateway/auth/signing-key.ts';

/** The market that the load trades in; both sides meet around the middle. */
export const loadMarket = {
  id: 'LOADUSDT',
  base_token: 'LOAD',
  quote_token: 'USDT',
  tick_size: '0.01',
  lot_size: '0.001',
  min_notional: '0.01',
  maker_fee_bps: 2,
  taker_fee_bps: 5,
};

const middleTick = 10_000;
const spreadTicks = 20;
const crossingTicks = 2;
const windowMin = 10_000;

/** How the orders of a load read. */
export interface OrderKind {
  readonly path: string;
  /** The fields of the next order, as a query and as a body. */
  readonly draw: (isBuy: boolean) => { readonly query: string; readonly body: string };
  /** The path of the DELETE that ends all the orders left open; null if they leave nothing. */
  readonly cancelAllPath: string | null;
}

/**
 * Limit orders, most at prices that rest, a few at prices that cross. What rests is canceled from
 * time to time, since an account may have no more than a thousand open orders in a market.
 */
export const spotOrders: OrderKind = {
  path: '/api/v1/spot/orders',
  cancelAllPath: '/api/v1/spot/orders',
  draw: (isBuy) => {
    const distance = Math.floor(Math.random() * spreadTicks) - crossingTicks;
    const price = ((isBuy ? middleTick - distance : middleTick + distance) / 100).toFixed(2);
    const side = isBuy ? 'buy' : 'sell';
    const order = { symbol: loadMarket.id, side, type: 'limit', price, quantity: '0.001' };
    return { query: '', body: JSON.stringify(order) };
  },
};

/** An IOC order below the market, so that the book stays as it is. */
export const futuresTerms = {
  symbol: 'BTCUSDT',
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'IOC',
  quantity: '0.01',
  price: '1000',
};
const futuresQuery = `${new URLSearchParams(futuresTerms).toString()}&`;

export const futuresOrders: OrderKind = {
  path: '/fapi/v1/order',
  cancelAllPath: null,
  draw: () => ({ query: futuresQuery, body: '' }),
};

/**
 * Signed orders, a new one at every call: traders with even numbers buy, the others sell. Each
 * connection sends for its own traders in turns.
 */
export class OrderLoad {
  readonly #kind: OrderKind;
  readonly #traders: readonly { readonly apiKey: string; readonly key: SigningKey }[];
  #count = 0;
  /** How many requests each connection has made. */
  #turns: number[] = [];
  /** Signed ahead, by connection. */
  #ready: string[][] = [];

  constructor(kind: OrderKind, keys: readonly ApiKeyPair[]) {
    this.#kind = kind;
    this.#traders = keys.map(({ apiKey, apiSecret }) => ({
      apiKey,
      key: new SigningKey(apiSecret),
    }));
  }

  /** Signs requests ahead, so that making them takes no time from the measured process. */
  prepare(connections: number, countEach: number): void {
    this.#turns = Array.from({ length: connections }, () => 0);
    this.#ready = Array.from({ length: connections }, (_, connection) =>
      Array.from({ length: countEach }, () => this.#makeRequest(connection)),
    );
  }

  /** The bytes of the connection's next request. */
  nextRequest(connection: number): string {
    return this.#ready[connection]?.pop() ?? this.#makeRequest(connection);
  }

  /** Cancels whatever all traders have open. */
  async cancelAll(connection: HttpConnection): Promise<void> {
    const { cancelAllPath } = this.#kind;
    if (cancelAllPath === null) return;
    for (const { apiKey, key } of this.#traders) {
      await requestJson(connection, () => {
        const query = `timestamp=${Date.now()}`;
        const target = `${cancelAllPath}?${query}&signature=${key.sign(query)}`;
        return { method: 'DELETE', target, headers: { 'x-mbx-apikey': apiKey } };
      });
    }
  }

  #makeRequest(connection: number): string {
    this.#count += 1;
    const { length } = this.#traders;
    const turn = this.#turns[connection] ?? 0;
    this.#turns[connection] = turn + 1;
    const number = (connection + turn * this.#turns.length) % length;
    const trader = this.#traders[number];
    if (trader === undefined) throw new Error('a load needs traders');
    const { query: fields, body } = this.#kind.draw(number % 2 === 0);
    // Two like orders of one millisecond would be one order, sent twice.
    const window = windowMin + (this.#count % windowMin);
    const query = `${fields}timestamp=${Date.now()}&recvWindow=${window}`;
    const type = body === '' ? '' : 'content-type: application/json\r\n';
    return (
      `POST ${this.#kind.path}?${query}&signature=${trader.key.sign(query + body)} HTTP/1.1\r\n` +
      `host: 127.0.0.1\r\nx-mbx-apikey: ${trader.apiKey}\r\n${type}` +
      `content-length: ${body.length}\r\n\r\n${body}`
    );
  }
}
