import { socketErrors } from '../errors/socket-errors.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { describeBinanceStreams } from './async-api-binance.ts';
import { describeMessage, type Json, messageReference, reference } from './async-api-message.ts';
import { depthLevelsMax } from './channels/orderbook-topic.ts';
import { controlErrorMeanings } from './futures/control-message.ts';
import {
  type ChannelName,
  channelNames,
  privateChannelNames,
  wholeChannelNames,
} from './protocol/channel-names.ts';
import {
  authMessageSchema,
  pingMessageSchema,
  subscribeMessageSchema,
  unsubscribeMessageSchema,
} from './protocol/client-message.ts';
import { channelSchemas, replySchemas } from './protocol/server-message.ts';
import { closeCodeMeanings, streamErrorMeanings } from './protocol/stream-error.ts';

// The description of the WebSocket interface: AsyncAPI 3, generated from the schemas that check and
// describe the messages themselves.

const clientSchemas = {
  auth: authMessageSchema,
  subscribe: subscribeMessageSchema,
  unsubscribe: unsubscribeMessageSchema,
  ping: pingMessageSchema,
} as const;
type ClientType = keyof typeof clientSchemas;
type ReplyType = keyof typeof replySchemas;

const repliesTo: Readonly<Record<ClientType, readonly ReplyType[]>> = {
  auth: ['authenticated', 'error'],
  subscribe: ['subscribed', 'error'],
  unsubscribe: ['unsubscribed', 'error'],
  ping: ['pong', 'error'],
};

const channelSummaries: Readonly<Record<ChannelName, string>> = {
  orderbook: `The best ${depthLevelsMax} levels per side, then changed levels`,
  trades: 'Every trade of a market',
  ticker: 'The last 24 hours and the best prices of a market, at most once a second',
  kline: 'The newest candle of an interval as it grows, at most four times a second',
  mark_price: 'Mark and index price of a perpetual with its funding, at most four times a second',
  markets: 'All markets with their status, then each market that is new or changes its status',
  tickers: 'The tickers of all markets, then those that changed, at most once a second',
  orders: "The account's live orders, then every change of an order with its fills",
  balances: "The account's balances, then each change",
  positions: "The account's positions, then each change",
  wallet: "The newest of the account's deposits, withdrawals and transfers, then each change",
  referral: "The newest of the account's claims, commission and bindings, then each change",
  vip_tier: "The account's VIP tier, then each change, applied or scheduled",
};

const socketMeanings = Object.fromEntries(
  Object.values(socketErrors).map(({ code, text }) => [`${code} ${text}`, 'nothing was done']),
);

const description = `Three protocols over WebSocket: the channels of the exchange at \`/ws\`, Binance's streams at
\`/ws/<stream>\` and \`/stream\` for futures and below \`/streams/spot\` for spot, and Binance's
WebSocket API at \`/ws-fapi/v1\` for futures and at \`/ws-api/v3\` for spot.

**Channels.** One connection at \`/ws\` carries every channel; messages are JSON text.

A subscription begins with a snapshot; updates follow it without a gap. Amounts are decimal text,
times are integer milliseconds since 1970. An update of the order book follows the message whose
\`seq\` is its \`prev_seq\`; quantity "0" removes a level.

A client that does not read fast enough is sent \`resync\`, misses updates, and gets a fresh
snapshot once it has read what was in transit; a client that stays behind is closed with 1013.
Private messages are never dropped: if they cannot be sent, the connection is closed.

The server pings every 20 s and closes a client that was silent for 60 s. Messages are at most
8 KiB, subscriptions at most 50 per connection.

**Errors**: the connection stays open.

${table(streamErrorMeanings)}

**Errors of Binance's streams**: the same.

${table(controlErrorMeanings)}

**Errors of the WebSocket API**: those of the method's path in /openapi.json, and

${table(socketMeanings)}

**Close codes**

${table(closeCodeMeanings)}`;

/** The document that /asyncapi.json serves, with the endpoints of /fapi and /api/v3, if served. */
export function buildAsyncApiDocument(
  endpoints: readonly Endpoint[] = [],
  spotEndpoints: readonly Endpoint[] = [],
): Json {
  const binance = describeBinanceStreams(endpoints, spotEndpoints);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'openbourse streams',
      version: '1',
      description,
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      here: {
        host: '{host}',
        protocol: 'ws',
        description: 'The host of this document; wss behind a proxy that terminates TLS',
        variables: { host: { default: '127.0.0.1:8080', description: 'Host and port' } },
      },
    },
    channels: { control: controlChannel(), ...byName(streamChannel), ...binance.channels },
    operations: { ...clientOperations(), ...serverOperations(), ...binance.operations },
    components: {
      messages: {
        ...clientMessages(),
        ...replyMessages(),
        ...streamMessages(),
        ...binance.messages,
      },
    },
  };
}

function table(meanings: Readonly<Record<string, string>>): string {
  return Object.entries(meanings)
    .map(([name, meaning]) => `- \`${name}\`: ${meaning}`)
    .join('\n');
}

function byName(describe: (channel: ChannelName) => Json): Json {
  return Object.fromEntries(channelNames.map((channel) => [channel, describe(channel)]));
}

function controlChannel(): Json {
  const names = [...Object.keys(clientSchemas), ...Object.keys(replySchemas)];
  return {
    address: '/ws',
    summary: 'Requests of clients, and the responses',
    messages: Object.fromEntries(names.map((name) => [name, messageReference(name)])),
  };
}

function streamChannel(channel: ChannelName): Json {
  return {
    address: '/ws',
    summary: channelSummaries[channel],
    description: describeAccess(channel),
    messages: {
      snapshot: messageReference(messageName(channel, 'snapshot')),
      update: messageReference(messageName(channel, 'update')),
    },
  };
}

function describeAccess(channel: ChannelName): string {
  if (privateChannelNames.some((name) => name === channel)) {
    return 'Private: needs auth first; takes no symbol and covers the whole account.';
  }
  return wholeChannelNames.some((name) => name === channel)
    ? 'Public: takes no symbol.'
    : 'Public: needs a symbol.';
}

function clientOperations(): Json {
  return Object.fromEntries(
    Object.entries(repliesTo).map(([type, replies]) => [
      type,
      {
        action: 'receive',
        channel: reference('channels/control'),
        messages: [reference(`channels/control/messages/${type}`)],
        reply: {
          channel: reference('channels/control'),
          messages: replies.map((reply) => reference(`channels/control/messages/${reply}`)),
        },
      },
    ]),
  );
}

function serverOperations(): Json {
  const streams = channelNames.map((channel): readonly [string, Json] => [
    `stream-${channel}`,
    {
      action: 'send',
      channel: reference(`channels/${channel}`),
      summary: channelSummaries[channel],
      messages: ['snapshot', 'update'].map((type) =>
        reference(`channels/${channel}/messages/${type}`),
      ),
    },
  ]);
  const resync = {
    action: 'send',
    channel: reference('channels/control'),
    summary: 'Notifies a client that it has missed updates',
    messages: [reference('channels/control/messages/resync')],
  };
  return { ...Object.fromEntries(streams), resync };
}

function clientMessages(): Json {
  return Object.fromEntries(
    Object.entries(clientSchemas).map(([type, schema]) => [type, describeMessage(type, schema)]),
  );
}

function replyMessages(): Json {
  return Object.fromEntries(
    Object.entries(replySchemas).map(([type, schema]) => [type, describeMessage(type, schema)]),
  );
}

function streamMessages(): Json {
  return Object.fromEntries(
    channelNames.flatMap((channel) =>
      (['snapshot', 'update'] as const).map((type) => {
        const name = messageName(channel, type);
        return [name, describeMessage(name, channelSchemas[channel][type])];
      }),
    ),
  );
}

function messageName(channel: ChannelName, type: 'snapshot' | 'update'): string {
  return `${channel}-${type}`;
}
