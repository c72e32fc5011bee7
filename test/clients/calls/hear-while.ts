import type { ClientCalls } from './client-calls.ts';

type Watches = Readonly<Record<string, () => Promise<unknown>>>;

/**
 * Calls each of ccxt's `watch` methods again and again and counts its updates, until the work is
 * done or one of them fails; then ends the client's streams.
 */
export async function hearWhile(
  calls: ClientCalls,
  client: { close(): Promise<unknown> },
  watched: Watches,
  work: () => Promise<void>,
): Promise<void> {
  let isOver = false;
  const listen = async ([name, watch]: [string, () => Promise<unknown>]): Promise<void> => {
    for (;;) {
      try {
        await watch();
      } catch (error) {
        if (isOver) return;
        throw error;
      }
      if (isOver) return;
      calls.hear(name);
    }
  };
  const listening = Promise.all(Object.entries(watched).map(listen));
  try {
    await Promise.race([listening, work()]);
  } finally {
    isOver = true;
    await client.close();
    await listening;
  }
}
