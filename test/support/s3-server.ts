import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignatureV4 } from '@smithy/signature-v4';

// A strict S3 server in memory: what it accepts is signed as AWS's own implementation signs it, and
// the signature covers the body.

export const s3Keys = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
export const s3Region = 'eu-central-1';
export const s3Bucket = 'exchange-snapshots';

export interface S3Request {
  readonly method: string;
  readonly host: string;
  /** As sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

type Source = string | ArrayBuffer | ArrayBufferView;

class NodeSha256 {
  #hash: Hash | Hmac;

  constructor(secret?: Source) {
    this.#hash =
      secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(data: Source): void {
    this.#hash.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    this.#hash = createHash('sha256');
  }
}

function bytesOf(source: Source): Uint8Array {
  if (typeof source === 'string') return Buffer.from(source);
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
}

const skewMaxMs = 15 * 60_000;

/** The authorization that AWS's implementation computes for the request; it signs these headers. */
export async function authorizationOf(
  { method, host, path, headers }: S3Request,
  signed: readonly string[],
  region: string,
): Promise<string> {
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials: s3Keys,
    sha256: NodeSha256,
    uriEscapePath: false,
    applyChecksum: false,
  });
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(headers['x-amz-date'] ?? '') ?? [];
  const signingDate = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  const chosen = Object.entries({ ...headers, host }).filter(([name]) => signed.includes(name));
  const request = { method, protocol: 'http:', hostname: host, path, query: {} };
  const { headers: result } = await signer.sign(
    { ...request, headers: Object.fromEntries(chosen) },
    { signingDate, signableHeaders: new Set(signed) },
  );
  return result['authorization'] ?? '';
}

/** Why the server refuses the request; null if it does not. */
export async function refusalOf(request: S3Request, nowMs: number): Promise<string | null> {
  const { headers, body } = request;
  const given = headers['authorization'];
  if (given === undefined) return 'AccessDenied';
  const signed = /SignedHeaders=([^,]+)/.exec(given)?.[1]?.split(';') ?? [];
  const isWhole = ['host', 'x-amz-content-sha256', 'x-amz-date'].every((each) =>
    signed.includes(each),
  );
  if (!isWhole) return 'AccessDenied';
  const sha256 = createHash('sha256').update(body).digest('hex');
  if (headers['x-amz-content-sha256'] !== sha256) return 'XAmzContentSHA256Mismatch';
  const date = headers['x-amz-date']!.replace(/^(....)(..)(..T..)(..)/, '$1-$2-$3:$4:');
  if (Math.abs(Date.parse(date) - nowMs) > skewMaxMs) return 'RequestTimeTooSkewed';
  const expected = await authorizationOf(request, signed, s3Region);
  return given === expected ? null : 'SignatureDoesNotMatch';
}

/** What the server does with the next request instead of serving it. */
export type S3Fault = 'refuse' | 'hang up' | 'cut short' | 'redirect';

export class S3Server {
  /** By bucket and name. */
  readonly objects = new Map<string, Uint8Array>();
  readonly requests: S3Request[] = [];
  readonly faults: S3Fault[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(): Promise<S3Server> {
    const server = new S3Server();
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    this.requests.push(request);
    const fault = this.faults.shift();
    if (fault === 'hang up') return void incoming.socket.destroy();
    if (fault === 'refuse') return answerError(response, 503, 'SlowDown');
    if (fault === 'redirect') {
      response.writeHead(307, { location: 'http://127.0.0.1:9/elsewhere' }).end();
      return;
    }
    const refusal = await refusalOf(request, Date.now());
    if (refusal !== null) return answerError(response, 403, refusal);
    this.#answer(request, response, fault === 'cut short');
  }

  #answer({ method, path, body }: S3Request, response: ServerResponse, isCut: boolean): void {
    if (path.split('/')[1] !== s3Bucket) return answerError(response, 404, 'NoSuchBucket');
    if (method === 'PUT') {
      this.objects.set(path, body);
      response.writeHead(200).end();
    } else if (method === 'DELETE') {
      this.objects.delete(path);
      response.writeHead(204).end();
    } else {
      const found = this.objects.get(path);
      if (found === undefined) return answerError(response, 404, 'NoSuchKey');
      response.writeHead(200, { 'content-length': found.length });
      if (!isCut) return void response.end(found);
      response.write(found.subarray(0, found.length >> 1), () => response.destroy());
    }
  }
}

async function readRequest(incoming: IncomingMessage): Promise<S3Request> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  const { host = '', ...headers } = incoming.headers as Record<string, string>;
  return {
    method: incoming.method ?? '',
    host,
    path: incoming.url ?? '',
    headers,
    body: Buffer.concat(pieces),
  };
}

// Servers repeat what was sent, which must not be logged.
function answerError(response: ServerResponse, status: number, code: string): void {
  const { accessKeyId } = s3Keys;
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<Error><Code>${code}</Code><AWSAccessKeyId>${accessKeyId}</AWSAccessKeyId></Error>`);
}
