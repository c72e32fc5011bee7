import { createServer, type IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PlainRequest, PlainRequestReader } from './plain-request.ts';

const key = 'k'.repeat(64);
const body = '{"symbol":"BTCUSDT"}';
const target = '/api/v1/spot/orders?timestamp=1767571200000&signature=ab';

function requestText(headers: readonly string[], first = `POST ${target} HTTP/1.1`, text = body) {
  return [first, ...headers, '', text].join('\r\n');
}

const plainHeaders = [
  'Host: 127.0.0.1',
  `X-MBX-APIKEY: ${key}`,
  'Content-Type: application/json',
  `Content-Length: ${body.length}`,
];

function read(text: string): PlainRequest | null {
  return new PlainRequestReader().read(Buffer.from(text, 'latin1'));
}

test('plain request: target, key and body are read', () => {
  expect(read(requestText(plainHeaders))).toEqual({
    target,
    apiKey: key,
    forwardedFor: undefined,
    bodyKind: 'json',
    body,
  });
  const more = [
    'user-agent: bot',
    'Accept: */*',
    'Connection: Keep-Alive',
    'X-Forwarded-For: 9.9.9.9',
  ];
  expect(read(requestText([...plainHeaders, ...more]))?.forwardedFor).toBe('9.9.9.9');
});

test('plain request: parameters are all in a form, or all in the query', () => {
  const form = 'application/x-www-form-urlencoded';
  const head = plainHeaders.slice(0, 2);
  const sent = [...head, `Content-Type: ${form}`, 'Content-Length: 3'];
  expect(read(requestText(sent, undefined, 'a=b'))).toMatchObject({
    bodyKind: 'form',
    body: 'a=b',
  });
  const none = { bodyKind: 'none', body: '' };
  expect(read(requestText(head, undefined, ''))).toMatchObject(none);
  expect(read(requestText([...head, 'Content-Length: 0'], undefined, ''))).toMatchObject(none);
  const named = [...head, `Content-Type: ${form}`, 'Content-Length: 0'];
  expect(read(requestText(named, undefined, ''))).toMatchObject(none);
});

test('plain request: one reader reads requests whose headers change', () => {
  const reader = new PlainRequestReader();
  for (const text of ['{"a":1}', '{"a":22}', '{"a":22}', '{"b":"é"}']) {
    const bytes = Buffer.from(text);
    const head = requestText(
      [...plainHeaders.slice(0, 3), `content-length: ${bytes.length}`],
      undefined,
      '',
    );
    expect(reader.read(Buffer.concat([Buffer.from(head), bytes]))?.body).toBe(text);
  }
});

describe('plain request: everything else is left to the general parser', () => {
  const without = (name: string) => plainHeaders.filter((line) => !line.startsWith(name));
  test.each([
    ['another method', requestText(plainHeaders, `PUT ${target} HTTP/1.1`)],
    ['another version', requestText(plainHeaders, `POST ${target} HTTP/1.0`)],
    ['two blanks', requestText(plainHeaders, `POST  ${target} HTTP/1.1`)],
    ['a whole address', requestText(plainHeaders, `POST http://x${target} HTTP/1.1`)],
    ['a fragment', requestText(plainHeaders, `POST ${target}#a HTTP/1.1`)],
    ['bytes above ASCII in the target', requestText(plainHeaders, 'POST /\xe9 HTTP/1.1')],
    ['no host', requestText(without('Host'))],
    ['no key', requestText(without('X-MBX'))],
    ['no length', requestText(without('Content-Length'))],
    ['no type', requestText(without('Content-Type'))],
    ['two lengths', requestText([...plainHeaders, `content-length: ${body.length}`])],
    ['a length and chunks', requestText([...plainHeaders, 'Transfer-Encoding: chunked'])],
    ['a token', requestText([...plainHeaders, 'Authorization: Bearer a'])],
    ['an origin', requestText([...plainHeaders, 'Origin: https://x'])],
    ['an upgrade', requestText([...plainHeaders, 'Upgrade: h2c'])],
    ['a connection that closes', requestText([...plainHeaders, 'Connection: close'])],
    ['an expectation', requestText([...plainHeaders, 'Expect: 100-continue'])],
    ['an unknown header', requestText([...plainHeaders, 'X-Other: 1'])],
    ['a blank before the colon', requestText([...plainHeaders, 'Accept : a'])],
    ['a folded line', requestText([...plainHeaders, 'Accept: a', ' b'])],
    ['a bare line feed', requestText([...plainHeaders, 'Accept: a\nOrigin: b'])],
    ['a bare carriage return', requestText([...plainHeaders, 'Accept: a\rb'])],
    ['a text', requestText([...without('Content-Type'), 'Content-Type: text/plain'])],
    [
      'a signed length',
      requestText([...without('Content-Length'), `Content-Length: +${body.length}`]),
    ],
    ['a short body', requestText(plainHeaders).slice(0, -1)],
    ['a second request behind it', requestText(plainHeaders).repeat(2)],
    ['a head without end', requestText(plainHeaders).slice(0, 60)],
  ])('%s', (_name, text) => {
    expect(read(text)).toBeNull();
  });
});

/** What node:http makes of the bytes of one connection. */
async function readByNode(bytes: Buffer): Promise<{ request: IncomingMessage; body: string }[]> {
  const heard: { request: IncomingMessage; body: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      heard.push({ request, body: Buffer.concat(chunks).toString() });
      response.end();
    });
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  const connection = new Duplex({
    read: () => undefined,
    write: (_chunk, _encoding, done) => done(),
  });
  server.emit('connection', connection);
  const closed = new Promise((resolve) => connection.once('close', resolve));
  connection.push(bytes);
  connection.push(null);
  await closed;
  return heard;
}

test('plain request: node:http reads the same single request from what it accepts', async () => {
  const pieces = [
    '\r\n',
    '\n',
    '\r',
    ' ',
    '\t',
    ':',
    'Content-Length: 3',
    'Accept: a',
    '\r\n\r\n',
    '0',
    'chunked',
    '\0',
    '\x7f',
    '\xff',
    '%',
    '?',
  ];
  const edit = fc.record({
    at: fc.nat(400),
    drop: fc.nat(3),
    add: fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 2 })),
  });
  const more = ['Accept: */*', 'Connection: keep-alive'];
  const formHeaders = [
    ...plainHeaders.slice(0, 2),
    'Content-Type: application/x-www-form-urlencoded',
  ];
  const kinds = fc.constantFrom(
    requestText([...plainHeaders, ...more]),
    requestText([...formHeaders, 'Content-Length: 7', ...more], undefined, 'a=b&c=d'),
    requestText([...formHeaders, 'Content-Length: 0', ...more], undefined, ''),
    requestText([...plainHeaders.slice(0, 2), ...more], undefined, ''),
  );
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(kinds, fc.array(edit, { maxLength: 2 }), async (kind, edits) => {
      let text = kind;
      for (const { at, drop, add } of edits) text = text.slice(0, at) + add + text.slice(at + drop);
      const bytes = Buffer.from(text, 'latin1');
      const plain = new PlainRequestReader().read(bytes);
      if (plain === null) return;
      taken += 1;
      const [only, ...others] = await readByNode(bytes);
      expect(others).toEqual([]);
      const { url, headers } = only!.request;
      expect([url, headers['x-mbx-apikey'], only!.body]).toEqual([
        plain.target,
        plain.apiKey,
        plain.body,
      ]);
    }),
    { numRuns: 2_000 },
  );
  expect(taken).toBeGreaterThan(100);
});
