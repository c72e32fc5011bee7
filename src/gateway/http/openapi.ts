import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';

/** The OpenAPI 3.1 description of every route, at /openapi.json. */
export async function addReference(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'openbourse', version: '1', description: 'An exchange: spot and futures' },
    },
  });
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
}
