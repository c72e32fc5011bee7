import { AwsV4Signer } from 'aws4fetch';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import {
  authorizationOf,
  refusalOf,
  S3Server,
  s3Bucket,
  s3Keys,
  s3Region,
} from '../../test/support/s3-server.ts';
import { systemTime } from '../system/system-time.ts';
import { S3Error, type S3Settings, S3SnapshotStore } from './s3-snapshot-store.ts';

const name = '0123456789abcdef-0000000001000000.snapshot';
/** Waits for nothing between attempts. */
const time = { ...systemTime, sleep: async () => undefined };

function bytesOf(length: number, seed: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index * 31 + seed) & 255);
}

// The examples of "Signature Calculations for the Authorization Header" in the documentation of S3.
const published = [
  {
    title: 'GET Object',
    method: 'GET',
    path: '/test.txt',
    headers: {
      range: 'bytes=0-9',
      'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    },
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    title: 'PUT Object',
    method: 'PUT',
    path: '/test%24file.text',
    headers: {
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    },
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
];

const publishedHost = 'examplebucket.s3.amazonaws.com';

test.each(published)('the library signs the published example $title', async (example) => {
  const { method, path, headers, signature } = example;
  const signer = new AwsV4Signer({
    method,
    url: `https://${publishedHost}${path}`,
    headers,
    service: 's3',
    region: 'us-east-1',
    datetime: '20130524T000000Z',
    allHeaders: true,
    ...s3Keys,
  });
  expect(await signer.signature()).toBe(signature);
});

// The other example signs a header Date, which that implementation never does.
test('the strict server expects the signature of the published example GET Object', async () => {
  const { method, path, headers, signature } = published[0]!;
  const all = { ...headers, 'x-amz-date': '20130524T000000Z' };
  const request = { method, host: publishedHost, path, headers: all, body: new Uint8Array() };
  const signed = [...Object.keys(all), 'host'].sort();
  expect(await authorizationOf(request, signed, 'us-east-1')).toContain(signature);
});

describe('an S3 bucket as the snapshot store', () => {
  let server: S3Server;
  let settings: S3Settings;

  beforeEach(async () => {
    server = await S3Server.start();
    settings = {
      endpoint: server.endpoint,
      bucket: s3Bucket,
      prefix: 'exchange/',
      region: s3Region,
      isPathStyle: true,
      ...s3Keys,
    };
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await server.close();
  });

  it('keeps what is put there under its name', async () => {
    const store = new S3SnapshotStore(settings, time);
    expect(await store.get(name)).toBeNull();
    await store.remove(name);
    for (const bytes of [bytesOf(1_000_000, 1), bytesOf(300, 2), bytesOf(0, 3)]) {
      await store.put(name, bytes);
      expect(Buffer.compare((await store.get(name))!, bytes)).toBe(0);
    }
    expect([...server.objects.keys()]).toEqual([`/${s3Bucket}/exchange/${name}`]);
    await store.remove(name);
    expect(await store.get(name)).toBeNull();
  });

  it('is addressed by its host name without path style', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(null));
    const endpoint = 'https://s3.eu-central-1.amazonaws.com';
    const body = bytesOf(10, 1);
    await new S3SnapshotStore({ ...settings, endpoint, isPathStyle: false }, time).put(name, body);
    const [url, init] = fetched.mock.calls[0]!;
    const { host, pathname: path } = url as URL;
    expect(host).toBe(`${s3Bucket}.s3.eu-central-1.amazonaws.com`);
    expect(path).toBe(`/exchange/${name}`);
    const headers = Object.fromEntries(init!.headers as Headers);
    expect(await refusalOf({ method: 'PUT', host, path, headers, body }, Date.now())).toBeNull();
  });

  it.each(['refuse', 'hang up', 'cut short'] as const)(
    'tries again if the answer is incomplete: %s',
    async (fault) => {
      const store = new S3SnapshotStore(settings, time);
      await store.put(name, bytesOf(100_000, 1));
      server.faults.push(fault, fault);
      expect(Buffer.compare((await store.get(name))!, bytesOf(100_000, 1))).toBe(0);
      expect(server.requests).toHaveLength(4);
    },
  );

  it.each([
    ['refuse', `the S3 server answers GET ${name} with 503 SlowDown`],
    ['hang up', `the S3 server does not answer GET ${name}`],
  ] as const)('ends after three attempts: %s', async (fault, message) => {
    server.faults.push(fault, fault, fault, fault);
    await expect(new S3SnapshotStore(settings, time).get(name)).rejects.toThrow(
      new S3Error(message),
    );
    expect(server.requests).toHaveLength(3);
  });

  it('ends an attempt that gets no answer in 2 minutes', async () => {
    const delays: number[] = [];
    const after = (delayMs: number, callback: () => void): (() => void) => {
      delays.push(delayMs);
      setImmediate(callback);
      return () => undefined;
    };
    vi.spyOn(globalThis, 'fetch').mockImplementation(
      (_url, init) =>
        new Promise((_resolve, reject) => {
          init!.signal!.addEventListener('abort', () => reject(new Error('aborted')));
        }),
    );
    const store = new S3SnapshotStore(settings, { ...time, after });
    await expect(store.get(name)).rejects.toThrow(`the S3 server does not answer GET ${name}`);
    expect(delays).toEqual([120_000, 120_000, 120_000]);
  });

  it('follows no redirect', async () => {
    server.faults.push('redirect');
    const putting = new S3SnapshotStore(settings, time).put(name, bytesOf(10, 1));
    await expect(putting).rejects.toThrow(`the S3 server answers PUT ${name} with 307`);
  });

  it.each([
    [{ secretAccessKey: 'another' }, '403 SignatureDoesNotMatch'],
    [{ region: 'us-east-1' }, '403 SignatureDoesNotMatch'],
    [{ bucket: 'no-such-bucket' }, '404 NoSuchBucket'],
  ])('reports the refusal of the server with %j, and no key', async (wrong, answer) => {
    const store = new S3SnapshotStore({ ...settings, ...wrong }, time);
    const refusal: unknown = await store.get(name).catch((error: unknown) => error);
    expect(String(refusal)).toBe(`S3Error: the S3 server answers GET ${name} with ${answer}`);
    const lines: string[] = [];
    const logger = pino({}, { write: (line: string) => void lines.push(line) });
    logger.error({ err: refusal, store }, 'failed');
    expect(lines.join()).not.toContain(s3Keys.accessKeyId);
    expect(lines.join()).not.toContain(settings.secretAccessKey);
    expect(server.requests).toHaveLength(1);
  });
});

describe('the strict server', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const headers = { 'x-amz-date': '20260101T000000Z', 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
  const request = { method: 'PUT', host: 'a', path: '/b/c', headers, body: bytesOf(10, 1) };

  it('refuses a request without a signature, and one that does not sign its body', async () => {
    expect(await refusalOf(request, now)).toBe('AccessDenied');
    const signed = ['host', 'x-amz-content-sha256', 'x-amz-date'];
    const authorization = await authorizationOf(request, signed, s3Region);
    const sent = { ...request, headers: { ...headers, authorization } };
    expect(await refusalOf(sent, now)).toBe('XAmzContentSHA256Mismatch');
  });
});
