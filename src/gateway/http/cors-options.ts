import type { FastifyCorsOptions, FastifyCorsOptionsDelegateCallback } from '@fastify/cors';

const exposedHeaders = [
  'X-Request-Id',
  'X-MBX-USED-WEIGHT-1M',
  'X-MBX-ORDER-COUNT-10S',
  'X-MBX-ORDER-COUNT-1M',
  'Retry-After',
];
const preflightSeconds = 600;
const none: FastifyCorsOptions = { origin: false };

/**
 * Which pages of other origins can call the API. Named origins can call everything except the admin
 * endpoints. `*` opens only what needs no credentials: no Authorization or key header passes its
 * preflight. Cookies are never used, so credentials mode stays off.
 */
export function corsOptions(origins: readonly string[]): FastifyCorsOptionsDelegateCallback {
  const isOpen = origins.includes('*');
  const shared = { exposedHeaders, maxAge: preflightSeconds, credentials: false };
  const open: FastifyCorsOptions = {
    ...shared,
    origin: '*',
    methods: ['GET', 'HEAD'],
    allowedHeaders: ['Accept'],
  };
  const listed: FastifyCorsOptions = {
    ...shared,
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'X-MBX-APIKEY'],
  };
  return (request, callback) => {
    if (isAdministration(request.url)) callback(null, none);
    else callback(null, isOpen ? open : listed);
  };
}

// Routes are found by the decoded path.
function isAdministration(url: string): boolean {
  const [path = ''] = url.split('?', 1);
  try {
    return decodeURIComponent(path).startsWith('/api/v1/admin');
  } catch {
    // A path that cannot be decoded has no route.
    return true;
  }
}
