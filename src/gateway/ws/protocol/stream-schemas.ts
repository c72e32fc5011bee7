import { type Static, Type } from 'typebox';
import { klineIntervals } from '../../../domain/kline-interval.ts';
import { sides } from '../../../domain/spot-order.ts';
import { orderFields as perpetualOrderFields } from '../../http/derivatives/derivative-schemas.ts';
import { addressText, decimalText, nullable, oneOf, strictObject } from '../../http/schema.ts';
import { fillFields, orderFields, symbolText } from '../../http/spot/spot-schemas.ts';

// The data of each channel. Amounts are decimal texts and times integer milliseconds since 1970.

export function timeMs(description: string) {
  return Type.Integer({ description, examples: [1_767_571_200_000] });
}

const marketStatusSchema = strictObject({
  market: oneOf(['spot', 'futures'], { description: 'The business line' }),
  symbol: symbolText,
  status: oneOf(['listed', 'halted', 'delisted'], {
    description: 'halted: no new orders, cancelling works; delisted: final',
  }),
});
export type StreamMarketStatus = Static<typeof marketStatusSchema>;

export const marketsDataSchema = Type.Array(marketStatusSchema, {
  description: 'A snapshot has every market, an update those that are new or changed',
});

const tradeCount = Type.Integer({ description: 'The number of trades', examples: [1042] });
const volume = decimalText('Volume in the base token', '12.5');
const quoteVolume = decimalText('Volume in the quote token', '800000');

const priceLevels = (side: string, order: string) =>
  Type.Array(
    Type.Unsafe<readonly [price: string, quantity: string]>({
      type: 'array',
      items: { type: 'string' },
      minItems: 2,
      maxItems: 2,
    }),
    { description: `${side} as [price, quantity], ${order}`, examples: [[['64000.5', '0.25']]] },
  );

export const orderbookDataSchema = strictObject(
  {
    bids: priceLevels('Bids', 'best first in a snapshot'),
    asks: priceLevels('Asks', 'best first in a snapshot'),
  },
  {
    description:
      'A snapshot has the best 30 levels per side, an update the levels that changed. ' +
      'Quantity "0" removes a level that is empty or no longer among the best 30.',
  },
);

export const tradesDataSchema = Type.Array(
  strictObject({
    trade_id: Type.String({ description: 'The id of the trade', examples: ['1042'] }),
    price: decimalText('The price of the trade', '64000'),
    quantity: decimalText('Volume in the base token', '0.1'),
    quote_quantity: decimalText('Volume in the quote token', '6400'),
    side: oneOf(sides, { description: "The taker's side" }),
    created_at: timeMs('When the orders met'),
  }),
  { description: 'Trades, oldest first; a snapshot has the newest 50' },
);

const tickerFields = {
  symbol: symbolText,
  last_price: decimalText('The price of the last trade', '64000.5'),
  open_price: decimalText('The first price within the 24 hours', '63000'),
  high_price: decimalText('The highest price', '64500'),
  low_price: decimalText('The lowest price', '62900'),
  price_change: decimalText('last_price minus open_price', '1000.5'),
  price_change_percent: decimalText('The same in percent of open_price', '1.588'),
  volume,
  quote_volume: quoteVolume,
  trade_count: tradeCount,
  open_time: timeMs('Start of the 24 hours'),
  close_time: timeMs('End of the window'),
  best_bid: nullable(decimalText('The highest bid; null without bids', '64000')),
  best_ask: nullable(decimalText('The lowest ask; null without asks', '64001')),
};

export const tickerDataSchema = nullable(
  strictObject(tickerFields, {
    description: 'The last 24 hours of a market; null before its first trade',
  }),
);

export const tickersDataSchema = Type.Array(strictObject(tickerFields), {
  description: 'A snapshot has every market that has traded, an update those that changed',
});

export const klineDataSchema = nullable(
  strictObject(
    {
      open_time: timeMs('Start of the candle'),
      close_time: timeMs('The last millisecond of the candle'),
      open: decimalText('The first price', '63000'),
      high: decimalText('The highest price', '64500'),
      low: decimalText('The lowest price', '62900'),
      close: decimalText('The last price', '64000'),
      volume,
      quote_volume: quoteVolume,
      trade_count: tradeCount,
    },
    { description: 'The newest candle; null before the first trade of the market' },
  ),
);

const onlySpot = oneOf(['spot'], { description: 'The business line' });

const streamOrderSchema = strictObject({
  ...orderFields,
  created_at: timeMs('When the order was placed'),
  updated_at: timeMs('When the order last changed'),
  market: onlySpot,
  fills: Type.Array(strictObject(fillFields), { description: 'The fills of this change' }),
});
export type StreamOrder = Static<typeof streamOrderSchema>;

const perpetualOrderSchema = strictObject({
  ...perpetualOrderFields,
  market: Type.Literal('futures', { description: 'The business line' }),
  created_at: timeMs('When the order was placed'),
  updated_at: timeMs('When the order last changed'),
  fills: Type.Array(
    strictObject({
      trade_id: Type.Integer({ description: 'The id of the trade', examples: [1042] }),
      price: decimalText('The price of the trade', '64000'),
      quantity: decimalText('In the base asset', '0.1'),
      fee: decimalText('Paid, in USDT', '3.2'),
      realized_profit: decimalText('The realized profit, in USDT', '12.5'),
      role: oneOf(['maker', 'taker'], { description: 'Maker or taker' }),
    }),
    { description: 'The fills of the order by this command' },
  ),
});
export type StreamPerpetualOrder = Static<typeof perpetualOrderSchema>;

const streamPositionSchema = strictObject({
  market: Type.Literal('futures', { description: 'The business line' }),
  symbol: symbolText,
  side: oneOf(['LONG', 'SHORT', 'NONE'], { description: 'The side of the position' }),
  quantity: decimalText('In the base asset, negative for a short', '0.25'),
  entry_price: nullable(decimalText('Average entry price', '64000.5')),
  realized_profit: decimalText('Since the position was last zero, before fees', '30'),
  updated_at: timeMs('When the position last changed'),
});
export type StreamPosition = Static<typeof streamPositionSchema>;

export const positionsDataSchema = Type.Array(streamPositionSchema, {
  description: 'A snapshot has all open positions, an update those that one command changed',
});

export const ordersDataSchema = Type.Array(Type.Union([streamOrderSchema, perpetualOrderSchema]), {
  description:
    'A snapshot has the resting orders, an update every order that one command changed, in ' +
    'its new state',
});

const streamBalanceSchema = strictObject({
  market: oneOf(['spot', 'futures'], { description: 'The wallet: spot or perp' }),
  token: Type.String({ description: 'The token', examples: ['USDT'] }),
  available: decimalText('Free to trade or withdraw'),
  locked: decimalText('Set aside for resting orders (spot) and for withdrawals'),
});
export type StreamBalance = Static<typeof streamBalanceSchema>;

export const balancesDataSchema = Type.Array(streamBalanceSchema, {
  description:
    'A snapshot has every balance that has ever been other than zero, an update those that changed',
});

export const markPriceDataSchema = nullable(
  strictObject(
    {
      symbol: symbolText,
      mark_price: decimalText('The price at which positions are valued', '64000.5'),
      index_price: decimalText('The index price', '64000.5'),
      is_index_stale: Type.Boolean({ description: 'Market orders wait for a fresh index price' }),
      funding_rate: decimalText('The next funding rate as of now', '0.0001'),
      next_funding_time: timeMs('The next full UTC hour'),
    },
    { description: 'Prices and funding of a perpetual; null before its first index price' },
  ),
);

const vipTier = (description: string) =>
  Type.Integer({ description, minimum: 0, maximum: 5, examples: [1] });
const vipVolume = decimalText('Traded in 14 days, in USDT', '1250000');

export const vipTierDataSchema = strictObject(
  {
    tier: vipTier('The VIP tier, 0 to 5'),
    volume_14d: vipVolume,
    pending_downgrade: nullable(
      strictObject(
        {
          tier: vipTier('The tier after the downgrade'),
          effective_at: timeMs('The UTC midnight'),
        },
        { description: 'The scheduled downgrade; null if there is none' },
      ),
    ),
  },
  { description: 'The standing of the account' },
);
export type StreamVipTier = Static<typeof vipTierDataSchema>;

export const vipChangeDataSchema = strictObject(
  {
    event: Type.Literal('vip_tier_changed', { description: 'The kind of event' }),
    kind: oneOf(['upgrade_immediate', 'downgrade_scheduled', 'downgrade_applied'], {
      description: 'An upgrade applies immediately, a downgrade from the next UTC midnight',
    }),
    from_tier: vipTier('The tier before'),
    to_tier: vipTier('The tier after'),
    volume_14d: vipVolume,
    effective_at: timeMs('When the tier takes effect'),
  },
  { description: 'A change of the tier, applied or scheduled' },
);
export type StreamVipChange = Static<typeof vipChangeDataSchema>;

const eventFields = {
  event_id: Type.Integer({ description: 'Unique', examples: [1042] }),
  created_at: timeMs('When it happened'),
};
const eventName = <N extends string>(name: N, description: string) =>
  Type.Literal(name, { description });

const depositEvent = strictObject({
  ...eventFields,
  event: eventName('deposit', 'The chain shows a deposit, or it was credited'),
  id: Type.String({ description: 'The number of the deposit in the vault', examples: ['0'] }),
  tx_hash: Type.String({ description: 'The transaction', examples: [`0x${'ab'.repeat(32)}`] }),
  token: nullable(Type.String({ description: 'Null while unknown', examples: ['USDT'] })),
  amount: nullable(decimalText('Null while unknown', '25.5')),
  status: oneOf(['pending', 'credited'], { description: 'The status of the deposit' }),
});

const withdrawalEvent = strictObject({
  ...eventFields,
  event: eventName('withdrawal', 'A withdrawal was requested, signed or finished'),
  id: Type.String({
    description: 'The id of the withdrawal',
    examples: ['5f0d6c2e-8f39-4f6c-9d1c-0c1f5d3f2a11'],
  }),
  wallet: oneOf(['spot', 'perp'], { description: 'The wallet that it is taken from' }),
  token: Type.String({ description: 'The token', examples: ['USDT'] }),
  amount: decimalText('The amount', '25.5'),
  status: oneOf(
    [
      'pending',
      'review',
      'approved',
      'refused',
      'signed',
      'queued',
      'completed',
      'returned',
      'expired',
      'canceled',
    ],
    {
      description: 'The status of the withdrawal',
    },
  ),
});

const transferEvent = strictObject({
  ...eventFields,
  event: eventName('transfer', 'Money moved between the wallets'),
  id: Type.String({ description: 'The id of the transfer', examples: ['1042'] }),
  direction: oneOf(['spot_to_perp', 'perp_to_spot'], { description: 'The direction' }),
  token: Type.String({ description: 'The token', examples: ['USDT'] }),
  amount: decimalText('The amount', '25.5'),
});

export const walletDataSchema = Type.Array(
  Type.Union([depositEvent, withdrawalEvent, transferEvent]),
  { description: 'A snapshot has the newest 20 events, oldest first, an update the next one' },
);

const claimEvent = strictObject({
  ...eventFields,
  event: eventName('claim', 'A claim was created, paid or failed'),
  id: Type.String({ description: 'The number of the claim', examples: ['CLM-1'] }),
  amount: decimalText('In USDT', '13.97'),
  status: oneOf(['processing', 'success', 'failed'], { description: 'The status of the claim' }),
});

const commissionEvent = strictObject({
  ...eventFields,
  event: eventName('commission', 'Commission was settled on chain, claimed or failed'),
  claimable: decimalText('Settled on chain and not claimed, in USDT', '13.97'),
  claimed: decimalText('Redeemed on chain', '0'),
  failed: decimalText('Its settlement failed', '0'),
});

const relationEvent = strictObject({
  ...eventFields,
  event: eventName('relation', 'A code, a binding or a promotion'),
  id: Type.String({ description: 'The id of the log entry', examples: ['1042'] }),
  kind: oneOf(['create', 'bind', 'unbind', 'promote', 'sub_rate'], {
    description: 'As in GET /api/v1/referral/logs',
  }),
  counterparty: nullable(addressText('The other account; null if there is none')),
  code: nullable(Type.String({ description: 'The code; null if there is none' })),
});

export const referralDataSchema = Type.Array(
  Type.Union([claimEvent, commissionEvent, relationEvent]),
  { description: 'A snapshot has the newest 20 events, oldest first, an update the next one' },
);

export const intervalText = oneOf(klineIntervals, { description: 'The candle interval' });
export const groupText = decimalText('The step of the prices of a grouped order book', '10');
export const publicTargetFields = {
  symbol: symbolText,
  market: oneOf(['spot', 'futures'], { description: 'The business line' }),
};
export const accountAddress = addressText('The account that the connection is authenticated for');
