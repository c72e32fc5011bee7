import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Stream } from './stream.ts';

// A socket that the test drives in place of a service.
class ScriptedSocket {
  readonly sent: unknown[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {}

  receive(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  get subscribed(): readonly unknown[] {
    return this.sent.filter((message) => (message as { type: string }).type === 'subscribe');
  }
}

let socket: ScriptedSocket;
let connections = 0;
let stream: Stream;

beforeEach(() => {
  vi.useFakeTimers();
  socket = new ScriptedSocket();
  connections = 0;
  stream = new Stream({
    url: 'ws://127.0.0.1/ws',
    token: () => 'token',
    createSocket: () => {
      connections += 1;
      return socket as unknown as WebSocket;
    },
  });
  stream.open();
  socket.onopen?.();
  socket.receive({ type: 'authenticated' });
});
afterEach(() => {
  stream.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('stream: a topic refused while the engine restarts is requested again until its snapshot arrives', () => {
  const seen: unknown[] = [];
  stream.subscribe({ channel: 'orders' }, { onMessage: ({ type }) => seen.push(type) });
  stream.subscribe({ channel: 'balances' }, { onMessage: () => undefined });
  socket.receive({ type: 'snapshot', channel: 'balances', seq: 1, ts: 1, data: [] });
  socket.sent.length = 0;

  for (let attempt = 1; attempt <= 2; attempt += 1) {
    socket.receive({ type: 'error', code: 'ENGINE_RESTARTING', channel: 'orders' });
    vi.advanceTimersByTime(1_000);
    expect(socket.subscribed).toHaveLength(attempt);
  }
  expect(socket.subscribed).toEqual([
    { type: 'subscribe', channel: 'orders' },
    { type: 'subscribe', channel: 'orders' },
  ]);
  socket.receive({ type: 'snapshot', channel: 'orders', seq: 5, ts: 1, data: [] });
  socket.receive({ type: 'update', channel: 'orders', seq: 6, ts: 2, data: [] });
  vi.advanceTimersByTime(5_000);
  expect(seen).toEqual(['snapshot', 'update']);
  expect(socket.subscribed).toHaveLength(2);
});

const pings = () => socket.sent.filter((message) => (message as { type: string }).type === 'ping');

test('stream: it pings every 10 s, and a connection that is silent for 20 s is replaced', () => {
  expect(pings()).toHaveLength(1);
  vi.advanceTimersByTime(10_000);
  expect(pings()).toHaveLength(2);
  socket.receive({ type: 'pong', ts: 1 });
  vi.advanceTimersByTime(19_999);
  expect([connections, pings().length]).toEqual([1, 3]);
  vi.advanceTimersByTime(1);
  expect(connections).toBe(2);
});

test('stream: a connection that does not open within 20 s is replaced', () => {
  vi.advanceTimersByTime(20_000);
  expect(connections).toBe(2);
  // Nobody opens the second one.
  vi.advanceTimersByTime(20_000);
  expect(connections).toBe(3);
});

test('stream: it waits up to twice as long after each loss, 15 s at most, and starts over after 5 s alive', () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const waits: number[] = [];
  const lose = () => {
    const before = connections;
    socket.onclose?.();
    let waited = 0;
    for (; connections === before; waited += 500) vi.advanceTimersByTime(500);
    waits.push(waited);
  };
  for (let loss = 0; loss < 7; loss += 1) lose();
  socket.onopen?.();
  vi.advanceTimersByTime(4_999);
  lose();
  socket.onopen?.();
  vi.advanceTimersByTime(5_001);
  lose();
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000, 500]);
});

test('stream: it connects at once when it learns that the network is back', () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  socket.onclose?.();
  expect(connections).toBe(1);
  stream.retryNow();
  expect(connections).toBe(2);
});
