import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { namesTwoHosts } from '../host-header.ts';
import { headerPairs, type LaneAnswer } from './lane-answer.ts';
import type { AnswerSink, LaneOrder, OrderLane } from './order-lane.ts';
import { bodyKindOf, type PlainRequest } from './plain-request.ts';

// Orders on connections that also carry other requests: parsed by node:http, then handled without
// the framework.

// Bodies up to this size arrive together with their headers.
const bodyBytesMax = 4_096;

/** Runs before the server's own handler, which gets all requests that are not for the lane. */
export function takeRequests(server: Server, lane: OrderLane): void {
  const [longWay] = server.listeners('request') as RequestListener[];
  if (longWay === undefined) return;
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (!isPlain(request) || !lane.takes(request.url ?? '')) return longWay(request, response);
    const begunAt = performance.now();
    // The body follows the headers in the same chunk, so it has arrived by then.
    process.nextTick(() => {
      const order = readOrder(lane, request, begunAt);
      if (order === null) longWay(request, response);
      else lane.answer(order, new ResponseSink(lane, response));
    });
  });
}

const lengthPattern = /^(0|[1-9][0-9]*)$/;

function isPlain({ method, headers, rawHeaders }: IncomingMessage): boolean {
  return (
    method === 'POST' &&
    headers.authorization === undefined &&
    headers.origin === undefined &&
    headers['transfer-encoding'] === undefined &&
    lengthPattern.test(headers['content-length'] ?? '0') &&
    !namesTwoHosts(rawHeaders)
  );
}

/** The order if it passes every check; otherwise the request is left untouched. */
function readOrder(lane: OrderLane, request: IncomingMessage, begunAt: number): LaneOrder | null {
  const { url: target = '', headers, socket } = request;
  const length = Number(headers['content-length'] ?? 0);
  const bodyKind = bodyKindOf(headers['content-type'], length === 0);
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

class ResponseSink implements AnswerSink {
  readonly #lane: OrderLane;
  readonly #response: ServerResponse;

  constructor(lane: OrderLane, response: ServerResponse) {
    this.#lane = lane;
    this.#response = response;
  }

  send(answer: LaneAnswer): void {
    const response = this.#response;
    response.writeHead(answer.status, headerPairs(answer));
    response.end(answer.body);
    if (this.#lane.isClosing) response.once('finish', () => response.req.socket.destroySoon());
  }
}
