import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// The least that a server can do with a signed order: node:http, read the body, verify the HMAC,
// answer. No parsing, no validation, no order.

const secrets = new Map<string, string>(
  JSON.parse(process.env['BENCH_KEYS'] ?? '[]') as [string, string][],
);
const answer = JSON.stringify({ ok: true });

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const query = (request.url ?? '').split('?')[1] ?? '';
    const [signed = '', signature = ''] = query.split('&signature=');
    const secret = secrets.get(String(request.headers['x-mbx-apikey'])) ?? '';
    const digest = createHmac('sha256', secret)
      .update(signed)
      .update(Buffer.concat(chunks))
      .digest();
    const given = Buffer.from(signature, 'hex');
    const isValid = given.length === digest.length && timingSafeEqual(given, digest);
    response.writeHead(isValid ? 200 : 401, {
      'content-type': 'application/json',
      'content-length': answer.length,
    });
    response.end(answer);
  });
});

server.listen(0, '127.0.0.1', () => {
  console.log(`listening ${(server.address() as AddressInfo).port}`);
});
process.once('SIGTERM', () => process.exit(0));
