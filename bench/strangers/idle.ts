import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// A server that does nothing but answer, as a separate process: what it takes to answer beside the
// service is what the machine takes from both.

const server = createServer((_request, response) => response.end('{"status":"ok"}'));
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
