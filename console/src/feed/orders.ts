import { ConnectionError } from '@openbourse/client';
import { signal } from '@preact/signals';
import { api, withBusyRetries } from '../api/api.ts';
import * as texts from '../text/en/frame.ts';
import { liveOrders, orderNews } from './account.ts';
import { say, sayError } from './notices.ts';

// Sending and canceling orders. Nothing counts as done before the service has confirmed it.

export interface SentOrder {
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly text: string;
  /** `unknown`: no answer arrived, and the order is looked up before anything else happens. */
  readonly state: 'sending' | 'unknown';
  /** Absent: spot. */
  readonly market?: 'spot' | 'futures';
}

/** Orders that neither an answer nor the account's channel has reported yet. */
const sentOrders = signal<readonly SentOrder[]>([]);

orderNews.subscribe((orders) => {
  const reported = new Set(orders.map((each) => each.client_order_id));
  if (sentOrders.peek().some((each) => reported.has(each.clientOrderId)))
    sentOrders.value = sentOrders.peek().filter((each) => !reported.has(each.clientOrderId));
});

/** The orders of a market that wait for their first report. */
export function sentOrdersOf(market: 'spot' | 'futures', symbol: string): readonly SentOrder[] {
  return sentOrders.value.filter(
    (each) => (each.market ?? 'spot') === market && each.symbol === symbol,
  );
}

export function newClientOrderId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `page-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function forget(clientOrderId: string): void {
  sentOrders.value = sentOrders.value.filter((each) => each.clientOrderId !== clientOrderId);
}

function markUnknown(clientOrderId: string): void {
  sentOrders.value = sentOrders.value.map((each) =>
    each.clientOrderId === clientOrderId ? { ...each, state: 'unknown' as const } : each,
  );
}

const lookWaitsMs = [500, 1_000, 2_000, 4_000];

/**
 * Looks up an order whose answer was lost.
 * @throws ConnectionError while the service cannot be reached
 */
async function findLostOrder({ symbol, clientOrderId, market }: SentOrder): Promise<boolean> {
  for (const waitMs of lookWaitsMs) {
    const spotQuery = { symbol, client_order_id: clientOrderId, limit: 1 };
    const { items } =
      market === 'futures'
        ? await api.call('GET /api/v1/orders', { query: { symbol, limit: 50 } })
        : await api.call('GET /api/v1/spot/orders', { query: spotQuery });
    if (items.some((each) => each.client_order_id === clientOrderId)) return true;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  return false;
}

async function resolveLostOrder(sent: SentOrder): Promise<void> {
  markUnknown(sent.clientOrderId);
  for (;;) {
    try {
      const isThere = await findLostOrder(sent);
      forget(sent.clientOrderId);
      if (isThere) say('plain', texts.orderWasTaken);
      else say('bad', texts.orderWasNotTaken);
      return;
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 2_000));
    }
  }
}

interface Placed {
  readonly status: string;
  readonly filled_quantity: string;
}

/**
 * Sends an order; it is listed as "sending" until answered. Resolves to whether it was accepted.
 */
export async function sendOrder(sent: SentOrder, send: () => Promise<Placed>): Promise<boolean> {
  sentOrders.value = [...sentOrders.value, sent];
  try {
    const { status } = await withBusyRetries(send);
    forget(sent.clientOrderId);
    const state = status.toLowerCase().replaceAll('_', ' ');
    // Fills are reported by the account's own channel.
    if (state === 'new') say('plain', texts.restingNotice(sent.text));
    else if (state !== 'filled' && state !== 'partially filled')
      say('plain', `${sent.text}: ${state}.`);
    return true;
  } catch (error) {
    if (error instanceof ConnectionError) {
      resolveLostOrder(sent).catch(sayError);
      return false;
    }
    forget(sent.clientOrderId);
    sayError(error);
    return false;
  }
}

/** Cancels one spot order. */
export async function cancelSpotOrder(id: string): Promise<void> {
  try {
    await api.call('DELETE /api/v1/spot/orders/:id', { params: { id } });
    say('plain', texts.orderCanceled);
  } catch (error) {
    sayError(error);
  }
}

export async function cancelAllSpotOrders(symbol: string): Promise<void> {
  try {
    const { canceled } = await api.call('DELETE /api/v1/spot/orders', { query: { symbol } });
    say('plain', texts.ordersCanceled(canceled.length));
  } catch (error) {
    sayError(error);
  }
}

/** The live orders of one market, newest first. */
export function ordersOf(market: 'spot' | 'futures', symbol: string) {
  const own = [...liveOrders.value.values()].filter(
    (order) => order.market === market && order.symbol === symbol,
  );
  return own.toSorted((a, b) => (String(a.created_at) < String(b.created_at) ? 1 : -1));
}
