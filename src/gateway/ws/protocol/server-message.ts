import { type TProperties, type TSchema, Type } from 'typebox';
import { nullable, oneOf, strictObject } from '../../http/schema.ts';
import { type ChannelName, channelNames, privateChannelNames } from './channel-names.ts';
import { messageIdSchema } from './client-message.ts';
import { streamErrorCodes } from './stream-error.ts';
import {
  accountAddress,
  balancesDataSchema,
  groupText,
  intervalText,
  klineDataSchema,
  marketsDataSchema,
  markPriceDataSchema,
  orderbookDataSchema,
  ordersDataSchema,
  positionsDataSchema,
  publicTargetFields,
  referralDataSchema,
  tickerDataSchema,
  tickersDataSchema,
  timeMs,
  tradesDataSchema,
  vipChangeDataSchema,
  vipTierDataSchema,
  walletDataSchema,
} from './stream-schemas.ts';

// Every message that the server sends. The tests check each message that they see against these
// schemas, and the AsyncAPI document is generated from them.

const id = Type.Optional(messageIdSchema);
const channelWord = oneOf(channelNames, { description: 'The channel' });
const targetFields = {
  channel: channelWord,
  symbol: Type.Optional(publicTargetFields.symbol),
  market: Type.Optional(publicTargetFields.market),
  interval: Type.Optional(intervalText),
  group: Type.Optional(groupText),
};

function message<P extends TProperties>(type: string, fields: P, description: string) {
  return strictObject(
    { type: Type.Literal(type, { description: 'The type of the message' }), ...fields },
    { description },
  );
}

/** The answers to a client's messages, and the server's unprompted messages about a connection. */
export const replySchemas = {
  authenticated: message(
    'authenticated',
    {
      address: accountAddress,
      expires_at: nullable(timeMs('When private channels end unless a new token is sent first')),
      id,
    },
    'The answer to auth',
  ),
  subscribed: message('subscribed', { ...targetFields, id }, 'The snapshot follows'),
  unsubscribed: message('unsubscribed', { ...targetFields, id }, 'No more messages follow'),
  pong: message('pong', { ts: timeMs('The time of the server'), id }, 'The answer to ping'),
  error: message(
    'error',
    {
      code: oneOf(streamErrorCodes, { description: 'The error' }),
      message: Type.String({
        description: 'Description of the error',
        examples: ['there is no such market'],
      }),
      channel: Type.Optional(channelWord),
      symbol: targetFields.symbol,
      market: targetFields.market,
      interval: targetFields.interval,
      group: targetFields.group,
      id,
    },
    'A message was refused or a subscription has ended; the connection stays open',
  ),
  resync: message(
    'resync',
    targetFields,
    'The client did not keep up and has missed updates; a fresh snapshot follows once it has read what was in transit',
  ),
} as const;

interface ChannelMessages {
  readonly snapshot: TSchema;
  readonly update: TSchema;
}

/** Snapshot and update of each channel. */
export const channelSchemas: Readonly<Record<ChannelName, ChannelMessages>> = {
  orderbook: publicMessages('orderbook', orderbookDataSchema, {
    all: {
      group: targetFields.group,
      last_update_id: Type.Integer({
        description: 'The last change of the book that is included, as in GET /api/v1/spot/depth',
        examples: [1042],
      }),
    },
    update: {
      prev_seq: Type.Integer({
        description: 'The seq of the previous message',
        examples: [6],
      }),
    },
  }),
  trades: publicMessages('trades', tradesDataSchema),
  ticker: publicMessages('ticker', tickerDataSchema),
  kline: publicMessages('kline', klineDataSchema, { all: { interval: intervalText }, update: {} }),
  mark_price: publicMessages('mark_price', markPriceDataSchema),
  markets: channelMessages('markets', marketsDataSchema, { all: {}, update: {} }),
  tickers: channelMessages('tickers', tickersDataSchema, {
    all: { market: publicTargetFields.market },
    update: {},
  }),
  orders: channelMessages('orders', ordersDataSchema, { all: {}, update: {} }),
  balances: channelMessages('balances', balancesDataSchema, { all: {}, update: {} }),
  positions: channelMessages('positions', positionsDataSchema, { all: {}, update: {} }),
  wallet: channelMessages('wallet', walletDataSchema, { all: {}, update: {} }),
  referral: channelMessages('referral', referralDataSchema, { all: {}, update: {} }),
  vip_tier: {
    snapshot: channelMessages('vip_tier', vipTierDataSchema, { all: {}, update: {} }).snapshot,
    update: channelMessages('vip_tier', vipChangeDataSchema, { all: {}, update: {} }).update,
  },
};

interface ExtraFields {
  readonly all: TProperties;
  readonly update: TProperties;
}

function publicMessages(
  channel: ChannelName,
  data: TSchema,
  { all, update }: ExtraFields = { all: {}, update: {} },
): ChannelMessages {
  return channelMessages(channel, data, { all: { ...publicTargetFields, ...all }, update });
}

function channelMessages(
  channel: ChannelName,
  data: TSchema,
  { all, update }: ExtraFields,
): ChannelMessages {
  const fields = {
    channel: Type.Literal(channel, { description: 'The channel' }),
    ...all,
    seq: Type.Integer({
      description: isPrivate(channel)
        ? 'Rises by one with each message of the subscription'
        : 'Rises by one with each update of the stream; an update follows the seq before it',
      examples: [7],
    }),
    ts: timeMs('When the message was created'),
    data,
  };
  return {
    snapshot: message(
      'snapshot',
      fields,
      'The complete state; the first message of a subscription',
    ),
    update: message('update', { ...fields, ...update }, 'What has changed'),
  };
}

function isPrivate(channel: ChannelName): boolean {
  return privateChannelNames.some((name) => name === channel);
}

/** Any message that the server can send. */
export const serverMessageSchema = Type.Union([
  ...Object.values(replySchemas),
  ...Object.values(channelSchemas).flatMap(({ snapshot, update }) => [snapshot, update]),
]);
