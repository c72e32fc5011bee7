import { type TObject, type TProperties, type TSchema, Type } from 'typebox';
import type { Endpoint } from '../../http/endpoint.ts';
import { flag, list, object, text, time, whole } from '../../http/fapi/reference/field-schemas.ts';
import { type SubscriptionMethod, subscriptionMethods } from './account-subscriptions.ts';
import { endpointsByMethod, sessionMethods, spotEndpointsByMethod } from './socket-methods.ts';

// The methods of Binance's WebSocket API for the AsyncAPI document: parameters and result are those
// of the HTTP path that serves them.

interface MethodDescription {
  readonly method: string;
  readonly summary: string;
  readonly request: TSchema;
  readonly response: TSchema;
}

interface MethodDescriptions {
  readonly all: readonly MethodDescription[];
  readonly error: TSchema;
}

const id = Type.Unsafe<unknown>({
  type: ['integer', 'string', 'null'],
  description: 'Returned with the response; a whole number or a text of at most 64 characters',
  examples: [1],
});

const apiKey = text('The API key', 'k'.repeat(64));
const timestamp = whole('Milliseconds since 1970, at most 60000 off', 1_767_571_200_000);
const signature = text(
  'HMAC-SHA256 in hex of all other parameters, sorted by name and joined like a query ' + 'string',
  'cf85011aff0b32bd150df1f6f7cf1857ba4faa4600e69ff77ec2ec98b6814560',
);
const credentials = { apiKey, timestamp, signature };

/** The methods of spot's WebSocket API, whose connections also get user events. */
export function describeSpotMethods(endpoints: readonly Endpoint[]): MethodDescriptions {
  const { all } = describeMethods(endpoints, spotEndpointsByMethod);
  const subscriptions = endpoints.length === 0 ? [] : subscriptionMethods.map(describeSubscription);
  return { all: [...all, ...subscriptions], error: spotErrorResponse };
}

export function describeMethods(
  endpoints: readonly Endpoint[],
  byMethod = endpointsByMethod,
): MethodDescriptions {
  const methods = Object.entries(byMethod).flatMap(([method, [verb, path]]) => {
    const endpoint = endpoints.find((each) => each.method === verb && each.path === path);
    return endpoint === undefined ? [] : [describeMethod(method, endpoint)];
  });
  const sessions = endpoints.length === 0 ? [] : sessionMethods.map(describeSessionMethod);
  return { all: [...methods, ...sessions], error: errorResponse };
}

function describeMethod(method: string, endpoint: Endpoint): MethodDescription {
  const { documented, auth, summary } = endpoint;
  const own = (documented?.query ?? endpoint.query)?.properties ?? {};
  const signed = auth.kind === 'none' ? {} : optional(credentials);
  const params = Type.Object(
    { ...own, ...signed },
    {
      additionalProperties: true,
      description: `The parameters of ${endpoint.method} ${endpoint.path}`,
    },
  );
  return {
    method,
    summary,
    request: request(method, params),
    response: response(documented?.answer ?? endpoint.answer),
  };
}

function optional(fields: Readonly<Record<string, TSchema>>): TProperties {
  return Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)]),
  );
}

const sessionTexts: Readonly<Record<(typeof sessionMethods)[number], string>> = {
  'session.logon': 'Authenticates the connection: further requests need no signature',
  'session.status': 'Whether the connection is authenticated',
  'session.logout': "Ends the connection's authentication",
};

const session = object(
  {
    apiKey: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The key of the session; null without one',
      examples: ['k'.repeat(64)],
    }),
    authorizedSince: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description:
        'When the connection was authenticated, milliseconds since 1970; null if it is not',
      examples: [1_767_571_200_000],
    }),
    connectedSince: time('When the connection was opened'),
    returnRateLimits: flag('Always true', true),
    serverTime: time('The clock of the service'),
  },
  'The session',
);

function describeSessionMethod(method: (typeof sessionMethods)[number]): MethodDescription {
  const params =
    method === 'session.logon'
      ? Type.Object(credentials, { additionalProperties: true, description: 'The credentials' })
      : null;
  return {
    method,
    summary: sessionTexts[method],
    request: request(method, params),
    response: response(session),
  };
}

const subscriptionId = whole('The number of the subscription', 0);
const subscription = object({ subscriptionId }, 'A subscription');
const signedParams = Type.Object(credentials, {
  additionalProperties: true,
  description: 'The credentials',
});

const subscriptionTexts: Readonly<
  Record<
    SubscriptionMethod,
    { readonly summary: string; readonly params: TObject | null; readonly result: TSchema }
  >
> = {
  'userDataStream.subscribe': {
    summary: "Subscribes to the user events of the connection's account",
    params: null,
    result: subscription,
  },
  'userDataStream.subscribe.signature': {
    summary: 'Subscribes to the user events of the account whose key signed the request',
    params: signedParams,
    result: subscription,
  },
  'userDataStream.unsubscribe': {
    summary: 'Ends a subscription; without a number, all subscriptions of the connection',
    params: Type.Object(
      { subscriptionId: Type.Optional(subscriptionId) },
      { additionalProperties: true, description: 'The number of the subscription' },
    ),
    result: object({}, 'An empty object'),
  },
  'session.subscriptions': {
    summary: 'The subscriptions of the connection',
    params: null,
    result: list(subscription, 'The subscriptions'),
  },
};

function describeSubscription(method: SubscriptionMethod): MethodDescription {
  const { summary, params, result } = subscriptionTexts[method];
  return { method, summary, request: request(method, params), response: response(result) };
}

function request(method: string, params: TObject | null): TSchema {
  return object(
    {
      id: Type.Optional(id),
      method: Type.Unsafe<string>({
        type: 'string',
        enum: [method],
        description: 'The method',
        examples: [method],
      }),
      ...(params === null ? {} : { params: Type.Optional(params) }),
    },
    'A request',
  );
}

const rateLimits = list(Type.Unsafe<unknown>({}), 'Always empty');

function response(result: TSchema): TSchema {
  return object(
    { id, status: whole('200', 200), result, rateLimits },
    'The response to a successful request',
  );
}

function errorOf(furtherFields: TProperties): TSchema {
  return object(
    {
      id,
      status: whole('The HTTP status of the corresponding path', 400),
      error: object(
        {
          code: Type.Unsafe<number | string>({
            type: ['integer', 'string'],
            description: 'The error code; a name if authentication failed',
            examples: [-2013],
          }),
          msg: text('The error', 'Order does not exist.'),
          ...furtherFields,
        },
        'The error',
      ),
    },
    'The response to a failed request',
  );
}

const errorResponse = errorOf({});
const spotErrorResponse = errorOf({
  data: Type.Optional(
    Type.Unsafe<unknown>({
      type: 'object',
      description: 'The results of both parts of an order.cancelReplace',
      examples: [{ cancelResult: 'SUCCESS', newOrderResult: 'FAILURE' }],
    }),
  ),
});
