import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

// The API reference page at /docs. It is served entirely from here, under a policy that allows only
// its own scripts and no requests to other hosts.

const policy = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const page = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>openbourse API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const startScript = `SwaggerUIBundle({
  dom_id: '#reference',
  url: '/openapi.json',
  deepLinking: true,
  docExpansion: 'none',
  validatorUrl: null,
});
`;

// Used if neither build nor package exists: an install without development dependencies.
const pageWithoutAssets = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>openbourse API</title>
</head>
<body>
<p>This page needs the build that <code>npm ci</code> makes. The description of every path is at
<a href="/openapi.json">/openapi.json</a>.</p>
</body>
</html>
`;

const assets = ['swagger-ui.css', 'swagger-ui-bundle.js'] as const;

/** Serves the page at /docs, which loads /openapi.json. */
export async function registerDocsPage(app: FastifyInstance): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.header('content-security-policy', policy);
      done();
    });
    const root = findAssets();
    const hidden = { schema: { hide: true } };
    const html = 'text/html; charset=utf-8';
    const text = root === null ? pageWithoutAssets : page;
    for (const path of ['/docs', '/docs/']) {
      scope.get(path, hidden, (_request, reply) => reply.type(html).send(text));
    }
    if (root === null) return;
    await scope.register(fastifyStatic, { root, serve: false });
    scope.get('/docs/start.js', hidden, (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').send(startScript),
    );
    for (const name of assets) {
      scope.get(`/docs/${name}`, hidden, (_request, reply) => reply.sendFile(name));
    }
  });
}

/** The folder with the files of swagger-ui: from the build, otherwise from the package. */
function findAssets(): string | null {
  const built = fileURLToPath(new URL('../../../dist/docs', import.meta.url));
  if (existsSync(built)) return built;
  try {
    return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  } catch {
    return null;
  }
}
