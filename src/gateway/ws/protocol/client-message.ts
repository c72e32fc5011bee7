import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { klineIntervals } from '../../../domain/kline-interval.ts';
import type { StreamError } from './stream-error.ts';

// What a client can send. The schemas check the messages and appear in the AsyncAPI document.

export const messageIdSchema = Type.Union([Type.String({ maxLength: 64 }), Type.Integer()], {
  description: 'Echoed in the reply to this message.',
  examples: [1],
});
const symbolSchema = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The market; case-sensitive. Private channels take none.',
  examples: ['BTCUSDT'],
});
const marketSchema = Type.Enum(['spot', 'futures'], {
  default: 'spot',
  description: 'The business line; mark_price is for futures only',
});
const intervalSchema = Type.Enum([...klineIntervals], {
  description: 'Only for the channel kline, where it is required.',
});
const groupSchema = Type.String({
  maxLength: 50,
  description:
    'Only for the channel orderbook: the price step of a grouped book; the tick times 10, ' +
    '100, 1000 or 10000.',
  examples: ['10'],
});

export const authMessageSchema = Type.Object({
  type: Type.Literal('auth', { description: 'The type of the request' }),
  token: Type.Optional(
    Type.String({
      description: 'A token from POST /api/v1/auth/login.',
      examples: ['eyJhbGciOi...'],
    }),
  ),
  listenKey: Type.Optional(
    Type.String({
      description: 'A listen key, instead of a token; one of the two is required.',
      examples: ['k'.repeat(64)],
    }),
  ),
  id: Type.Optional(messageIdSchema),
});

const targetSchemas = {
  channel: Type.String({ description: 'The channel', examples: ['orderbook'] }),
  symbol: Type.Optional(symbolSchema),
  market: Type.Optional(marketSchema),
  interval: Type.Optional(intervalSchema),
  group: Type.Optional(groupSchema),
  id: Type.Optional(messageIdSchema),
};
export const subscribeMessageSchema = Type.Object({
  type: Type.Literal('subscribe', { description: 'The type of the request' }),
  ...targetSchemas,
});
export const unsubscribeMessageSchema = Type.Object({
  type: Type.Literal('unsubscribe', { description: 'The type of the request' }),
  ...targetSchemas,
});
export const pingMessageSchema = Type.Object({
  type: Type.Literal('ping', { description: 'The type of the request' }),
  id: Type.Optional(messageIdSchema),
});

export type MessageId = Static<typeof messageIdSchema>;
export type AuthMessage = Static<typeof authMessageSchema>;
export type SubscribeMessage = Static<typeof subscribeMessageSchema>;
export type UnsubscribeMessage = Static<typeof unsubscribeMessageSchema>;
type PingMessage = Static<typeof pingMessageSchema>;
export type ClientMessage = AuthMessage | SubscribeMessage | UnsubscribeMessage | PingMessage;

const idCheck = Compile(messageIdSchema);
const authCheck = Compile(authMessageSchema);
const subscribeCheck = Compile(subscribeMessageSchema);
const unsubscribeCheck = Compile(unsubscribeMessageSchema);
const pingCheck = Compile(pingMessageSchema);

export type ParsedMessage =
  | { readonly kind: 'message'; readonly message: ClientMessage }
  | { readonly kind: 'malformed'; readonly error: StreamError; readonly id: MessageId | null };

/** Parses a client's text into a message, or reports what is wrong with it. */
export function parseClientMessage(text: string): ParsedMessage {
  const fields = parseObject(text);
  if (fields === null) {
    return malformed({ code: 'INVALID_MESSAGE', message: 'a message is one JSON object' }, null);
  }
  const given = fields.get('id');
  const id = idCheck.Check(given) ? given : null;
  const type = fields.get('type');
  const value: unknown = Object.fromEntries(fields);
  switch (type) {
    case 'auth':
      return authCheck.Check(value) ? parsed(value) : malformed(firstProblem(authCheck, value), id);
    case 'subscribe':
      if (subscribeCheck.Check(value)) return parsed(value);
      return malformed(firstProblem(subscribeCheck, value), id);
    case 'unsubscribe':
      if (unsubscribeCheck.Check(value)) return parsed(value);
      return malformed(firstProblem(unsubscribeCheck, value), id);
    case 'ping':
      return pingCheck.Check(value) ? parsed(value) : malformed(firstProblem(pingCheck, value), id);
    default: {
      const message = 'type is one of auth, subscribe, unsubscribe, ping';
      return malformed({ code: 'UNKNOWN_TYPE', message }, id);
    }
  }
}

// Only these names are read, so that names that objects inherit can play no part.
const fieldNames = [
  'type',
  'id',
  'token',
  'listenKey',
  'channel',
  'symbol',
  'market',
  'interval',
  'group',
];

function parseObject(text: string): ReadonlyMap<string, unknown> | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const own = new Map<string, unknown>(Object.entries(value));
  return new Map(
    fieldNames.flatMap((name) => (own.has(name) ? [[name, own.get(name)] as const] : [])),
  );
}

interface ProblemFinder {
  Errors(value: unknown): readonly { readonly instancePath: string; readonly message: string }[];
}

function firstProblem(check: ProblemFinder, value: unknown): StreamError {
  const [problem] = check.Errors(value);
  const field = problem?.instancePath.slice(1) ?? '';
  return { code: 'INVALID_PARAMETER', message: `${field} ${problem?.message ?? ''}`.trim() };
}

function parsed(message: ClientMessage): ParsedMessage {
  return { kind: 'message', message };
}

function malformed(error: StreamError, id: MessageId | null): ParsedMessage {
  return { kind: 'malformed', error, id };
}
