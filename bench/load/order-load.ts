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

/**
 * Signed limit orders, a new one at every call: traders with even numbers buy, the others sell,
 * most at prices that rest, a few at prices that cross, so that the book stays of one size.
 */
export class OrderLoad {
  readonly #path: string;
  readonly #traders: readonly { readonly apiKey: string; readonly key: SigningKey }[];

  #count = 0;
  /** Signed ahead, by connection. */
  #ready: string[][] = [];

  constructor(path: string, keys: readonly ApiKeyPair[]) {
    this.#path = path;
    this.#traders = keys.map(({ apiKey, apiSecret }) => ({
      apiKey,
      key: new SigningKey(apiSecret),
    }));
  }

  /** Signs requests ahead, so that making them takes nothing from whoever shares the processor. */
  prepare(connections: number, countEach: number): void {
    this.#ready = Array.from({ length: connections }, (_, connection) =>
      Array.from({ length: countEach }, () => this.#makeRequest(connection)),
    );
  }

  /** The bytes of the connection's next request; a connection belongs to one trader. */
  nextRequest(connection: number): string {
    return this.#ready[connection]?.pop() ?? this.#makeRequest(connection);
  }

  #makeRequest(connection: number): string {
    const number = connection % this.#traders.length;
    const trader = this.#traders[number];
    if (trader === undefined) throw new Error('a load needs traders');
    const isBuy = number % 2 === 0;
    const distance = Math.floor(Math.random() * spreadTicks) - crossingTicks;
    const price = ((isBuy ? middleTick - distance : middleTick + distance) / 100).toFixed(2);
    const side = isBuy ? 'buy' : 'sell';
    const body = `{"symbol":"${loadMarket.id}","side":"${side}","type":"limit","price":"${price}","quantity":"0.001"}`;
    // Two like orders of one millisecond would be one order, sent twice.
    this.#count += 1;
    const query = `timestamp=${Date.now()}&recvWindow=${windowMin + (this.#count % windowMin)}`;
    return (
      `POST ${this.#path}?${query}&signature=${trader.key.sign(query + body)} HTTP/1.1\r\n` +
      `host: 127.0.0.1\r\nx-mbx-apikey: ${trader.apiKey}\r\ncontent-type: application/json\r\n` +
      `content-length: ${body.length}\r\n\r\n${body}`
    );
  }
}
