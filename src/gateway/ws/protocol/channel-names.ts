/** Channels that are the same for everyone. */
const publicChannelNames = [
  'orderbook',
  'trades',
  'ticker',
  'kline',
  'mark_price',
  'markets',
  'tickers',
] as const;
/** Public channels over all markets: they have no symbol parameter. */
export const wholeChannelNames = ['markets', 'tickers'] as const;
/** Channels for the connections of one account. */
export const privateChannelNames = [
  'orders',
  'balances',
  'positions',
  'vip_tier',
  'wallet',
  'referral',
] as const;
export const channelNames = [...publicChannelNames, ...privateChannelNames] as const;
export type ChannelName = (typeof channelNames)[number];
