import type { TSchema } from 'typebox';
import type { Endpoint } from '../http/endpoint.ts';
import { describeMessage, type Json, messageReference, reference } from './async-api-message.ts';
import { controlReplies, controlRequests } from './futures/control-schemas.ts';
import { marketStreams } from './futures/event-schemas.ts';
import { userEvents } from './futures/user-event-schemas.ts';
import { describeMethods } from './order-entry/method-schemas.ts';

// The part of the AsyncAPI document that speaks Binance's language: market streams, user streams
// and order entry.

interface Part {
  readonly channels: Json;
  readonly operations: Json;
  readonly messages: Json;
}

export function describeBinanceStreams(endpoints: readonly Endpoint[]): Part {
  const parts = [controlPart(), marketPart(), userPart(), methodsPart(endpoints)];
  return {
    channels: merge(parts.map(({ channels }) => channels)),
    operations: merge(parts.map(({ operations }) => operations)),
    messages: merge(parts.map(({ messages }) => messages)),
  };
}

function merge(all: readonly Json[]): Json {
  return Object.assign({}, ...all) as Json;
}

type Named = readonly (readonly [name: string, payload: TSchema, summary: string])[];

function messagesOf(named: Named): Json {
  return Object.fromEntries(
    named.map(([name, payload, summary]) => [name, describeMessage(name, payload, summary)]),
  );
}

function channel(address: string, summary: string, description: string, named: Named): Json {
  return {
    ...{ address, summary, description },
    messages: Object.fromEntries(named.map(([name]) => [name, messageReference(name)])),
  };
}

function inChannel(key: string, names: readonly string[]): readonly Json[] {
  return names.map((name) => reference(`channels/${key}/messages/${name}`));
}

/** What a client sends on any connection in Binance's manner. */
function controlPart(): Part {
  const key = 'binance-control';
  const requests: Named = Object.entries(controlRequests).map(([method, { schema, summary }]) => [
    `binance-${method}`,
    schema,
    summary,
  ]);
  const replies: Named = Object.entries(controlReplies).map(([name, { schema, summary }]) => [
    `binance-${name}`,
    schema,
    summary,
  ]);
  const description =
    'On /ws a connection gets events bare, on /stream in {stream, data}; /public, /market and ' +
    '/private may stand before either. Streams may be named in the URL: /ws/<stream>, ' +
    '/stream?streams=<stream>/<stream>. At most 1024 a connection.';
  const operation = {
    action: 'receive',
    channel: reference(`channels/${key}`),
    summary: 'Subscribing on a connection in the manner of Binance',
    messages: inChannel(
      key,
      requests.map(([name]) => name),
    ),
    reply: {
      channel: reference(`channels/${key}`),
      messages: inChannel(
        key,
        replies.map(([name]) => name),
      ),
    },
  };
  const all = [...requests, ...replies];
  return {
    channels: {
      [key]: channel(
        '/stream',
        "Requests of Binance's streams and their answers",
        description,
        all,
      ),
    },
    operations: { [key]: operation },
    messages: messagesOf(all),
  };
}

function marketPart(): Part {
  const channels: Record<string, Json> = {};
  const operations: Record<string, Json> = {};
  const messages: Record<string, Json> = {};
  for (const [kind, { name, summary, payload }] of Object.entries(marketStreams)) {
    const key = `binance-${kind}`;
    channels[key] = channel(
      `/ws/${addressOf(name)}`,
      summary,
      `The stream \`${name}\`; \`symbol\` in lower case. What stands in brackets may be left out.`,
      [[key, payload, summary]],
    );
    const parameters = parametersOf(name);
    if (parameters !== null) channels[key] = { ...channels[key], parameters };
    operations[key] = {
      ...{ action: 'send', channel: reference(`channels/${key}`), summary },
      messages: inChannel(key, [key]),
    };
    messages[key] = describeMessage(key, payload, summary);
  }
  return { channels, operations, messages };
}

function addressOf(name: string): string {
  return name.replace(/\[[^\]]*\]/g, '');
}

const parameterTexts: Readonly<Record<string, Json>> = {
  symbol: { description: 'The market in lower case', examples: ['btcusdt'] },
  levels: { description: 'How many levels a side', enum: ['5', '10', '20'] },
  interval: { description: 'How long a candle is', examples: ['1m'] },
};

function parametersOf(name: string): Json | null {
  const names = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter);
  if (names.length === 0) return null;
  return Object.fromEntries(names.map((parameter) => [parameter, parameterTexts[parameter]]));
}

function userPart(): Part {
  const key = 'binance-user';
  const named: Named = Object.entries(userEvents).map(([name, { payload, summary }]) => [
    `binance-${name}`,
    payload,
    summary,
  ]);
  const names = named.map(([name]) => name);
  const summary = 'What happens to an account';
  const description =
    'Private: the listen key of POST /fapi/v1/listenKey opens it, in the URL, as ?listenKey=, ' +
    'or by SUBSCRIBE. A key in use stays alive.';
  return {
    channels: {
      [key]: {
        ...channel('/ws/{listenKey}', summary, description, named),
        parameters: { listenKey: { description: 'A listen key', examples: ['k'.repeat(64)] } },
      },
    },
    operations: {
      [key]: {
        ...{ action: 'send', channel: reference(`channels/${key}`), summary },
        messages: inChannel(key, names),
      },
    },
    messages: messagesOf(named),
  };
}

/** A slash would divide a reference. */
function keyOf(method: string): string {
  return method.replace('/', '.');
}

/** Order entry over WebSocket: each method does what its path of /fapi does. */
function methodsPart(endpoints: readonly Endpoint[]): Part {
  const key = 'order-entry';
  const methods = describeMethods(endpoints);
  const error = methods.error;
  const all: Named = [
    ...methods.all.flatMap(({ method, summary, request, response }) => [
      [`${keyOf(method)}-request`, request, summary] as const,
      [`${keyOf(method)}-response`, response, `The answer of ${method}`] as const,
    ]),
    ['order-entry-error', error, 'Why a request was not done'],
  ];
  const operations = Object.fromEntries(
    methods.all.map(({ method, summary }) => [
      `order-entry-${keyOf(method)}`,
      {
        ...{ action: 'receive', channel: reference(`channels/${key}`), summary },
        messages: inChannel(key, [`${keyOf(method)}-request`]),
        reply: {
          channel: reference(`channels/${key}`),
          messages: inChannel(key, [`${keyOf(method)}-response`, 'order-entry-error']),
        },
      },
    ]),
  );
  const description =
    'Requests run side by side and are answered as they finish, each with the id of its request. ' +
    'A request is signed, or follows one session.logon.';
  return {
    channels: { [key]: channel('/ws-fapi/v1', "Binance's WebSocket API", description, all) },
    operations,
    messages: messagesOf(all),
  };
}
