import type { Endpoints } from './endpoints.ts';
import { ConnectionError, readError } from './errors.ts';
import { hmacSha256 } from './signature.ts';

/** An endpoint by method and path, as the reference at /docs names it. */
export type EndpointName = keyof Endpoints;

type Given<Name extends EndpointName, Part extends 'params' | 'query' | 'body'> =
  Record<never, never> extends Endpoints[Name][Part]
    ? { readonly [K in Part]?: Endpoints[Name][Part] }
    : undefined extends Endpoints[Name][Part]
      ? unknown
      : { readonly [K in Part]: Endpoints[Name][Part] };

/** The input of an endpoint: path parameters, query and body. */
export type Input<Name extends EndpointName> = Given<Name, 'params'> &
  Given<Name, 'query'> &
  Given<Name, 'body'> & { readonly signal?: AbortSignal };

/** The answer of an endpoint; for the envelope, the contents of `data`. */
export type Answer<Name extends EndpointName> = Endpoints[Name]['answer'];

export interface ApiKey {
  readonly apiKey: string;
  readonly apiSecret: string;
}

export interface ClientOptions {
  /** For example https://exchange.example; in a browser '' is the page's own origin. */
  readonly url: string;
  /** Returns the sign-in token; called for each request. */
  readonly token?: () => string | null;
  /** Signs the calls that have no token. */
  readonly apiKey?: ApiKey;
  /** The administrator's key, for paths below /api/v1/admin. */
  readonly adminKey?: () => string | null;
  /** A token of POST /api/v1/admin/session, for the same paths; the key comes first. */
  readonly adminToken?: () => string | null;
  readonly fetch?: typeof fetch;
  /** The server's time in milliseconds since 1970. */
  readonly now?: () => number;
}

interface AnyInput {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** Calls the service; one instance per set of credentials. */
export class HttpClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /**
   * Calls an endpoint.
   *
   * @throws ApiError if the service refuses, ConnectionError if no answer arrived.
   */
  async call<Name extends EndpointName>(
    name: Name,
    ...[input]: Record<never, never> extends Input<Name> ? [Input<Name>?] : [Input<Name>]
  ): Promise<Answer<Name>> {
    const reply = await this.send(name, input ?? {});
    const value: unknown = await reply.json();
    return (isEnvelope(value) ? value.data : value) as Answer<Name>;
  }

  /** Returns the whole response of a success, for answers of other types than JSON. */
  async send(
    name: string,
    input: AnyInput = {},
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const [method = '', path = ''] = name.split(' ');
    const body = input.body === undefined ? undefined : JSON.stringify(input.body);
    const credentials = this.#credentials(path);
    let target = fillPath(path, input.params ?? {});
    let query = queryText(input.query ?? {});
    if (credentials['x-mbx-apikey'] !== undefined) query = await this.#sign(query, body ?? '');
    if (query !== '') target += `?${query}`;
    const reply = await this.#fetch(this.#options.url + target, {
      method,
      headers: {
        ...credentials,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
      ...(input.signal === undefined ? {} : { signal: input.signal }),
    });
    if (!reply.ok) throw await readError(reply);
    return reply;
  }

  #credentials(path: string): Record<string, string> {
    const { token, adminKey, adminToken, apiKey } = this.#options;
    if (path.startsWith('/api/v1/admin/')) {
      const key = adminKey?.() ?? null;
      if (key !== null) return { 'x-api-key': key };
      const opened = adminToken?.() ?? null;
      return opened === null ? {} : { authorization: `Bearer ${opened}` };
    }
    const held = token?.() ?? null;
    if (held !== null && !path.startsWith('/fapi/')) return { authorization: `Bearer ${held}` };
    return apiKey === undefined ? {} : { 'x-mbx-apikey': apiKey.apiKey };
  }

  async #sign(query: string, body: string): Promise<string> {
    const { apiKey, now = Date.now } = this.#options;
    const timestamp = `timestamp=${now()}`;
    const parameters = query === '' ? timestamp : `${query}&${timestamp}`;
    const signature = await hmacSha256(apiKey?.apiSecret ?? '', parameters + body);
    return `${parameters}&signature=${signature}`;
  }

  async #fetch(url: string, request: RequestInit): Promise<Response> {
    const send = this.#options.fetch ?? fetch;
    try {
      return await send(url, request);
    } catch (cause) {
      if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
      throw new ConnectionError('the service did not answer', { cause });
    }
  }
}

function fillPath(path: string, params: Readonly<Record<string, string | number>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

function queryText(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const texts = given.map(([name, value]): [string, string] => [name, String(value)]);
  return new URLSearchParams(texts).toString();
}

function isEnvelope(value: unknown): value is { readonly data: unknown } {
  return typeof value === 'object' && value !== null && 'success' in value && 'data' in value;
}
