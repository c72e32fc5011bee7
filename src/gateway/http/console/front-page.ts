import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { limitPages } from '../limit-pages.ts';
import type { RequestLimiter } from '../request-limiter.ts';
import { pageHeaders } from './page-headers.ts';

// What / serves besides the console: a description of the service with links, as JSON for programs,
// and as a page for people if the console is off.

export type ConsoleState = 'served' | 'off' | 'not built';

const links = {
  api: '/docs',
  openapi: '/openapi.json',
  asyncapi: '/asyncapi.json',
  readiness: '/readyz',
};

export const pageWeight = 1;

/** True if the caller asks for JSON and does not accept a page. */
export function wantsJson({ headers: { accept = '' } }: FastifyRequest): boolean {
  return accept.includes('application/json') && !accept.includes('text/html');
}

export function sendServiceInfo(reply: FastifyReply, console: ConsoleState): FastifyReply {
  const card = { name: 'openbourse', runs: ['spot', 'perpetuals'], console, links };
  return reply.header('vary', 'accept').send(card);
}

const sentences: Readonly<Record<Exclude<ConsoleState, 'served'>, string>> = {
  off: 'This server answers programs; its page is switched off.',
  'not built': 'The console is not built: <code>npm ci</code> builds it.',
};

function pageOf(sentence: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>openbourse</title>
<h1>openbourse</h1><p>A back end of an exchange: spot and perpetuals. ${sentence}</p>
<ul><li><a href="/docs">Every path of the API</a></li>
<li><a href="/readyz">State of the components</a></li>
<li>First steps: docs/tour.md in the repository</li></ul></html>
`;
}

/** The front page of a service without the console: 503 if the console should be there. */
export function addFrontPage(
  app: FastifyInstance,
  state: Exclude<ConsoleState, 'served'>,
  limiter: RequestLimiter,
): void {
  const onRequest = limitPages(limiter, pageWeight);
  app.get('/', { schema: { hide: true }, onRequest }, async (request, reply) => {
    if (wantsJson(request)) return sendServiceInfo(reply, state);
    return reply
      .code(state === 'off' ? 200 : 503)
      .headers({ ...pageHeaders, vary: 'accept' })
      .type('text/html; charset=utf-8')
      .send(pageOf(sentences[state]));
  });
}
