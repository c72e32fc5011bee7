import { listOf, textOf } from '../../client/api-client.ts';
import { type Decimal, decimalOne, formatDecimal } from '../../domain/decimal.ts';
import { decimalOf } from './expected-commission.ts';

// What a trader must have after its trades, recomputed from what it drew and traded.

/** By token; the trades are a page of GET /spot/trades of one market. */
export function expectedBalances(
  drawn: Readonly<Record<string, string>>,
  trades: unknown,
  { base, quote }: { readonly base: string; readonly quote: string },
): ReadonlyMap<string, string> {
  const sums = new Map(Object.entries(drawn).map(([token, text]) => [token, decimalOf(text)]));
  const add = (token: string, amount: bigint): void => {
    sums.set(token, (sums.get(token) ?? 0n) + amount);
  };
  for (const trade of listOf(trades, 'items')) {
    const quantity = decimalOf(textOf(trade, 'quantity'));
    const value = (quantity * decimalOf(textOf(trade, 'price'))) / decimalOne;
    const direction = textOf(trade, 'side') === 'buy' ? 1n : -1n;
    add(base, direction * quantity);
    add(quote, -direction * value);
    add(textOf(trade, 'fee_token'), -decimalOf(textOf(trade, 'fee')));
  }
  return new Map([...sums].map(([token, sum]) => [token, formatDecimal(sum as Decimal)]));
}
