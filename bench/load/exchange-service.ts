import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { requestJson } from '../../src/client/api-client.ts';
import { HttpConnection } from '../../src/client/http-connection.ts';
import { ChildServer } from './child-server.ts';

const adminKey = 'the-administrator-of-the-order-benchmark';
const readyPollMs = 100;

const compiler = fileURLToPath(new URL('../../tools/compile.mjs', import.meta.url));
let compiling: Promise<unknown> | null = null;

/** The whole service as a separate process, compiled as `npm start` runs it, on an empty folder. */
export async function startExchange(
  dataDir: string,
  nodeOptions: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<ChildServer> {
  compiling ??= promisify(execFile)(process.execPath, [compiler]);
  await compiling;
  return ChildServer.start(
    new URL('../../dist/main.js', import.meta.url),
    {
      DATA_DIR: dataDir,
      PORT: '0',
      HOST: '127.0.0.1',
      // A sign-in message must name a port, which is only known once the service listens.
      PUBLIC_URL: 'http://127.0.0.1',
      ADMIN_API_KEY: adminKey,
      TESTNET_ONLY: 'true',
      NODE_ENV: 'development',
      ...settings,
    },
    /listens on http:\/\/127\.0\.0\.1:(\d+)/,
    nodeOptions,
  );
}

/** A connection to the service, once it takes orders. */
export async function connectWhenReady({ port }: ChildServer): Promise<HttpConnection> {
  const connection = new HttpConnection(`http://127.0.0.1:${port}`, 1);
  while ((await connection.send({ method: 'GET', target: '/readyz' })).status !== 200) {
    await pause(readyPollMs);
  }
  return connection;
}

/** POSTs as the administrator. */
export function administer(
  connection: HttpConnection,
  target: string,
  body: object,
): Promise<unknown> {
  const headers = { 'x-api-key': adminKey };
  return requestJson(connection, () => ({
    method: 'POST',
    target,
    headers,
    body: JSON.stringify(body),
  }));
}
