import { MainClient } from 'binance';
import {
  type Arguments,
  type CallContext,
  type Fields,
  limitOrder,
  symbol,
} from './call-context.ts';

// What ccxt's paths of spot are called with.

const market: Fields = { symbol };

export function argumentsOfCcxtSpot({ keys, url }: CallContext): Arguments {
  const { apiKey: api_key, apiSecret: api_secret } = keys;
  const helper = new MainClient({ api_key, api_secret, baseUrl: url });
  const order = async (): Promise<Fields> => {
    const { orderId } = await helper.submitNewOrder({ ...limitOrder } as never);
    return { symbol, orderId };
  };
  const listenKey = async (): Promise<Fields> => helper.getSpotUserDataListenKey();
  const ofOneMarket = [
    'publicGetTicker',
    'publicGetTicker24hr',
    'publicGetTickerTradingDay',
    'publicGetTickerPrice',
    'publicGetTickerBookTicker',
    'publicGetExchangeInfo',
    'publicGetDepth',
    'privateGetOpenOrders',
    'privateDeleteOpenOrders',
  ];
  return {
    ...Object.fromEntries(ofOneMarket.map((name) => [name, () => market])),
    publicGetPing: () => ({}),
    publicGetTime: () => ({}),
    publicPostUserDataStream: () => ({}),
    publicPutUserDataStream: listenKey,
    publicDeleteUserDataStream: listenKey,
    privateGetOrder: order,
    privateDeleteOrder: order,
    privatePostOrder: () => limitOrder,
    privatePostOrderTest: () => limitOrder,
    privatePostOrderCancelReplace: async () => ({
      ...limitOrder,
      cancelReplaceMode: 'STOP_ON_FAILURE',
      cancelOrderId: (await order())['orderId'],
    }),
  };
}
