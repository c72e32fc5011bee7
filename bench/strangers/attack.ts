import { Agent, request } from 'node:http';
import { WebSocket } from 'ws';

// Strangers without credentials who do what costs a service most, as fast as it lets them, from
// many addresses; a separate process: `attack.ts <port> <addresses>`.

const [port = '', addressCount = ''] = process.argv.slice(2);
const base = `ws://127.0.0.1:${port}`;
const socketsEach = 4;
const againMs = 100;

const junk = `{"id":1,"method":"${'x'.repeat(8_000)}`;
const logon = JSON.stringify({
  id: 1,
  method: 'session.logon',
  params: { apiKey: 'k'.repeat(64), timestamp: 1, signature: 'f'.repeat(64) },
});
const speeds = ['0ms', '100ms', '250ms', '500ms'];
const streams = speeds.flatMap((speed) =>
  ['', '5', '10', '20'].flatMap((levels) =>
    ['btcusdt', 'ethusdt'].map((symbol) => `${symbol}@depth${levels}@${speed}`),
  ),
);
const fillers = Array.from({ length: 900 }, (_, index) => `s${index}@trade`);
const targets = ['/openapi.json', '/asyncapi.json', '/metrics', '/docs', '/fapi/v1/exchangeInfo'];

/** A connection that sends with all its might, and comes again when it is closed. */
function flood(localAddress: string, path: string, begin: (socket: WebSocket) => void): void {
  const socket = new WebSocket(base + path, { localAddress });
  const again = (): void => void setTimeout(() => flood(localAddress, path, begin), againMs);
  socket.on('open', () => begin(socket));
  socket.on('message', () => {});
  socket.on('error', () => {});
  socket.on('close', again);
}

function repeat(socket: WebSocket, everyMs: number, send: () => void): void {
  const timer = setInterval(() => {
    if (socket.bufferedAmount < 1_000_000) send();
  }, everyMs);
  socket.once('close', () => clearInterval(timer));
}

function regroup(socket: WebSocket): void {
  const subscribe = (params: readonly string[]): void =>
    socket.send(JSON.stringify({ id: 1, method: 'SUBSCRIBE', params }));
  subscribe(streams);
  for (let from = 0; from < fillers.length; from += 300) subscribe(fillers.slice(from, from + 300));
  let isCombined = false;
  repeat(socket, 100, () => {
    isCombined = !isCombined;
    const params = ['combined', isCombined];
    socket.send(JSON.stringify({ id: 2, method: 'SET_PROPERTY', params }));
  });
}

function babble(socket: WebSocket): void {
  repeat(socket, 10, () => {
    for (let message = 0; message < 20; message += 1) socket.send(junk);
    for (let message = 0; message < 20; message += 1) socket.send(logon);
  });
}

function ask(localAddress: string, agent: Agent, number: number): void {
  const isOrder = number % 2 === 0;
  const path = isOrder
    ? `/fapi/v1/order?symbol=BTCUSDT&timestamp=${Date.now()}&signature=${'f'.repeat(64)}`
    : (targets[number % targets.length] ?? '/');
  const headers = { 'x-mbx-apikey': 'k'.repeat(64) };
  const method = isOrder ? 'POST' : 'GET';
  const next = (): void => ask(localAddress, agent, number + 1);
  const later = (): void => void setTimeout(next, againMs);
  const sent = request({ port, host: '127.0.0.1', path, method, headers, localAddress, agent });
  sent.on('response', (response) => response.resume().on('end', next).on('error', later));
  sent.on('error', later);
  sent.end();
}

for (let number = 1; number <= Number(addressCount); number += 1) {
  const localAddress = `127.0.2.${number}`;
  const agent = new Agent({ keepAlive: true, maxSockets: socketsEach });
  for (let socket = 0; socket < socketsEach; socket += 1) {
    flood(localAddress, '/ws', regroup);
    flood(localAddress, '/ws-fapi/v1', babble);
    ask(localAddress, agent, socket);
  }
}
process.send?.('begun');
