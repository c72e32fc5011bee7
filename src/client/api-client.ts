import { setTimeout as pause } from 'node:timers/promises';
import type { HttpConnection, HttpReply, HttpRequest } from './http-connection.ts';

/** A response other than 200, after all retries. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The service's error code, or the status if there is none. */
  readonly code: string;

  constructor(request: HttpRequest, reply: HttpReply) {
    const code = codeOf(reply);
    super(`${request.method} ${request.target.split('?')[0]} answered ${reply.status} ${code}`);
    this.status = reply.status;
    this.code = code;
  }
}

// The delays that the interface recommends for a busy engine, then some for a longer recovery.
const busyWaitsMs = [200, 400, 800, 1600, 3200, 5000];
const restartWaitMs = 2000;
const limitedWaitMs = 1000;
const limitedTriesMax = 120;

/**
 * Sends the request and retries on 429 and 503 ENGINE_BUSY or ENGINE_RESTARTING. The request is
 * rebuilt for each attempt, since a signature contains a timestamp.
 */
export async function sendWithRetries(
  connection: HttpConnection,
  makeRequest: () => HttpRequest,
): Promise<HttpReply> {
  let busyCount = 0;
  for (let limitedCount = 0; ; ) {
    const reply = await connection.send(makeRequest());
    const busyWaitMs = reply.status === 503 ? busyWait(codeOf(reply), busyCount) : null;
    if (reply.status === 429 && limitedCount < limitedTriesMax) {
      limitedCount += 1;
      await pause(retryAfterMs(reply));
    } else if (busyWaitMs !== null) {
      busyCount += 1;
      await pause(busyWaitMs);
    } else {
      return reply;
    }
  }
}

/** The body of a 200 response. @throws ApiError for any other status. */
export async function requestJson(
  connection: HttpConnection,
  makeRequest: () => HttpRequest,
): Promise<unknown> {
  const reply = await sendWithRetries(connection, makeRequest);
  if (reply.status !== 200) throw new ApiError(makeRequest(), reply);
  return JSON.parse(reply.text);
}

/** The error code of a response, in any of the service's body formats. */
export function codeOf(reply: HttpReply): string {
  if (!reply.text.startsWith('{')) return `HTTP_${reply.status}`;
  const body: unknown = JSON.parse(reply.text);
  const error = fieldOf(body, 'error');
  const code = typeof error === 'string' ? error : fieldOf(error, 'code');
  return typeof code === 'string' ? code : `HTTP_${reply.status}`;
}

/** A field of a JSON object; undefined if the value is not an object or has no such field. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** A text field of a JSON object. @throws TypeError if it is absent or not a text. */
export function textOf(value: unknown, name: string): string {
  const text = fieldOf(value, name);
  if (typeof text !== 'string') throw new TypeError(`the response has no text "${name}"`);
  return text;
}

/** An array field of a JSON object. @throws TypeError if it is absent or not an array. */
export function listOf(value: unknown, name: string): readonly unknown[] {
  const list = fieldOf(value, name);
  if (!Array.isArray(list)) throw new TypeError(`the response has no list "${name}"`);
  return list;
}

function busyWait(code: string, busyCount: number): number | null {
  if (code === 'ENGINE_BUSY') return busyWaitsMs[busyCount] ?? null;
  if (code === 'ENGINE_RESTARTING' && busyCount < busyWaitsMs.length) return restartWaitMs;
  return null;
}

function retryAfterMs(reply: HttpReply): number {
  const seconds = Number(reply.headers['retry-after']);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : limitedWaitMs;
}
