import { createHmac } from 'node:crypto';
import type { HttpRequest } from './http-connection.ts';
import type { ApiKeyPair } from './sign-in.ts';

export interface UnsignedRequest {
  readonly method: HttpRequest['method'];
  readonly path: string;
  /** Query parameters without timestamp and signature. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** The request with its timestamp and the HMAC over query string and body, as they are sent. */
export function signRequest(
  { apiKey, apiSecret }: ApiKeyPair,
  { method, path, query, body }: UnsignedRequest,
  timestampMs: number,
): HttpRequest {
  const parameters = new URLSearchParams({ ...query, timestamp: String(timestampMs) }).toString();
  const text = body === undefined ? '' : JSON.stringify(body);
  const signature = createHmac('sha256', apiSecret).update(parameters).update(text).digest('hex');
  return {
    method,
    target: `${path}?${parameters}&signature=${signature}`,
    headers: { 'x-mbx-apikey': apiKey },
    ...(body === undefined ? {} : { body: text }),
  };
}
