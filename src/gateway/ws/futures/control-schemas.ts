import { type TSchema, Type } from 'typebox';
import { list, object, text, word } from '../../http/fapi/reference/field-schemas.ts';
import { controlErrorMeanings } from './control-message.ts';

// Requests of Binance's streams and their answers, for the AsyncAPI document.

interface Described {
  readonly schema: TSchema;
  readonly summary: string;
}

const id = Type.Unsafe<unknown>({
  type: ['integer', 'number', 'string', 'null'],
  description: 'Returned with the response; a number or a text of at most 64 characters',
  examples: [1],
});

function request(method: string, params: TSchema | null): TSchema {
  return object(
    {
      method: word('The type of the request', [method]),
      ...(params === null ? {} : { params }),
      id: Type.Optional(id),
    },
    'A request',
  );
}

const names = Type.Array(text('A stream, or a listen key', 'btcusdt@depth'), {
  minItems: 1,
  description: 'Names of streams, and listen keys',
  examples: [['btcusdt@depth', 'btcusdt@aggTrade']],
});

const property = (description: string, example: readonly unknown[]) =>
  Type.Array(Type.Unsafe<unknown>({ type: ['string', 'boolean'] }), {
    description,
    examples: [example],
  });

/** Every request, by its method. */
export const controlRequests: Readonly<Record<string, Described>> = {
  SUBSCRIBE: { schema: request('SUBSCRIBE', names), summary: 'Adds streams: all of them or none' },
  UNSUBSCRIBE: { schema: request('UNSUBSCRIBE', names), summary: 'Ends streams' },
  LIST_SUBSCRIPTIONS: {
    schema: request('LIST_SUBSCRIPTIONS', null),
    summary: 'Lists the streams of the connection',
  },
  GET_PROPERTY: {
    schema: request('GET_PROPERTY', property('The only property', ['combined'])),
    summary: 'Returns whether events are wrapped',
  },
  SET_PROPERTY: {
    schema: request('SET_PROPERTY', property('The only property, its value', ['combined', true])),
    summary: 'Selects whether events are wrapped',
  },
};

/** The answers to requests, and the wrapper of combined connections. */
export const controlReplies: Readonly<Record<string, Described>> = {
  done: {
    schema: object({ result: Type.Null({ description: 'Done' }), id }, 'The request succeeded'),
    summary: 'The response to SUBSCRIBE, UNSUBSCRIBE and SET_PROPERTY',
  },
  list: {
    schema: object(
      { result: list(text('A stream', 'btcusdt@depth'), 'The streams of the connection'), id },
      'The streams',
    ),
    summary: 'The response to LIST_SUBSCRIPTIONS',
  },
  property: {
    schema: object(
      { result: Type.Boolean({ description: 'Whether events are wrapped' }), id },
      'The property',
    ),
    summary: 'The response to GET_PROPERTY',
  },
  error: {
    schema: object(
      {
        error: object(
          {
            code: Type.Unsafe<number>({
              type: 'integer',
              enum: Object.keys(controlErrorMeanings).map(Number),
              description: '2: the request is wrong; 3: the text is not JSON',
              examples: [2],
            }),
            msg: text('The error', 'Invalid request: unknown stream btcusdt@nothing'),
          },
          'The error',
        ),
        id,
      },
      'The request was refused',
    ),
    summary: 'The response to a refused request',
  },
  combined: {
    schema: object(
      {
        stream: text('The stream of the event', 'btcusdt@depth'),
        data: Type.Unsafe<unknown>({
          description: 'The event of the stream',
          examples: [{ e: 'depthUpdate', E: 1_767_571_200_000 }],
        }),
      },
      'An event in its wrapper',
    ),
    summary: 'An event on a combined connection',
  },
};
