import {
  type Arguments,
  algoOrder,
  type CallContext,
  limitOrder,
  margin,
  positionMode,
  symbol,
} from './call-context.ts';

// What each client's methods about futures are called with, if the usual parameters do not do.

const leverage = { symbol, leverage: 10 };
const marginType = { symbol, marginType: 'CROSSED' };
const multiAssets = { multiAssetsMargin: 'false' };
const countdown = { symbol, countdownTime: 0 };

export function argumentsOfBinance(context: CallContext): Arguments {
  const { order, change, algo, span, file } = context;
  return {
    submitNewOrder: () => limitOrder,
    testOrder: () => limitOrder,
    submitMultipleOrders: () => [[limitOrder, limitOrder]],
    modifyOrder: change,
    modifyMultipleOrders: async () => [[await change()]],
    getOrderModifyHistory: order,
    cancelOrder: order,
    cancelMultipleOrders: async () => ({ symbol, orderIdList: [(await order())['orderId']] }),
    setCancelOrdersOnTimeout: () => countdown,
    getOrder: order,
    getCurrentOpenOrder: order,
    setMarginType: () => marginType,
    setPositionMode: () => positionMode,
    setLeverage: () => leverage,
    setMultiAssetsMode: () => multiAssets,
    setIsolatedPositionMargin: () => margin,
    getFuturesTransactionHistoryDownloadId: span,
    getFuturesOrderHistoryDownloadId: span,
    getFuturesTradeHistoryDownloadId: span,
    getFuturesTransactionHistoryDownloadLink: () => file('Transaction'),
    getFuturesOrderHistoryDownloadLink: () => file('Order'),
    getFuturesTradeDownloadLink: () => file('Trade'),
    setBNBBurnEnabled: () => ({ feeBurn: 'false' }),
    submitNewAlgoOrder: () => algoOrder,
    cancelAlgoOrder: algo,
    getAlgoOrder: algo,
  };
}

export function argumentsOfOfficial(context: CallContext): Arguments {
  const { order, change, algo, span, file } = context;
  return {
    newOrder: () => limitOrder,
    testOrder: () => limitOrder,
    placeMultipleOrders: () => ({ batchOrders: [limitOrder, limitOrder] }),
    modifyOrder: change,
    modifyMultipleOrders: async () => ({ batchOrders: [await change()] }),
    getOrderModifyHistory: order,
    cancelOrder: order,
    cancelMultipleOrders: async () => ({ symbol, orderIdList: [(await order())['orderId']] }),
    autoCancelAllOpenOrders: () => countdown,
    queryOrder: order,
    queryCurrentOpenOrder: order,
    changeMarginType: () => marginType,
    changePositionMode: () => positionMode,
    changeInitialLeverage: () => leverage,
    changeMultiAssetsMode: () => multiAssets,
    modifyIsolatedPositionMargin: () => margin,
    getDownloadIdForFuturesTransactionHistory: span,
    getDownloadIdForFuturesOrderHistory: span,
    getDownloadIdForFuturesTradeHistory: span,
    getFuturesTransactionHistoryDownloadLinkById: () => file('Transaction'),
    getFuturesOrderHistoryDownloadLinkById: () => file('Order'),
    getFuturesTradeDownloadLinkById: () => file('Trade'),
    toggleBnbBurnOnFuturesTrade: () => ({ feeBurn: 'false' }),
    newAlgoOrder: () => algoOrder,
    cancelAlgoOrder: algo,
    queryAlgoOrder: algo,
    acceptTheOfferedQuote: () => ({ quoteId: '1' }),
    sendQuoteRequest: () => ({ fromAsset: 'USDT', toAsset: 'BTC', fromAmount: 1 }),
  };
}

export function argumentsOfCcxt(context: CallContext): Arguments {
  const { order, change, algo, span, file } = context;
  const name = 'fapiPrivate';
  // ccxt writes the list down itself.
  const batch = (orders: readonly unknown[]) => ({ batchOrders: orders });
  return {
    [`${name}PostOrder`]: () => limitOrder,
    [`${name}PostOrderTest`]: () => limitOrder,
    [`${name}PostBatchOrders`]: () => batch([limitOrder, limitOrder]),
    [`${name}PutOrder`]: change,
    [`${name}PutBatchOrders`]: async () => batch([await change()]),
    [`${name}GetOrderAmendment`]: order,
    [`${name}DeleteOrder`]: order,
    [`${name}DeleteBatchOrders`]: async () => ({
      symbol,
      orderIdList: JSON.stringify([(await order())['orderId']]),
    }),
    [`${name}PostCountdownCancelAll`]: () => countdown,
    [`${name}GetOrder`]: order,
    [`${name}GetOpenOrder`]: order,
    [`${name}PostMarginType`]: () => marginType,
    [`${name}PostPositionSideDual`]: () => positionMode,
    [`${name}PostLeverage`]: () => leverage,
    [`${name}PostMultiAssetsMargin`]: () => multiAssets,
    [`${name}PostPositionMargin`]: () => margin,
    [`${name}GetIncomeAsyn`]: span,
    [`${name}GetOrderAsyn`]: span,
    [`${name}GetTradeAsyn`]: span,
    [`${name}GetIncomeAsynId`]: () => file('Transaction'),
    [`${name}GetOrderAsynId`]: () => file('Order'),
    [`${name}GetTradeAsynId`]: () => file('Trade'),
    [`${name}PostFeeBurn`]: () => ({ feeBurn: 'false' }),
    [`${name}PostAlgoOrder`]: () => algoOrder,
    [`${name}DeleteAlgoOrder`]: algo,
    [`${name}GetAlgoOrder`]: algo,
  };
}

export function argumentsOfApiNode(context: CallContext): Arguments {
  const { order, change, algo } = context;
  const spotOrder = { symbol, side: 'BUY', type: 'LIMIT', quantity: '0.1', price: '2500' };
  return {
    futuresOrder: () => limitOrder,
    futuresUpdateOrder: change,
    futuresBatchOrders: () => ({ batchOrders: JSON.stringify([limitOrder, limitOrder]) }),
    futuresGetOrder: order,
    futuresCancelOrder: order,
    futuresCancelBatchOrders: async () => ({
      symbol,
      orderIdList: JSON.stringify([(await order())['orderId']]),
    }),
    futuresPositionModeChange: () => positionMode,
    futuresLeverage: () => leverage,
    futuresMarginType: () => marginType,
    futuresPositionMargin: () => margin,
    setMultiAssetsMargin: () => multiAssets,
    futuresCreateAlgoOrder: () => algoOrder,
    futuresCancelAlgoOrder: algo,
    futuresGetAlgoOrder: algo,
    order: () => spotOrder,
    orderTest: () => spotOrder,
    prices: () => ({ symbol }),
    futuresPrices: () => ({ symbol }),
  };
}

export function argumentsOfNodeBinance(context: CallContext): Arguments {
  const { order, algo } = context;
  const idOf = async () => (await order())['orderId'];
  const algoIdOf = async () => (await algo())['algoId'];
  return {
    futuresOrder: () => ['LIMIT', 'BUY', symbol, 0.1, 2500, { timeInForce: 'GTC' }],
    futuresBuy: () => [symbol, 0.1, 2500],
    futuresSell: () => [symbol, 0.1, 4000],
    futuresMarketBuy: () => [symbol, 0.01],
    futuresMarketSell: () => [symbol, 0.01],
    futuresLimitOrder: () => ['BUY', symbol, 0.1, 2500],
    futuresMultipleOrders: () => [[limitOrder, limitOrder]],
    futuresCancelMultipleOrders: async () => [
      symbol,
      { orderIdList: JSON.stringify([await idOf()]) },
    ],
    futuresOrderStatus: async () => [symbol, { orderId: await idOf() }],
    futuresCancel: async () => [symbol, await idOf()],
    futuresAlgoOrderStatus: async () => [symbol, { algoId: await algoIdOf() }],
    futuresTradeDownloadLink: async () => (await context.file('Trade'))['downloadId'],
    futuresKeepDataStream: () => ({}),
    futuresPrices: () => [],
    futuresDaily: () => [],

    futuresCancelAlgoOrder: async () => [symbol, await algoIdOf()],
    futuresCountdownCancelAll: () => [symbol, 0],
    futuresCandles: () => [symbol, '1m'],
    futuresCandlesticks: () => [symbol, '1m'],
    futuresLeverage: () => [symbol, 10],
    futuresMarginType: () => [symbol, 'CROSSED'],
    futuresPositionMargin: () => [symbol, 1],
    futuresChangePositionSideDual: () => [false],
    futuresAlgoOrder: () => ['STOP_MARKET', 'BUY', symbol, 0.1, undefined, { triggerPrice: 4000 }],
  };
}
