import { AwsV4Signer } from 'aws4fetch';
import type { Time } from '../system/time.ts';
import type { SharedSnapshotStore } from './shared-snapshot-store.ts';
import { sha256Of } from './shared-snapshots.ts';

export interface S3Settings {
  /** Where the server is reached, for example https://s3.eu-central-1.amazonaws.com. */
  readonly endpoint: string;
  readonly bucket: string;
  /** The beginning of every object's name; may be empty. */
  readonly prefix: string;
  readonly region: string;
  /** Whether the bucket is in the path; otherwise it is in the host name. */
  readonly isPathStyle: boolean;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The server has refused a request, or has failed to answer it several times. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
}

interface Answer {
  readonly status: number;
  readonly body: Uint8Array;
}

const attemptsMax = 3;
const firstPauseMs = 500;
const attemptTimeoutMs = 120_000;
const notFound = 404;
const worthRepeating: readonly number[] = [408, 429, 500, 502, 503, 504];

/**
 * Snapshots in a bucket of an S3-compatible server. Each request carries the SHA-256 of its body
 * and a signature of version 4. One snapshot at a time is held in memory, whole.
 */
export class S3SnapshotStore implements SharedSnapshotStore {
  readonly #settings: S3Settings;
  readonly #time: Time;

  constructor(settings: S3Settings, time: Time) {
    this.#settings = settings;
    this.#time = time;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    requireDone(`PUT ${name}`, await this.#send('PUT', name, bytes));
  }

  async get(name: string): Promise<Uint8Array | null> {
    const answer = await this.#send('GET', name, new Uint8Array());
    if (isMissing(answer)) return null;
    return requireDone(`GET ${name}`, answer).body;
  }

  async remove(name: string): Promise<void> {
    const answer = await this.#send('DELETE', name, new Uint8Array());
    if (!isMissing(answer)) requireDone(`DELETE ${name}`, answer);
  }

  // Retries after a failure of the server or the network; every request is idempotent.
  async #send(method: string, name: string, body: Uint8Array): Promise<Answer> {
    const sha256 = await sha256Of(body);
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#attempt(method, name, { body, sha256 }).catch((cause: unknown) => {
        if (attempt < attemptsMax) return null;
        throw new S3Error(`the S3 server does not answer ${method} ${name}`, { cause });
      });
      const isFinal = attempt === attemptsMax || !worthRepeating.includes(answer?.status ?? 0);
      if (answer !== null && isFinal) return answer;
      await this.#time.sleep(firstPauseMs * 2 ** (attempt - 1));
    }
  }

  async #attempt(
    method: string,
    name: string,
    { body, sha256 }: { readonly body: Uint8Array; readonly sha256: string },
  ): Promise<Answer> {
    const { region, accessKeyId, secretAccessKey } = this.#settings;
    const { url, headers } = await new AwsV4Signer({
      method,
      url: this.#urlOf(name),
      headers: { 'x-amz-content-sha256': sha256 },
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey,
    }).sign();
    const ending = new AbortController();
    const cancel = this.#time.after(attemptTimeoutMs, () => ending.abort());
    try {
      const reply = await fetch(url, {
        method,
        headers,
        ...(method === 'PUT' ? { body } : {}),
        // A redirect would send a snapshot to a server that is not configured.
        redirect: 'manual',
        signal: ending.signal,
      });
      return { status: reply.status, body: new Uint8Array(await reply.arrayBuffer()) };
    } finally {
      cancel();
    }
  }

  #urlOf(name: string): string {
    const { endpoint, bucket, prefix, isPathStyle } = this.#settings;
    const url = new URL(endpoint);
    const base = url.pathname.replace(/\/$/, '');
    if (!isPathStyle) url.hostname = `${bucket}.${url.hostname}`;
    url.pathname = `${base}/${isPathStyle ? `${bucket}/` : ''}${prefix}${name}`;
    return url.href;
  }
}

// A bucket that does not exist is a wrong setting, not a missing snapshot.
function isMissing(answer: Answer): boolean {
  return answer.status === notFound && codeOf(answer) !== 'NoSuchBucket';
}

/** @throws S3Error with the server's code; never with what it repeats of the request */
function requireDone(request: string, answer: Answer): Answer {
  if (answer.status >= 200 && answer.status < 300) return answer;
  const code = codeOf(answer);
  throw new S3Error(
    `the S3 server answers ${request} with ${answer.status}${code === null ? '' : ` ${code}`}`,
  );
}

function codeOf({ body }: Answer): string | null {
  return (
    /<Code>(\w{1,100})<\/Code>/.exec(Buffer.from(body).toString('utf8', 0, 4_096))?.[1] ?? null
  );
}
