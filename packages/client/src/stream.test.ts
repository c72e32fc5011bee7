import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Stream } from './stream.ts';

// A socket that the test drives in the place of a service.
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
let stream: Stream;

beforeEach(() => {
  vi.useFakeTimers();
  socket = new ScriptedSocket();
  stream = new Stream({
    url: 'ws://127.0.0.1/ws',
    token: () => 'token',
    createSocket: () => socket as unknown as WebSocket,
  });
  stream.open();
  socket.onopen?.();
  socket.receive({ type: 'authenticated' });
});
afterEach(() => {
  stream.close();
  vi.useRealTimers();
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
