import { signal } from '@preact/signals';
import { stream } from '../api/api.ts';
import { say } from './notices.ts';
import { isSignedIn } from './session.ts';

// The account's own channels: balances, live orders, positions. Empty while nobody is signed in.

export interface Balance {
  readonly market: 'spot' | 'futures';
  readonly token: string;
  readonly available: string;
  readonly locked: string;
}

export interface LiveOrder {
  readonly market: 'spot' | 'futures';
  readonly order_id: string | number;
  readonly client_order_id: string | null;
  readonly symbol: string;
  readonly side: string;
  readonly type: string;
  readonly price: string | null;
  readonly quantity: string | null;
  readonly quote_quantity?: string | null;
  readonly filled_quantity: string;
  readonly avg_price: string | null;
  readonly status: string;
  readonly stop_price?: string | null;
  readonly reduce_only?: boolean;
  readonly parent_order_id?: number | null;
  readonly created_at: string | number;
  readonly fills?: readonly { readonly price: string; readonly quantity: string }[];
}

export interface Position {
  readonly symbol: string;
  readonly side: 'LONG' | 'SHORT' | 'NONE';
  readonly quantity: string;
  readonly entry_price: string | null;
  readonly liquidation_price: string | null;
  readonly leverage: number;
}

export const balances = signal<ReadonlyMap<string, Balance>>(new Map());
export const liveOrders = signal<ReadonlyMap<string, LiveOrder>>(new Map());
export const positions = signal<ReadonlyMap<string, Position>>(new Map());
/** Rises with each change of orders, so that histories are read again. */
export const orderRevision = signal(0);
export const hasBalances = signal(false);

const liveStatuses = new Set(['new', 'partially_filled', 'NEW', 'PARTIALLY_FILLED']);

function put<T>(
  held: ReadonlyMap<string, T>,
  type: string,
  entries: readonly (readonly [string, T])[],
) {
  return new Map(type === 'snapshot' ? entries : [...held, ...entries]);
}

function takeBalances(type: string, data: unknown): void {
  const entries = (data as readonly Balance[]).map(
    (each) => [`${each.market} ${each.token}`, each] as const,
  );
  balances.value = put(balances.value, type, entries);
  hasBalances.value = true;
}

function takeOrders(type: string, data: unknown): void {
  const orders = data as readonly LiveOrder[];
  const next = new Map(type === 'snapshot' ? [] : liveOrders.value);
  for (const order of orders) {
    const key = `${order.market} ${order.order_id}`;
    if (liveStatuses.has(order.status)) next.set(key, order);
    else next.delete(key);
    if (type === 'update') tellFills(order);
  }
  liveOrders.value = next;
  orderRevision.value += 1;
}

/** Reports the fills of an order by one command in one notice. */
function tellFills({
  fills = [],
  side,
  symbol,
  status,
  filled_quantity: filled,
  avg_price: average,
}: LiveOrder): void {
  if (fills.length === 0) return;
  const word = side.toLowerCase() === 'buy' ? 'Bought' : 'Sold';
  const state = status.toLowerCase() === 'filled' ? 'filled' : 'partly filled';
  say('good', `${word} ${filled} ${symbol} at ${average ?? fills[0]?.price ?? ''}: ${state}.`);
}

function takePositions(type: string, data: unknown): void {
  const entries = (data as readonly Position[]).map((each) => [each.symbol, each] as const);
  const all = put(positions.value, type, entries);
  positions.value = new Map([...all].filter(([, { side }]) => side !== 'NONE'));
}

function clear(): void {
  balances.value = new Map();
  liveOrders.value = new Map();
  positions.value = new Map();
  hasBalances.value = false;
}

let endings: readonly (() => void)[] = [];

isSignedIn.subscribe((isIn) => {
  for (const end of endings) end();
  endings = [];
  clear();
  if (!isIn) return;
  const listen = (channel: string, take: (type: string, data: unknown) => void): (() => void) =>
    stream.subscribe({ channel }, { onMessage: ({ type, data }) => take(type, data) });
  endings = [
    listen('balances', takeBalances),
    listen('orders', takeOrders),
    listen('positions', takePositions),
  ];
});

/** The spendable amount of a token; "0" if there is none. */
export function availableOf(market: 'spot' | 'futures', token: string): string {
  return balances.value.get(`${market} ${token}`)?.available ?? '0';
}
