import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { limitPages } from '../limit-pages.ts';
import type { RequestLimiter } from '../request-limiter.ts';
import { pageWeight, sendServiceInfo, wantsJson } from './front-page.ts';
import { cachingOf, pageHeaders } from './page-headers.ts';

// Serves the built console: each file and each page by its exact path, so that no path of the API
// is shadowed and an unknown one remains the API's 404.

/** The pages of the console; all of them are one document, which reads its own path. */
export const consolePages = [
  '/',
  '/trade/:symbol',
  '/futures/:symbol',
  '/wallet',
  '/referral',
  '/points',
  '/keys',
  '/admin',
  '/status',
] as const;

// Build output besides the files that browsers request.
const unserved = ['**/*.br', '**/*.gz', 'build.json', 'index.html', '.vite/**'];

/** True if the folder holds a build. */
export function isConsoleBuilt(folder: string): boolean {
  return existsSync(join(folder, 'index.html')) && existsSync(join(folder, 'build.json'));
}

/** Adds the console's files and pages; call it after all endpoints are added. */
export async function addConsole(
  app: FastifyInstance,
  folder: string,
  limiter: RequestLimiter,
): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRequest', limitPages(limiter, pageWeight));
    scope.addHook('onSend', async (request, reply) => {
      if (reply.statusCode >= 400) return;
      const caching = cachingOf(request.url);
      reply.headers({ ...pageHeaders, 'cache-control': caching, vary: 'accept, accept-encoding' });
    });
    await scope.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: false,
      preCompressed: true,
      globIgnore: unserved,
      cacheControl: false,
    });
    for (const url of consolePages) {
      scope.route({
        method: ['GET', 'HEAD'],
        url,
        schema: { hide: true },
        handler: async (request, reply) =>
          url === '/' && wantsJson(request)
            ? sendServiceInfo(reply, 'served')
            : reply.sendFile('index.html'),
      });
    }
  });
}
