// The values of an order's fields in Binance's futures interface.

export const sides = ['BUY', 'SELL'];

export const conditionalTypes = [
  'STOP',
  'STOP_MARKET',
  'TAKE_PROFIT',
  'TAKE_PROFIT_MARKET',
  'TRAILING_STOP_MARKET',
];

export const orderTypes = ['LIMIT', 'MARKET', ...conditionalTypes];

export const timesInForce = ['GTC', 'IOC', 'FOK', 'GTX', 'GTD'];

export const orderStatuses = [
  'NEW',
  'PARTIALLY_FILLED',
  'FILLED',
  'CANCELED',
  'REJECTED',
  'EXPIRED',
  'EXPIRED_IN_MATCH',
];

export const selfTradeModes = ['EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH'];

export const workingTypes = ['CONTRACT_PRICE', 'MARK_PRICE'];

export const priceMatches = [
  'NONE',
  'OPPONENT',
  'OPPONENT_5',
  'OPPONENT_10',
  'OPPONENT_20',
  'QUEUE',
  'QUEUE_5',
  'QUEUE_10',
  'QUEUE_20',
];
