import { USDMClient } from 'binance';
import type { ApiKeyPair } from '../../../src/client/sign-in.ts';
import type { TradingFloor } from '../../support/trading-floor.ts';
import { ClientCalls, type Dialect } from './client-calls.ts';

export type Fields = Readonly<Record<string, unknown>>;
/** The arguments of each method that needs others than the usual ones. */
export type Arguments = Readonly<Record<string, () => unknown>>;

export const symbol = 'ETHUSDT';
const hourMs = 3_600_000;

/** What most reads take; a method ignores what it does not know. */
const usual: Fields = {
  symbol,
  pair: symbol,
  contractType: 'PERPETUAL',
  interval: '1m',
  period: '5m',
  limit: 5,
  asset: 'USDT',
};
export const limitOrder: Fields = {
  symbol,
  side: 'BUY',
  type: 'LIMIT',
  timeInForce: 'GTC',
  quantity: '0.1',
  price: '2500',
};
export const algoOrder: Fields = {
  algoType: 'CONDITIONAL',
  symbol,
  side: 'BUY',
  type: 'STOP_MARKET',
  quantity: '0.1',
  triggerPrice: '4000',
};
export const positionMode: Fields = { dualSidePosition: 'false' };
export const margin: Fields = { symbol, amount: 1, type: 1 };

/** A trader with its own account, for one client under one dialect. */
export class CallContext {
  readonly keys: ApiKeyPair;
  readonly url: string;
  readonly calls: ClientCalls;
  readonly #helper: USDMClient;

  private constructor(keys: ApiKeyPair, url: string, calls: ClientCalls) {
    this.keys = keys;
    this.url = url;
    this.calls = calls;
    const { apiKey, apiSecret } = keys;
    this.#helper = new USDMClient({ api_key: apiKey, api_secret: apiSecret, baseUrl: url });
  }

  static async open(floor: TradingFloor, client: string, dialect: Dialect): Promise<CallContext> {
    const keys = await floor.addTrader({ ETH: '10' });
    return new CallContext(keys, floor.url, new ClientCalls(client, dialect));
  }

  /** A resting order, for calls about one. */
  readonly order = async (): Promise<Fields> => {
    const { orderId } = await this.#helper.submitNewOrder({ ...limitOrder } as never);
    return { symbol, orderId };
  };

  readonly change = async (): Promise<Fields> => ({
    ...(await this.order()),
    side: 'BUY',
    quantity: '0.2',
    price: '2490',
  });

  readonly algo = async (): Promise<Fields> => {
    const { algoId } = await this.#helper.submitNewAlgoOrder({ ...algoOrder } as never);
    return { symbol, algoId };
  };

  /** The last hour. */
  readonly span = (): Fields => ({ startTime: Date.now() - hourMs, endTime: Date.now() });

  readonly file = async (kind: 'Order' | 'Trade' | 'Transaction' = 'Order'): Promise<Fields> => {
    const { downloadId } = await this.#helper[`getFutures${kind}HistoryDownloadId`](
      this.span() as never,
    );
    return { downloadId };
  };

  /** Calls each method once, in the order of the names. */
  async callAll(client: object, names: readonly string[], given: Arguments): Promise<void> {
    const methods = client as Record<string, (...values: unknown[]) => unknown>;
    for (const name of names) {
      // Some clients write into what they are given.
      const values: unknown = structuredClone(await (given[name] ?? (() => usual))());
      const list: readonly unknown[] = Array.isArray(values) ? values : [values];
      await this.calls.make(name, () => methods[name]?.(...list));
    }
  }
}

/** The methods that a class has of its own. */
export function methodsOf(prototype: object, left: readonly string[] = []): readonly string[] {
  return Object.getOwnPropertyNames(prototype).filter(
    (name) => name !== 'constructor' && !left.includes(name),
  );
}
