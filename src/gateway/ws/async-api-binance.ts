import type { TSchema } from 'typebox';
import type { Endpoint } from '../http/endpoint.ts';
import { describeMessage, type Json, messageReference, reference } from './async-api-message.ts';
import { controlReplies, controlRequests } from './futures/control-schemas.ts';
import { marketStreams, type StreamDescription } from './futures/event-schemas.ts';
import { userEvents } from './futures/user-event-schemas.ts';
import { describeMethods, describeSpotMethods } from './order-entry/method-schemas.ts';
import { spotMarketStreams, spotUserEvents, subscribedEvent } from './spot/spot-event-schemas.ts';

// The Binance part of the AsyncAPI document: market streams, user streams and order entry.

interface Part {
  readonly channels: Json;
  readonly operations: Json;
  readonly messages: Json;
}

/** The part of the document for futures or for spot. */
interface Side {
  /** Prefix of the names of channels and messages. */
  readonly prefix: string;
  /** The path before /ws and /stream. */
  readonly path: string;
  readonly streams: Readonly<Record<string, StreamDescription>>;
  readonly userEvents: Readonly<Record<string, Described>>;
  readonly listenKeyPath: string;
}

interface Described {
  readonly summary: string;
  readonly payload: TSchema;
}

const futures: Side = {
  prefix: 'binance',
  path: '',
  streams: marketStreams,
  userEvents,
  listenKeyPath: '/fapi/v1/listenKey',
};
const spot: Side = {
  prefix: 'spot',
  path: '/streams/spot',
  streams: spotMarketStreams,
  userEvents: spotUserEvents,
  listenKeyPath: '/api/v3/userDataStream',
};

/** `endpoints` are those of /fapi, `spotEndpoints` those of /api/v3. */
export function describeBinanceStreams(
  endpoints: readonly Endpoint[],
  spotEndpoints: readonly Endpoint[],
): Part {
  const parts = [
    controlPart(),
    ...[futures, spot].flatMap((side) => [marketPart(side), userPart(side)]),
    methodsPart('', '/ws-fapi/v1', describeMethods(endpoints)),
    methodsPart('spot-', '/ws-api/v3', describeSpotMethods(spotEndpoints), [
      ['spot-subscribed-event', subscribedEvent, 'A user event of a subscription'],
    ]),
  ];
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
    address,
    summary,
    description,
    messages: Object.fromEntries(named.map(([name]) => [name, messageReference(name)])),
  };
}

function inChannel(key: string, names: readonly string[]): readonly Json[] {
  return names.map((name) => reference(`channels/${key}/messages/${name}`));
}

/** The messages that a client sends on any Binance-style connection. */
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
    'On /ws a connection receives plain events, on /stream events wrapped in {stream, ' +
    'data}; either path can have the prefix /public, /market or /private. Streams can be ' +
    'named in the URL: /ws/<stream>, /stream?streams=<stream>/<stream>. At most 1024 per ' +
    'connection. Spot has the same below /streams/spot: /streams/spot/ws and ' +
    '/streams/spot/stream.';
  const operation = {
    action: 'receive',
    channel: reference(`channels/${key}`),
    summary: 'Binance-style subscriptions on a connection',
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
        "Requests of Binance's streams and their responses",
        description,
        all,
      ),
    },
    operations: { [key]: operation },
    messages: messagesOf(all),
  };
}

function marketPart({ prefix, path, streams }: Side): Part {
  const channels: Record<string, Json> = {};
  const operations: Record<string, Json> = {};
  const messages: Record<string, Json> = {};
  for (const [kind, { name, summary, payload }] of Object.entries(streams)) {
    const key = `${prefix}-${kind}`;
    channels[key] = channel(
      `${path}/ws/${addressOf(name)}`,
      summary,
      `The stream \`${name}\`; \`symbol\` in lower case. Parts in brackets are optional.`,
      [[key, payload, summary]],
    );
    const parameters = parametersOf(name);
    if (parameters !== null) channels[key] = { ...channels[key], parameters };
    operations[key] = {
      action: 'send',
      channel: reference(`channels/${key}`),
      summary,
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
  levels: { description: 'Number of levels per side', enum: ['5', '10', '20'] },
  interval: { description: 'The candle interval', examples: ['1m'] },
  window: { description: 'The length of the window', enum: ['1h', '4h', '1d'] },
};

function parametersOf(name: string): Json | null {
  const names = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter);
  if (names.length === 0) return null;
  return Object.fromEntries(names.map((parameter) => [parameter, parameterTexts[parameter]]));
}

function userPart({ prefix, path, userEvents: events, listenKeyPath }: Side): Part {
  const key = `${prefix}-user`;
  const named: Named = Object.entries(events).map(([name, { payload, summary }]) => [
    `${prefix}-${name}`,
    payload,
    summary,
  ]);
  const names = named.map(([name]) => name);
  const summary = 'The events of an account';
  const description =
    `Private: the listen key of POST ${listenKeyPath} opens it, in the URL, as ?listenKey=, ` +
    'or by SUBSCRIBE. A key in use does not expire.';
  return {
    channels: {
      [key]: {
        ...channel(`${path}/ws/{listenKey}`, summary, description, named),
        parameters: { listenKey: { description: 'A listen key', examples: ['k'.repeat(64)] } },
      },
    },
    operations: {
      [key]: {
        action: 'send',
        channel: reference(`channels/${key}`),
        summary,
        messages: inChannel(key, names),
      },
    },
    messages: messagesOf(named),
  };
}

/** A slash would split a reference. */
function keyOf(method: string): string {
  return method.replace('/', '.');
}

/** Order entry over WebSocket: each method does what its HTTP path does. */
function methodsPart(
  prefix: string,
  address: string,
  methods: ReturnType<typeof describeMethods>,
  events: Named = [],
): Part {
  const key = `${prefix}order-entry`;
  const nameOf = (method: string, kind: string): string => `${prefix}${keyOf(method)}-${kind}`;
  const all: Named = [
    ...methods.all.flatMap(({ method, summary, request, response }) => [
      [nameOf(method, 'request'), request, summary] as const,
      [nameOf(method, 'response'), response, `The answer of ${method}`] as const,
    ]),
    [`${key}-error`, methods.error, 'Why a request failed'],
    ...events,
  ];
  const operations = methods.all.map(({ method, summary }): readonly [string, Json] => [
    `${key}-${keyOf(method)}`,
    {
      action: 'receive',
      channel: reference(`channels/${key}`),
      summary,
      messages: inChannel(key, [nameOf(method, 'request')]),
      reply: {
        channel: reference(`channels/${key}`),
        messages: inChannel(key, [nameOf(method, 'response'), `${key}-error`]),
      },
    },
  ]);
  const pushed = events.map(([name, , summary]): readonly [string, Json] => [
    name,
    {
      action: 'send',
      channel: reference(`channels/${key}`),
      summary,
      messages: inChannel(key, [name]),
    },
  ]);
  const description =
    'Requests are processed concurrently and answered as they finish, each response with ' +
    'the id of its request. Each request is signed, or follows a session.logon.';
  return {
    channels: { [key]: channel(address, "Binance's WebSocket API", description, all) },
    operations: Object.fromEntries([...operations, ...pushed]),
    messages: messagesOf(all),
  };
}
