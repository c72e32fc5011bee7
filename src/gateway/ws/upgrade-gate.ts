import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

export interface UpgradeRefusal {
  readonly status: 400 | 403 | 404 | 418 | 429 | 503;
  readonly reason: string;
}

const statusTexts: Readonly<Record<UpgradeRefusal['status'], string>> = {
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  418: "I'm a Teapot",
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

/**
 * Decides whether a page of this origin can connect; programs send no origin, browsers always do.
 */
export function isOriginAllowed(
  request: IncomingMessage,
  allowedOrigins: readonly string[],
): boolean {
  // The oldest protocol version that `ws` accepts uses a different header name.
  const origins = [request.headers.origin, request.headers['sec-websocket-origin']].flat();
  return origins.every(
    (origin) =>
      origin === undefined ||
      allowedOrigins.includes(origin) ||
      isSameOrigin(origin, request.headers.host),
  );
}

/** Answers an upgrade with a plain HTTP status and closes the connection. */
export function refuseUpgrade(socket: Duplex, { status, reason }: UpgradeRefusal): void {
  const body = JSON.stringify({ error: reason });
  socket.on('error', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${statusTexts[status]}\r\n` +
      'Connection: close\r\nContent-Type: application/json\r\n' +
      `${status === 429 || status === 503 ? 'Retry-After: 5\r\n' : ''}` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

// A page that this server itself has sent can always connect. No cookie authenticates anyone, so a
// forged host gains nothing.
function isSameOrigin(origin: string, host: string | undefined): boolean {
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}
