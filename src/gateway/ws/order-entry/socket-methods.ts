import type { AccountAuth, Endpoint } from '../../http/endpoint.ts';

type EndpointsByMethod = Readonly<Record<string, readonly [method: string, path: string]>>;

/** The /fapi endpoint of each method of the futures' WebSocket API. */
export const endpointsByMethod: EndpointsByMethod = {
  ping: ['GET', '/fapi/v1/ping'],
  time: ['GET', '/fapi/v1/time'],
  depth: ['GET', '/fapi/v1/depth'],
  'ticker.price': ['GET', '/fapi/v1/ticker/price'],
  'ticker.book': ['GET', '/fapi/v1/ticker/bookTicker'],
  'order.place': ['POST', '/fapi/v1/order'],
  'order.modify': ['PUT', '/fapi/v1/order'],
  'order.cancel': ['DELETE', '/fapi/v1/order'],
  'order.status': ['GET', '/fapi/v1/order'],
  'algoOrder.place': ['POST', '/fapi/v1/algoOrder'],
  'algoOrder.cancel': ['DELETE', '/fapi/v1/algoOrder'],
  'account.balance': ['GET', '/fapi/v2/balance'],
  'v2/account.balance': ['GET', '/fapi/v3/balance'],
  'account.position': ['GET', '/fapi/v2/positionRisk'],
  'v2/account.position': ['GET', '/fapi/v3/positionRisk'],
  'account.status': ['GET', '/fapi/v2/account'],
  'v2/account.status': ['GET', '/fapi/v3/account'],
  'userDataStream.start': ['POST', '/fapi/v1/listenKey'],
  'userDataStream.ping': ['PUT', '/fapi/v1/listenKey'],
  'userDataStream.stop': ['DELETE', '/fapi/v1/listenKey'],
};

/** The /api/v3 endpoint of each method of spot's WebSocket API. */
export const spotEndpointsByMethod: EndpointsByMethod = {
  ping: ['GET', '/api/v3/ping'],
  time: ['GET', '/api/v3/time'],
  exchangeInfo: ['GET', '/api/v3/exchangeInfo'],
  depth: ['GET', '/api/v3/depth'],
  'trades.recent': ['GET', '/api/v3/trades'],
  'trades.historical': ['GET', '/api/v3/historicalTrades'],
  'trades.aggregate': ['GET', '/api/v3/aggTrades'],
  klines: ['GET', '/api/v3/klines'],
  uiKlines: ['GET', '/api/v3/uiKlines'],
  avgPrice: ['GET', '/api/v3/avgPrice'],
  ticker: ['GET', '/api/v3/ticker'],
  'ticker.tradingDay': ['GET', '/api/v3/ticker/tradingDay'],
  'ticker.24hr': ['GET', '/api/v3/ticker/24hr'],
  'ticker.price': ['GET', '/api/v3/ticker/price'],
  'ticker.book': ['GET', '/api/v3/ticker/bookTicker'],
  'order.place': ['POST', '/api/v3/order'],
  'order.test': ['POST', '/api/v3/order/test'],
  'order.cancel': ['DELETE', '/api/v3/order'],
  'order.status': ['GET', '/api/v3/order'],
  'order.cancelReplace': ['POST', '/api/v3/order/cancelReplace'],
  'openOrders.status': ['GET', '/api/v3/openOrders'],
  'openOrders.cancelAll': ['DELETE', '/api/v3/openOrders'],
  allOrders: ['GET', '/api/v3/allOrders'],
  myTrades: ['GET', '/api/v3/myTrades'],
  'account.status': ['GET', '/api/v3/account'],
  'account.commission': ['GET', '/api/v3/account/commission'],
  'userDataStream.start': ['POST', '/api/v3/userDataStream'],
  'userDataStream.ping': ['PUT', '/api/v3/userDataStream'],
  'userDataStream.stop': ['DELETE', '/api/v3/userDataStream'],
};

/** Methods of the session itself. */
export const sessionMethods = ['session.logon', 'session.status', 'session.logout'] as const;

/** Methods that accept the key without a signature, as Binance's clients send it. */
const unsignedMethods = new Set([
  'userDataStream.start',
  'userDataStream.ping',
  'userDataStream.stop',
]);

export interface SocketMethod {
  readonly endpoint: Endpoint;
  /** Null: open to everyone. */
  readonly auth: AccountAuth | null;
  readonly isKeyEnough: boolean;
}

/** The methods with the endpoints that serve them. */
export function socketMethods(
  endpoints: readonly Endpoint[],
  byMethod: EndpointsByMethod = endpointsByMethod,
): ReadonlyMap<string, SocketMethod> {
  const methods = new Map<string, SocketMethod>();
  for (const [name, [method, path]] of Object.entries(byMethod)) {
    const endpoint = endpoints.find((each) => each.method === method && each.path === path);
    if (endpoint === undefined) continue;
    const auth = endpoint.auth.kind === 'account' ? endpoint.auth : null;
    methods.set(name, { endpoint, auth, isKeyEnough: unsignedMethods.has(name) });
  }
  return methods;
}
