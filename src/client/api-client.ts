import { setTimeout as pause } from 'node:timers/promises';
import type { HttpConnection, HttpReply, HttpRequest } from './http-connection.ts';
import { Retries, type RetryCause } from './retries.ts';

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

/**
 * Sends the request and retries on 429 and 503 ENGINE_BUSY or ENGINE_RESTARTING. The request is
 * rebuilt for each attempt, since a signature contains a timestamp.
 */
export async function sendWithRetries(
  connection: HttpConnection,
  makeRequest: () => HttpRequest,
): Promise<HttpReply> {
  const retries = new Retries();
  for (;;) {
    const reply = await connection.send(makeRequest());
    const cause = causeOf(reply);
    const waitMs = cause === null ? null : retries.next(cause, retryAfterMs(reply));
    if (waitMs === null) return reply;
    await pause(waitMs);
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

function causeOf(reply: HttpReply): RetryCause | null {
  if (reply.status === 429) return 'limited';
  const code = reply.status === 503 ? codeOf(reply) : null;
  if (code === 'ENGINE_BUSY') return 'busy';
  return code === 'ENGINE_RESTARTING' ? 'restarting' : null;
}

function retryAfterMs(reply: HttpReply): number | null {
  const seconds = Number(reply.headers['retry-after']);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null;
}
