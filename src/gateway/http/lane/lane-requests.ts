import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { LaneOrder, OrderLane } from './order-lane.ts';
import type { PlainRequest } from './plain-request.ts';

// Orders on connections that carry other requests too: read by node:http, then past the framework.

// Bodies of this size arrive with their headers.
const bodyBytesMax = 4_096;

/** Stands before the server's own handler, which gets all requests that are not for the lane. */
export function takeRequests(server: Server, lane: OrderLane): void {
  const [longWay] = server.listeners('request') as RequestListener[];
  if (longWay === undefined) return;
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (!isPlain(request) || !lane.takes(request.url ?? '')) return longWay(request, response);
    const begunAt = performance.now();
    // The body follows the headers in the same piece of the connection, so it is here by then.
    process.nextTick(() => {
      const order = readOrder(lane, request, begunAt);
      if (order === null) longWay(request, response);
      else void answer(lane, order, response);
    });
  });
}

function isPlain({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'POST' &&
    headers.authorization === undefined &&
    headers.origin === undefined &&
    headers['transfer-encoding'] === undefined
  );
}

/** The order where nothing is wrong with it; else the request is left as it came. */
function readOrder(lane: OrderLane, request: IncomingMessage, begunAt: number): LaneOrder | null {
  const { url: target = '', headers, socket } = request;
  const bodyKind = bodyKindOf(headers);
  const length = Number(headers['content-length'] ?? 0);
  const isHere = length <= bodyBytesMax && request.readableLength === length;
  const apiKey = headers['x-mbx-apikey'];
  if (bodyKind === null || !isHere || request.destroyed || typeof apiKey !== 'string') return null;
  const bytes = length === 0 ? null : (request.read() as Buffer);
  const plain: PlainRequest = {
    target,
    apiKey,
    forwardedFor: headers['x-forwarded-for']?.toString(),
    bodyKind,
    body: bytes?.toString('utf8') ?? '',
  };
  const order = lane.read(plain, socket.remoteAddress, begunAt);
  if (order === null && bytes !== null) request.unshift(bytes);
  return order;
}

/** Null: something else than the lane takes. Some clients name a form's type and send none. */
function bodyKindOf(headers: IncomingMessage['headers']): PlainRequest['bodyKind'] | null {
  const length = headers['content-length'];
  const isEmpty = length === undefined || length === '0';
  switch (headers['content-type']) {
    case 'application/json':
      return isEmpty ? null : 'json';
    case 'application/x-www-form-urlencoded':
      return isEmpty ? 'none' : 'form';
    case undefined:
      return isEmpty ? 'none' : null;
    default:
      return null;
  }
}

async function answer(lane: OrderLane, order: LaneOrder, response: ServerResponse): Promise<void> {
  const { status, headers, body } = await lane.answer(order);
  response.writeHead(status, [...headers]);
  response.end(body);
  if (lane.isClosing) response.once('finish', () => response.req.socket.destroySoon());
  lane.observe(order, status);
}
