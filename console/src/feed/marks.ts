import { signal } from '@preact/signals';
import { stream } from '../api/api.ts';
import { positions } from './account.ts';

/** The mark prices of the markets in which the account has a position. */
export const marks = signal<ReadonlyMap<string, string>>(new Map());

const endings = new Map<string, () => void>();

function forget(symbol: string): void {
  endings.get(symbol)?.();
  endings.delete(symbol);
  marks.value = new Map([...marks.value].filter(([each]) => each !== symbol));
}

function follow(symbol: string): void {
  const topic = { channel: 'mark_price', symbol, market: 'futures' } as const;
  const end = stream.subscribe(topic, {
    onMessage: ({ data }) => {
      if (data !== null) marks.value = new Map(marks.value).set(symbol, data.mark_price);
    },
  });
  endings.set(symbol, end);
}

positions.subscribe((held) => {
  for (const symbol of endings.keys()) if (!held.has(symbol)) forget(symbol);
  for (const symbol of held.keys()) if (!endings.has(symbol)) follow(symbol);
});
