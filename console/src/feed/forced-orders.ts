import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

// Orders by which the exchange closed positions of any account, in all perpetuals. They come by
// Binance's stream, which needs a separate socket and has no history.

export interface ForcedOrder {
  /** Counts the orders received by this tab. */
  readonly number: number;
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  readonly price: string;
  readonly quantity: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

interface ForceOrderEvent {
  readonly e: string;
  readonly o: {
    readonly s: string;
    readonly S: 'BUY' | 'SELL';
    readonly ap: string;
    readonly z: string;
    readonly T: number;
  };
}

const keptMax = 100;
const firstWaitMs = 1_000;
const longestWaitMs = 15_000;

/** What this tab has received, newest first. */
export const forcedOrders = signal<readonly ForcedOrder[]>([]);
let received = 0;

function take(text: string): void {
  const { e: type, o: order } = JSON.parse(text) as ForceOrderEvent;
  if (type !== 'forceOrder') return;
  received += 1;
  const { s: symbol, S: side, ap: price, z: quantity, T: time } = order;
  const next = { number: received, symbol, side, price, quantity, time };
  forcedOrders.value = [next, ...forcedOrders.value].slice(0, keptMax);
}

function listen(): () => void {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  let socket: WebSocket;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  const connect = (): void => {
    socket = new WebSocket(`${scheme}://${location.host}/ws/!forceOrder@arr`);
    socket.onopen = () => {
      failures = 0;
    };
    socket.onmessage = ({ data }) => take(String(data));
    socket.onclose = () => {
      const ceiling = Math.min(longestWaitMs, firstWaitMs * 2 ** failures);
      failures += 1;
      timer = setTimeout(connect, Math.random() * ceiling);
    };
  };
  connect();
  return () => {
    clearTimeout(timer);
    socket.onclose = null;
    socket.close();
  };
}

/** Receives forced orders for as long as a page shows them. */
export function useForcedOrders(): void {
  useEffect(listen, []);
}
