import type { Channels } from '@openbourse/client';
import { signal } from '@preact/signals';
import { stream } from '../api/api.ts';
import { formatWhole } from '../number/format.ts';
import * as texts from '../text/en/frame.ts';
import { say } from './notices.ts';
import { isSignedIn } from './session.ts';

// The account's own channels: balances, live orders, positions. Empty while nobody is signed in.

export type Balance = Channels['balances']['snapshot'][number];

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

export type Position = Channels['positions']['snapshot'][number];

export const balances = signal<ReadonlyMap<string, Balance>>(new Map());
export const liveOrders = signal<ReadonlyMap<string, LiveOrder>>(new Map());
export const positions = signal<ReadonlyMap<string, Position>>(new Map());
/** Rises with each change of orders, so that histories are read again. */
export const orderRevision = signal(0);
/** The orders of the newest message, live or not. */
export const orderNews = signal<readonly LiveOrder[]>([]);
export const hasBalances = signal(false);
/** Since when orders, balances and positions are not followed; null: they are up to date. */
export const accountStaleSince = signal<number | null>(null);

const liveStatuses = new Set(['new', 'partially_filled', 'NEW', 'PARTIALLY_FILLED']);

function put<T>(
  held: ReadonlyMap<string, T>,
  type: string,
  entries: readonly (readonly [string, T])[],
) {
  return new Map(type === 'snapshot' ? entries : [...held, ...entries]);
}

function takeBalances(type: string, data: readonly Balance[]): void {
  const entries = data.map((each) => [`${each.market} ${each.token}`, each] as const);
  balances.value = put(balances.value, type, entries);
  hasBalances.value = true;
}

function takeOrders(type: string, orders: readonly LiveOrder[]): void {
  const next = new Map(type === 'snapshot' ? [] : liveOrders.value);
  for (const order of orders) {
    const key = `${order.market} ${order.order_id}`;
    if (liveStatuses.has(order.status)) next.set(key, order);
    else next.delete(key);
    if (type === 'update') tellFills(order);
  }
  liveOrders.value = next;
  orderNews.value = orders;
  orderRevision.value += 1;
  if (type === 'snapshot') accountStaleSince.value = null;
}

/** Reports the fills of an order in one notice, which later fills replace. */
function tellFills(order: LiveOrder): void {
  const { fills = [], side, symbol, status, filled_quantity: filled, avg_price: average } = order;
  if (fills.length === 0) return;
  const word = side.toLowerCase() === 'buy' ? texts.bought : texts.sold;
  const state = status.toLowerCase() === 'filled' ? 'filled' : texts.partlyFilled;
  const price = formatWhole(average ?? fills[0]?.price);
  say('good', texts.fillNotice(word, filled, symbol, price, state), {
    subject: `fills of ${order.market} ${order.order_id}`,
  });
}

function takePositions(type: string, data: readonly Position[]): void {
  const entries = data.map((each) => [each.symbol, each] as const);
  const all = put(positions.value, type, entries);
  positions.value = new Map([...all].filter(([, { side }]) => side !== 'NONE'));
}

function clear(): void {
  balances.value = new Map();
  liveOrders.value = new Map();
  positions.value = new Map();
  hasBalances.value = false;
  accountStaleSince.value = null;
}

let endings: readonly (() => void)[] = [];

isSignedIn.subscribe((isIn) => {
  for (const end of endings) end();
  endings = [];
  clear();
  if (!isIn) return;
  endings = [
    stream.subscribe(
      { channel: 'balances' },
      { onMessage: ({ type, data }) => takeBalances(type, data) },
    ),
    stream.subscribe(
      { channel: 'orders' },
      {
        onMessage: ({ type, data }) => takeOrders(type, data),
        onStale: () => {
          accountStaleSince.value ??= Date.now();
        },
      },
    ),
    stream.subscribe(
      { channel: 'positions' },
      { onMessage: ({ type, data }) => takePositions(type, data) },
    ),
  ];
});

/** The spendable amount of a token; "0" if there is none. */
export function availableOf(market: 'spot' | 'futures', token: string): string {
  return balances.value.get(`${market} ${token}`)?.available ?? '0';
}
