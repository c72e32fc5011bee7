import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import reference from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { buildAsyncApiDocument } from '../ws/async-api.ts';
import { documentErrors } from './documented-errors.ts';
import type { AuthNeed, Endpoint } from './endpoint.ts';
import { addExamples } from './openapi-examples.ts';
import { querySchema } from './register-endpoint.ts';
import type { SurfaceRoutes } from './server.ts';

// The description of every route: OpenAPI 3.1 at /openapi.json, and a page of it at /docs. The page
// is served from here whole and may fetch from nowhere else.

const description = `An exchange for spot and USDT perpetuals.

Amounts go out as plain decimal text and come in as text. Times are ISO 8601 UTC below /api/v1 and
milliseconds below /fapi. Every answer carries X-Request-Id; name it when you report trouble.`;

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
} as const;

type Requirement = Readonly<Record<string, string[]>>;

const securityOf: Readonly<Record<AuthNeed['kind'], readonly Requirement[]>> = {
  none: [],
  optional: [{}, { token: [] }, { apiKey: [] }],
  account: [{ token: [] }, { apiKey: [] }],
  token: [{ token: [] }],
  admin: [{ adminKey: [] }],
};

const options: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: { title: 'openbourse', version: '1', description, license: { name: 'Apache-2.0' } },
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
      summary: endpoint.summary,
      description: `${endpoint.description}\n\n${weightText(endpoint)}`,
      security: securityOf[endpoint.auth.kind],
      response: {
        200: { description: 'Success', content: { 'application/json': { schema: success } } },
        ...documentErrors(endpoint, surface),
      },
    };
    return { schema: described, url };
  },
};

/** Collects the routes; to be added before them. */
export async function addOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, options);
}

const pagePolicy = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves the description and its page. */
export async function addReference(
  app: FastifyInstance,
  routes: readonly SurfaceRoutes[],
): Promise<void> {
  const fapi = routes.find(({ surface }) => surface.name === 'exchange');
  const asyncApiDocument = buildAsyncApiDocument(fapi?.endpoints);
  let document: object | null = null;
  app.get('/openapi.json', { schema: { hide: true } }, () => {
    document ??= addExamples(app.swagger());
    return document;
  });
  app.get('/asyncapi.json', { schema: { hide: true } }, () => asyncApiDocument);
  await app.register(async (scope) => {
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.header('content-security-policy', pagePolicy);
      done();
    });
    await scope.register(reference, {
      routePrefix: '/docs',
      configuration: {
        url: '/openapi.json',
        pageTitle: 'openbourse API',
        withDefaultFonts: false,
        telemetry: false,
        showDeveloperTools: 'never',
        hideClientButton: true,
        mcp: { disabled: true },
        agent: { disabled: true },
      },
    });
  });
}

function weightText({ weight, weighs }: Endpoint): string {
  return weighs === undefined ? `Weight ${weight}.` : `Weight at most ${weight}, by what is asked.`;
}
