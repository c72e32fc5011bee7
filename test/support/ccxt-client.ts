import { createRequire } from 'node:module';
import type { ApiKeyPair } from '../../src/client/sign-in.ts';

// The package's own declarations describe a hundred exchanges and slow the type check down, so what
// the tests use of it is named here.

type Parameters = Readonly<Record<string, unknown>>;
type Found<T> = Promise<T & Readonly<Record<string, unknown>>>;

interface CcxtTrade {
  readonly price: number;
  readonly amount: number;
  readonly side: string;
}

interface CcxtOrder {
  readonly id: string;
  readonly status: string;
  readonly price: number;
}

export interface CcxtClient {
  readonly urls: { readonly api: Record<string, string> };
  readonly markets: Readonly<Record<string, unknown>>;
  loadMarkets(): Promise<unknown>;
  market(symbol: string): unknown;
  createOrder(
    symbol: string,
    type: string,
    side: string,
    amount: number,
    price?: number,
    parameters?: Parameters,
  ): Found<CcxtOrder>;
  createOrders(orders: readonly object[]): Promise<CcxtOrder[]>;
  editOrder(
    id: string,
    symbol: string,
    type: string,
    side: string,
    amount: number,
    price: number,
  ): Found<CcxtOrder>;
  cancelOrder(id: string, symbol: string, parameters?: Parameters): Found<CcxtOrder>;
  cancelOrders(ids: readonly string[], symbol: string): Promise<CcxtOrder[]>;
  cancelAllOrders(symbol: string, parameters?: Parameters): Promise<unknown>;
  fetchOrder(id: string, symbol: string, parameters?: Parameters): Found<CcxtOrder>;
  fetchOpenOrders(
    symbol: string,
    since?: number,
    limit?: number,
    parameters?: Parameters,
  ): Promise<CcxtOrder[]>;
  fetchOrders(symbol: string): Promise<CcxtOrder[]>;
  fetchClosedOrders(symbol: string): Promise<CcxtOrder[]>;
  fetchPositions(symbols: readonly string[]): Promise<unknown[]>;
  fetchBalance(): Promise<Readonly<Record<string, unknown>>>;
  fetchMyTrades(symbol: string): Promise<unknown[]>;
  fetchLedger(code: string): Promise<
    {
      readonly type: string;
      readonly amount: number;
      readonly direction: string;
      readonly info: { readonly incomeType: string };
    }[]
  >;
  fetchTradingFee(symbol: string): Promise<unknown>;
  setLeverage(leverage: number, symbol: string): Promise<unknown>;
  setMarginMode(mode: string, symbol: string): Promise<unknown>;
  setPositionMode(isHedged: boolean, symbol: string): Promise<unknown>;
  fetchPositionMode(symbol: string): Promise<unknown>;
  fetchLeverage(symbol: string): Promise<unknown>;
  fetchTime(): Promise<number>;
  fetchOrderBook(
    symbol: string,
    limit: number,
  ): Promise<{ readonly bids: unknown; readonly asks: unknown; readonly nonce: number }>;
  fetchTrades(
    symbol: string,
  ): Promise<{ readonly price: number; readonly amount: number; readonly side: string }[]>;
  fetchOHLCV(symbol: string, timeframe: string): Promise<number[][]>;
  fetchTicker(symbol: string): Promise<unknown>;
  fetchBidsAsks(symbols: readonly string[]): Promise<unknown>;
  fetchFundingRate(symbol: string): Promise<unknown>;
  fetchOpenInterest(symbol: string): Promise<unknown>;
}

/** The same client with streams. */
export interface CcxtStreamClient extends CcxtClient {
  readonly urls: {
    readonly api: Record<string, string> & {
      readonly ws: {
        future: string;
        spot: string;
        'ws-api': { future: string; spot: string };
      };
    };
  };
  loadHttpProxyAgent(): Promise<unknown>;
  watchOrderBook(
    symbol: string,
    limit?: number,
  ): Promise<{ readonly bids: [number, number][]; readonly asks: [number, number][] }>;
  watchTrades(symbol: string): Promise<CcxtTrade[]>;
  watchTicker(symbol: string): Promise<Readonly<Record<string, unknown>>>;
  watchTickers(symbols: readonly string[]): Promise<Readonly<Record<string, unknown>>>;
  watchBidsAsks(symbols: readonly string[]): Promise<Readonly<Record<string, unknown>>>;
  watchOHLCV(symbol: string, timeframe: string): Promise<number[][]>;
  watchOrders(symbol: string): Promise<CcxtOrder[]>;
  watchMyTrades(symbol: string): Promise<CcxtTrade[]>;
  watchBalance(): Promise<Readonly<Record<string, unknown>>>;
  createOrderWs: CcxtClient['createOrder'];
  cancelOrderWs: CcxtClient['cancelOrder'];
  cancelAllOrdersWs(symbol: string): Promise<CcxtOrder[]>;
  fetchOrderWs: CcxtClient['fetchOrder'];
  fetchOpenOrdersWs(symbol: string): Promise<CcxtOrder[]>;
  fetchOrdersWs(symbol: string): Promise<CcxtOrder[]>;
  fetchMyTradesWs(symbol: string): Promise<CcxtTrade[]>;
  fetchTradesWs(symbol: string): Promise<CcxtTrade[]>;
  fetchBalanceWs(): Promise<Readonly<Record<string, unknown>>>;
  fetchOHLCVWs(symbol: string, timeframe: string): Promise<number[][]>;
  close(): Promise<void>;
}

interface CcxtModule {
  readonly binance: new (options: object) => CcxtClient;
  readonly binanceusdm: new (options: object) => CcxtClient;
  readonly pro: {
    readonly binance: new (options: object) => CcxtStreamClient;
    readonly binanceusdm: new (options: object) => CcxtStreamClient;
  };
  readonly OrderNotFound: new (message: string) => Error;
}

export const ccxt = createRequire(import.meta.url)('ccxt') as CcxtModule;

/** The client as it is installed, with nothing but its base URLs changed. */
export function connectCcxt(baseUrl: string, { apiKey, apiSecret }: ApiKeyPair): CcxtClient {
  const client = new ccxt.binanceusdm(settingsOf({ apiKey, apiSecret }));
  changeUrls(client.urls.api, baseUrl);
  return client;
}

/** The client of all of Binance's markets, for spot and USDT perpetuals. */
export function connectCcxtBinance(baseUrl: string, keys: ApiKeyPair): CcxtClient {
  const client = new ccxt.binance(settingsOfBinance(keys));
  changeBinanceUrls(client.urls.api, baseUrl);
  return client;
}

/** The same with streams, those of spot included. */
export async function connectCcxtBinanceStreams(
  baseUrl: string,
  keys: ApiKeyPair,
): Promise<CcxtStreamClient> {
  const client = new ccxt.pro.binance(settingsOfBinance(keys));
  changeBinanceUrls(client.urls.api, baseUrl);
  const socketUrl = baseUrl.replace('http', 'ws');
  const { ws } = client.urls.api;
  ws.future = `${socketUrl}/ws`;
  ws.spot = `${socketUrl}/streams/spot/ws`;
  ws['ws-api'].future = `${socketUrl}/ws-fapi/v1`;
  ws['ws-api'].spot = `${socketUrl}/ws-api/v3`;
  await client.loadHttpProxyAgent();
  return client;
}

function settingsOfBinance({ apiKey, apiSecret }: ApiKeyPair): object {
  return {
    apiKey,
    secret: apiSecret,
    enableRateLimit: false,
    options: {
      fetchCurrencies: false,
      fetchMargins: false,
      fetchMarkets: { types: ['spot', 'linear'] },
    },
  };
}

function changeBinanceUrls(api: Record<string, unknown>, baseUrl: string): void {
  for (const [name, url] of Object.entries(api)) {
    if (/^(fapi|public$|private$|v1$)/.test(name) && typeof url === 'string') {
      api[name] = url.replace(/^https:\/\/[^/]+/, baseUrl);
    }
  }
}

/** The same for its streams. */
export async function connectCcxtStreams(
  baseUrl: string,
  keys: ApiKeyPair,
): Promise<CcxtStreamClient> {
  const client = new ccxt.pro.binanceusdm(settingsOf(keys));
  changeUrls(client.urls.api, baseUrl);
  client.urls.api.ws.future = `${baseUrl.replace('http', 'ws')}/ws`;
  await client.loadHttpProxyAgent();
  return client;
}

function settingsOf({ apiKey, apiSecret }: ApiKeyPair): object {
  const options = { fetchCurrencies: false };
  // Its own pauses between requests would only make the tests slow.
  return { apiKey, secret: apiSecret, options, enableRateLimit: false };
}

function changeUrls(api: Record<string, unknown>, baseUrl: string): void {
  for (const [name, url] of Object.entries(api)) {
    if (name.startsWith('fapi') && typeof url === 'string') {
      api[name] = url.replace(/^https:\/\/[^/]+/, baseUrl);
    }
  }
}
