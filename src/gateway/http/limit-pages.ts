import type { onRequestHookHandler } from 'fastify';
import type { RequestLimiter } from './request-limiter.ts';

/** Counts pages and documents, which are not endpoints, towards the address's weight. */
export function limitPages(limiter: RequestLimiter, weight: number): onRequestHookHandler {
  return (request, reply, done) => {
    const { retryAfterSeconds, isBanned } = limiter.useWeight(request.clientAddress, weight);
    if (retryAfterSeconds === null) return done();
    void reply
      .code(isBanned ? 418 : 429)
      .header('retry-after', retryAfterSeconds)
      .send();
  };
}
