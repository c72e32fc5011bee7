import { type TProperties, Type } from 'typebox';
import {
  base,
  decimal,
  flag,
  float,
  inDialect,
  list,
  object,
  oneOrList,
  price,
  symbol,
  text,
  time,
  usdt,
  whole,
  word,
} from './field-schemas.ts';

// The account, its positions, trades and income as /fapi returns them.

const updateTime = time('When the response was created');
const marginAvailable = flag('Whether the asset can be margin', true);

export const balances = list(
  object(
    {
      accountAlias: text('A short name of the account, part of its address', '70997970'),
      asset: text('The asset', 'USDT'),
      balance: usdt('Wallet balance, without unrealized profit'),
      crossWalletBalance: usdt('The same, since all margin is cross'),
      crossUnPnl: usdt('Unrealized profit of all positions', '-12.5'),
      availableBalance: usdt('Available margin for orders', '1100'),
      maxWithdrawAmount: usdt('The amount that can be transferred to spot or withdrawn', '1100'),
      marginAvailable,
      updateTime,
    },
    'A balance',
  ),
  'One entry, for USDT',
);

const margins = {
  maintMargin: usdt('Maintenance margin', '25.6'),
  initialMargin: usdt('Margin of positions and resting orders', '120'),
  positionInitialMargin: usdt('Margin of positions', '100'),
  openOrderInitialMargin: usdt('Margin of resting orders', '20'),
};

const assets = list(
  object(
    {
      asset: text('The asset', 'USDT'),
      walletBalance: usdt('Wallet balance, without unrealized profit'),
      unrealizedProfit: usdt('Unrealized profit of all positions', '-12.5'),
      marginBalance: usdt('Wallet balance plus unrealized profit', '1238'),
      ...margins,
      crossWalletBalance: usdt('The wallet balance'),
      crossUnPnl: usdt('The unrealized profit', '-12.5'),
      availableBalance: usdt('Available margin for orders', '1100'),
      maxWithdrawAmount: usdt('The amount that can be transferred to spot or withdrawn', '1100'),
      marginAvailable,
      updateTime,
    },
    'An asset',
  ),
  'One entry, for USDT',
);

const totals = {
  totalInitialMargin: usdt('Margin of positions and resting orders', '120'),
  totalMaintMargin: usdt('Maintenance margin', '25.6'),
  totalWalletBalance: usdt('Wallet balance'),
  totalUnrealizedProfit: usdt('Unrealized profit', '-12.5'),
  totalMarginBalance: usdt('Wallet balance plus unrealized profit', '1238'),
  totalPositionInitialMargin: usdt('Margin of positions', '100'),
  totalOpenOrderInitialMargin: usdt('Margin of resting orders', '20'),
  totalCrossWalletBalance: usdt('The wallet balance'),
  totalCrossUnPnl: usdt('The unrealized profit', '-12.5'),
  availableBalance: usdt('Available margin for orders', '1100'),
  maxWithdrawAmount: usdt('The amount that can be transferred to spot or withdrawn', '1100'),
};

const accountSettings = {
  feeTier: whole('VIP tier, 0 to 5', 0),
  canTrade: flag('Whether the account can trade', true),
  canDeposit: flag('Whether the account can deposit', true),
  canWithdraw: flag('Whether the account can withdraw', true),
  updateTime,
  multiAssetsMargin: flag('Margin is in USDT alone'),
  tradeGroupId: whole('None', -1),
};

const positionAmt = base('Quantity, negative for a short', '0.25');
const positionSide = word('One-way mode', ['BOTH']);
const entryPrice = price('Average entry price; 0 without a position');
const breakEvenPrice = price(
  'The break-even price: the entry price adjusted for fees paid and profit realized',
  '64032.5',
);
const notional = usdt('Quantity times mark price, negative for a short', '16000');
const isolatedMargin = decimal('Always 0: margin is cross', '0');
const isolatedWallet = decimal('Always 0: margin is cross', '0');
const leverageText = decimal('Leverage of the account in the market', '20');
const changedAt = whole('When the position last changed, milliseconds since 1970; 0: never', 0);
const bidNotional = usdt('Notional of resting bids', '0');
const askNotional = usdt('Notional of resting asks', '0');
const positionMargins = {
  initialMargin: usdt('Margin of the position and its orders', '820'),
  maintMargin: usdt('Maintenance margin of the position', '64'),
};
const splitMargins = {
  positionInitialMargin: usdt('Margin of the position', '800'),
  openOrderInitialMargin: usdt('Margin of its resting orders', '20'),
};

const accountPosition = object(
  {
    symbol,
    ...positionMargins,
    unrealizedProfit: usdt('Unrealized profit', '-12.5'),
    ...splitMargins,
    leverage: leverageText,
    isolated: flag('Margin is cross'),
    entryPrice,
    breakEvenPrice,
    maxNotional: usdt('The largest notional at this leverage', '10000000'),
    bidNotional,
    askNotional,
    positionSide,
    positionAmt,
    updateTime: changedAt,
  },
  'A position',
);

const accountPositionV3 = object(
  {
    symbol,
    positionSide,
    positionAmt,
    unrealizedProfit: usdt('Unrealized profit', '-12.5'),
    isolatedMargin,
    notional,
    isolatedWallet,
    ...positionMargins,
    updateTime: changedAt,
  },
  'A position',
);

function account(fields: TProperties, positions: TProperties, description: string) {
  return object({ ...fields, ...totals, assets, ...positions }, description);
}

export const accountV2 = account(
  { ...accountSettings, feeBurn: flag('Fees are paid in USDT') },
  { positions: list(accountPosition, 'One entry for every market') },
  'Settings, totals, assets and positions',
);

export const accountV3 = account(
  {},
  { positions: list(accountPositionV3, 'Markets in which the account has a position or orders') },
  'Totals, assets and positions',
);

const riskPrices = {
  entryPrice,
  breakEvenPrice,
  markPrice: price('Mark price; 0 before the first'),
  unRealizedProfit: usdt('Unrealized profit', '-12.5'),
  liquidationPrice: price(
    'The price at which the account would be liquidated; 0 if there is none',
    '61200.5',
  ),
};

export const positionRiskV2 = list(
  object(
    {
      symbol,
      positionAmt,
      ...riskPrices,
      leverage: leverageText,
      maxNotionalValue: usdt('The largest notional at this leverage', '10000000'),
      marginType: word('Margin is cross', ['cross']),
      isolatedMargin,
      isAutoAddMargin: word('Margin is cross', ['false']),
      positionSide,
      notional,
      isolatedWallet,
      updateTime: changedAt,
    },
    'A position',
  ),
  'One entry for every market',
);

export const positionRiskV3 = list(
  object(
    {
      symbol,
      positionSide,
      positionAmt,
      ...riskPrices,
      isolatedMargin,
      notional,
      marginAsset: text('The margin asset', 'USDT'),
      isolatedWallet,
      ...positionMargins,
      ...splitMargins,
      adl: whole('Rank in auto-deleveraging, 0 to 4; 4 is next', 1),
      bidNotional,
      askNotional,
      updateTime: changedAt,
    },
    'A position',
  ),
  'Markets in which the account has a position or orders',
);

export const leverageSet = object(
  {
    leverage: whole('The new leverage', 20),
    maxNotionalValue: usdt('The largest notional at this leverage', '10000000'),
    symbol,
  },
  'The leverage of the account in the market',
);

export const leverageBrackets = oneOrList(
  object(
    {
      symbol,
      brackets: list(
        object(
          {
            bracket: whole('The number of the bracket, from 1', 1),
            initialLeverage: whole('The largest leverage', 100),
            notionalCap: float('Upper bound, in USDT', 10_000_000),
            notionalFloor: float('Lower bound, in USDT', 0),
            maintMarginRatio: float('Maintenance margin rate, a fraction', 0.004),
            cum: float('Maintenance amount, in USDT', 0),
          },
          'A bracket',
        ),
        'Brackets, smallest first',
      ),
    },
    'The brackets of a market',
  ),
  'Brackets by market',
);

const feeRate = (role: string, example: string) =>
  decimal(`Fee of ${role}, a fraction of the notional`, example);

export const commissionRate = object(
  {
    symbol,
    makerCommissionRate: feeRate('resting orders', '0.0002'),
    takerCommissionRate: feeRate('arriving orders', '0.0005'),
    rpiCommissionRate: feeRate('resting orders', '0.0002'),
  },
  'The rates of the next trade, VIP tier and referral discount included',
);

export const symbolConfig = list(
  object(
    {
      symbol,
      marginType: word('Margin is cross', ['CROSSED']),
      isAutoAddMargin: flag('Margin is cross'),
      leverage: whole('Leverage of the account in the market', 20),
      maxNotionalValue: usdt('The largest notional at this leverage', '10000000'),
    },
    'Settings in a market',
  ),
  'Settings by market',
);

export const accountConfig = object(
  { ...accountSettings, dualSidePosition: flag('One-way mode') },
  'Settings of the account',
);

export const marginType = object(
  { symbol: Type.Optional(symbol), marginType: word('Margin is cross', ['CROSSED']) },
  'The margin type; the symbol if one was given',
);

export const dualSidePosition = object({ dualSidePosition: flag('One-way mode') }, 'The mode');
export const multiAssetsMargin = object(
  { multiAssetsMargin: flag('Margin is in USDT alone') },
  'The mode',
);

export const userTrades = list(
  object(
    {
      id: whole('The number of the trade', 1042),
      orderId: whole("The number of the caller's order", 1041),
      symbol,
      side: word('The side of the order', ['BUY', 'SELL']),
      positionSide,
      price: price('Price of the trade'),
      qty: base('Traded'),
      quoteQty: usdt('Price times quantity', '16000.125'),
      pair: inDialect(text('The market', 'BTCUSDT')),
      baseQty: inDialect(decimal('For coin-margined contracts; always 0', '0')),
      realizedPnl: usdt('The realized profit', '0'),
      commission: usdt('Fee paid', '8.0000625'),
      commissionAsset: text('The asset of the fee', 'USDT'),
      marginAsset: text('The margin asset', 'USDT'),
      buyer: flag('Whether the caller bought', true),
      maker: flag('Whether the caller was the maker'),
      time: time('When the orders met'),
    },
    'A trade',
  ),
  'Trades, oldest first',
);

export const income = list(
  object(
    {
      symbol: text('The market; empty for transfers', 'BTCUSDT'),
      incomeType: text('The kind of entry', 'FUNDING_FEE'),
      income: usdt('The amount, negative if it was paid', '-0.05'),
      asset: text('The asset', 'USDT'),
      info: text('The kind of entry', 'FUNDING_FEE'),
      time: time('When'),
      tranId: whole('The number of the entry', 1042),
      tradeId: text('The trade that caused it; empty if none did', ''),
    },
    'An entry',
  ),
  'Entries, oldest first',
);

export const adlQuantiles = list(
  object(
    {
      symbol,
      adlQuantile: object(
        {
          LONG: whole('The rank of a long position', 1),
          SHORT: whole('The rank of a short position', 0),
          BOTH: whole('Of the position', 1),
        },
        'From 0 to 4; 4 is closed first',
      ),
    },
    'A position',
  ),
  'Positions with their rank',
);

export const listenKey = object(
  {
    listenKey: text('Opens the private streams; 64 characters', 'k'.repeat(64)),
  },
  'The listen key',
);
export const feeBurn = object({ feeBurn: flag('Fees are paid in USDT') }, 'The mode');

export const downloadRequested = object(
  {
    avgCostTimestampOfLast30d: whole('The average time to create a file, in milliseconds', 1_500),
    downloadId: text('The number of the file', '42'),
  },
  'A file that will be created',
);
export const download = object(
  {
    downloadId: text('The number of the file', '42'),
    status: word('Whether it is ready', ['completed', 'processing']),
    url: text('Its URL; empty while it is being created', 'https://api.example/api/v1/downloads/…'),
    s3Link: Type.Null({ description: 'Always null' }),
    notified: flag('The file is ready', true),
    expirationTimestamp: whole(
      'When it expires, milliseconds since 1970; -1 while it is being created',
      -1,
    ),
    isExpired: Type.Null({ description: 'Always null' }),
  },
  'A file',
);
