import type { Trader } from '../../src/client/trader.ts';

export interface ListedOrder {
  readonly order_id: string;
  readonly price: string;
}

/** All pages of a list of the trader's orders. */
export async function listOrders(trader: Trader, path: string): Promise<ListedOrder[]> {
  const orders: ListedOrder[] = [];
  let cursor: string | null = null;
  do {
    const query: Record<string, string> = cursor === null ? {} : { cursor };
    const page = (await trader.requestJson({ method: 'GET', path, query })) as {
      items: ListedOrder[];
      next_cursor?: string | null;
    };
    orders.push(...page.items);
    cursor = page.next_cursor ?? null;
  } while (cursor !== null);
  return orders;
}
