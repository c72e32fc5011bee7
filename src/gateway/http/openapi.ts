import { setImmediate as nextTurn } from 'node:timers/promises';
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import type { Surface } from '../errors/surface.ts';
import { buildAsyncApiDocument } from '../ws/async-api.ts';
import { csvShapeOf } from './csv-answer.ts';
import { registerDocsPage } from './docs-page.ts';
import { documentErrors } from './documented-errors.ts';
import type { AuthNeed, Endpoint } from './endpoint.ts';
import { limitPages } from './limit-pages.ts';
import { shareSchemas } from './openapi-components.ts';
import { addExamples } from './openapi-examples.ts';
import { operationIdOf } from './operation-id.ts';
import { querySchema } from './register-endpoint.ts';
import type { RequestLimiter } from './request-limiter.ts';
import { jsonType } from './send-error.ts';
import type { SurfaceRoutes } from './surface-routes.ts';

// The description of every route: OpenAPI 3.1 at /openapi.json, and a page of it at /docs.

const description = `An exchange for spot and USDT perpetuals.

**Get started** with a token: POST /api/v1/auth/nonce, sign the message with a wallet, POST
/api/v1/auth/login; or with an API key and signed requests (POST /api/v1/account/api-keys).
\`npm run sign-in\` prints a token for a new wallet; paste it under *Authorize*.

**Families.** Referral, chain, administration, faucet and spot return the bare object, and errors
as \`{"error": "CODE"}\`. Other paths below /api/v1 return
\`{"success", "data", "error", "timestamp"}\`. /fapi and /api/v3 are compatible with Binance and
return errors as \`{"code", "msg"}\`.

Amounts are plain decimal text in requests and responses. Times are ISO 8601 UTC below /api/v1 and
milliseconds below /fapi. Every response has X-Request-Id; quote it when you report a problem. An
unknown path is 404, another method 405 with Allow.

The WebSocket channels are described at [/asyncapi.json](/asyncapi.json).`;

const tags = [
  ['Sign-in', 'A wallet signs a message and receives a token.'],
  ['Account', "API keys and the account's profile."],
  ['Spot trading', 'Orders, trades and balances of spot.'],
  ['Spot market data', 'Markets, books, trades and candles of spot; open to all.'],
  ['Spot wallet', 'Deposits, withdrawals and transfers.'],
  ['Derivatives trading', "Perpetuals under the exchange's own API."],
  ['Derivatives account', 'Positions, margin, fees and history.'],
  ['Derivatives market data', 'Markets, books, trades and candles of perpetuals; open to all.'],
  ['Perp wallet', 'Withdrawals of the perp wallet.'],
  ['Futures account and trading', "Perpetuals under Binance's API, signed with an API key."],
  ['Futures market data', "Market data under Binance's API; public."],
  ['Binance spot account and trading', "Spot under Binance's API, signed with an API key."],
  ['Binance spot market data', "Market data of spot under Binance's API; public."],
  ['Referral', 'Codes, bindings, commission and claims.'],
  ['Points', 'Leaderboards, seasons and earn levels.'],
  ['Chain', 'The chain and its contracts.'],
  ['Administration', "With the administrator's key."],
  ['Operation', 'For monitoring the service.'],
].map(([name = '', text = '']) => ({ name, description: text }));

const securitySchemes = {
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token of a sign-in: POST /api/v1/auth/login.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-MBX-APIKEY',
    description:
      'An API key; the request also carries `timestamp` and `signature`, the hex HMAC-SHA256 ' +
      'under the API secret over the query string without `signature`, followed by the body.',
  },
  adminKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: "The administrator's key.",
  },
  adminToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An administration token: POST /api/v1/admin/session.',
  },
  metricsToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'METRICS_TOKEN, if it is set; always required in production.',
  },
} as const;

type Requirement = Readonly<Record<string, string[]>>;

const keyOnly: readonly Requirement[] = [{ apiKey: [] }];
const adminKeyOnly: readonly Requirement[] = [{ adminKey: [] }];
const securityByKind: Readonly<Record<AuthNeed['kind'], readonly Requirement[]>> = {
  none: [],
  optional: [{}, { token: [] }, { apiKey: [] }],
  account: [{ token: [] }, { apiKey: [] }],
  token: [{ token: [] }],
  admin: [{ adminKey: [] }, { adminToken: [] }],
  operator: [{}, { metricsToken: [] }],
};

function securityOf(auth: AuthNeed): readonly Requirement[] {
  if (auth.kind === 'account' && auth.isKeyOnly === true) return keyOnly;
  if (auth.kind === 'admin' && auth.isKeyOnly === true) return adminKeyOnly;
  return securityByKind[auth.kind];
}

/** The weight of a document or a part of its page: each sends hundreds of kilobytes. */
const documentWeight = 100;

const options: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: { title: 'openbourse', version: '1', description, license: { name: 'Apache-2.0' } },
    servers: [{ url: '/', description: 'This service' }],
    tags,
    components: { securitySchemes },
  },
  transform: ({ schema, url, route }) => {
    const { endpoint, surface } = route.config ?? {};
    if (endpoint === undefined || surface === undefined) {
      return { schema: { ...schema, hide: true }, url };
    }
    const { documented } = endpoint;
    const success = documented?.answer ?? (schema.response as Record<string, unknown>)['200'];
    const described = {
      ...schema,
      ...(documented === undefined ? {} : { querystring: querySchema(endpoint, documented.query) }),
      tags: [endpoint.tag],
      operationId: operationIdOf(endpoint.method, endpoint.path),
      summary: endpoint.summary,
      description: `${endpoint.description}\n\n${weightText(endpoint)}`,
      security: securityOf(endpoint.auth),
      response: {
        200: { description: 'Success', content: contentOf(endpoint, success) },
        ...documentErrors(endpoint, surface),
      },
    };
    return { schema: described, url };
  },
};

function contentOf(endpoint: Endpoint, success: unknown) {
  const json = { 'application/json': { schema: success } };
  if (csvShapeOf(endpoint) === null) return json;
  const page = 'The same page as CSV, with its fields as columns; requested by Accept: text/csv';
  return { ...json, 'text/csv': { schema: { type: 'string', description: page } } };
}

/** Collects the routes; call it before they are added. */
export async function addOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, options);
}

/** Serves the description and its page. */
export async function addReference(
  app: FastifyInstance,
  routes: readonly SurfaceRoutes[],
  limiter: RequestLimiter,
): Promise<void> {
  const endpointsOf = (name: Surface['name']): readonly Endpoint[] | undefined =>
    routes.find(({ surface }) => surface.name === name)?.endpoints;
  await app.register(async (scope) => {
    scope.addHook('onRequest', limitPages(limiter, documentWeight));
    const documents = {
      '/openapi.json': madeOnce(
        () => app.swagger(),
        (document) => shareSchemas(addExamples(document)),
      ),
      '/asyncapi.json': madeOnce(
        () => buildAsyncApiDocument(endpointsOf('exchange'), endpointsOf('binance_spot')),
        (document) => document,
      ),
    };
    for (const [path, read] of Object.entries(documents)) {
      scope.get(path, { schema: { hide: true } }, async (_request, reply) =>
        reply.type(jsonType).send(await read()),
      );
    }
    makeAhead(scope, Object.values(documents));
    await registerDocsPage(scope);
  });
}

/**
 * Builds a document once, as bytes, since it is large and the same for everyone: at the first call,
 * each step in its own turn of the event loop, as each takes a tenth of a second.
 */
function madeOnce<Draft>(
  draft: () => Draft,
  complete: (document: Draft) => object,
): () => Promise<Buffer> {
  let making: Promise<Buffer> | null = null;
  const make = async (): Promise<Buffer> => {
    const drafted = draft();
    await nextTurn();
    const document = complete(drafted);
    await nextTurn();
    return Buffer.from(JSON.stringify(document));
  };
  return () => (making ??= make());
}

const aheadMs = 1_000;

/** Builds the documents soon after the start, so that no caller determines when. */
function makeAhead(app: FastifyInstance, reads: readonly (() => Promise<Buffer>)[]): void {
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onReady', async () => {
    timer = setTimeout(() => void Promise.all(reads.map((read) => read())), aheadMs).unref();
  });
  app.addHook('onClose', async () => clearTimeout(timer));
}

function weightText({ weight, weighs }: Endpoint): string {
  return weighs === undefined
    ? `Weight ${weight}.`
    : `Weight at most ${weight}, depending on the parameters.`;
}
