import type { Answer } from '@openbourse/client';
import { withRetries } from '../client/exchange-client.ts';
import type { Trader } from '../client/trader.ts';
import { assert } from '../domain/assert.ts';
import { type Decimal, parseDecimal } from '../domain/decimal.ts';

// Money is conserved if, for each token, what the traders were given equals what they hold,
// available and locked, plus what they paid in fees; to the last unit.

interface TokenAccount {
  readonly token: string;
  readonly funded: Decimal;
  readonly available: Decimal;
  readonly locked: Decimal;
  readonly fees: Decimal;
  /** The difference to the funded money; zero if the account balances. */
  readonly missing: Decimal;
}

export interface MoneyCheck {
  readonly accounts: readonly TokenAccount[];
  /** The number of trades in the takers' histories. */
  readonly trades: number;
}

interface Holdings {
  readonly available: Map<string, bigint>;
  readonly locked: Map<string, bigint>;
  readonly fees: Map<string, bigint>;
}

const pageSize = 500;

/** Adds up all balances and trade histories of the traders in a market. */
export async function checkConservation(
  traders: readonly Trader[],
  symbol: string,
  funded: ReadonlyMap<string, readonly string[]>,
): Promise<MoneyCheck> {
  const holdings: Holdings = { available: new Map(), locked: new Map(), fees: new Map() };
  let trades = 0;
  for (const trader of traders) {
    await addBalances(trader, holdings);
    trades += await addTrades(trader, symbol, holdings);
  }
  const tokens = new Set([...funded.keys(), ...holdings.available.keys(), ...holdings.fees.keys()]);
  const accounts = [...tokens].map((token) => accountOf(token, funded.get(token) ?? [], holdings));
  return { accounts, trades };
}

function accountOf(token: string, credits: readonly string[], holdings: Holdings): TokenAccount {
  const funded = credits.reduce((sum, text) => sum + amountOf(text), 0n);
  const available = holdings.available.get(token) ?? 0n;
  const locked = holdings.locked.get(token) ?? 0n;
  const fees = holdings.fees.get(token) ?? 0n;
  const missing = funded - available - locked - fees;
  return {
    token,
    funded: funded as Decimal,
    available: available as Decimal,
    locked: locked as Decimal,
    fees: fees as Decimal,
    missing: missing as Decimal,
  };
}

async function addBalances(trader: Trader, holdings: Holdings): Promise<void> {
  const { items } = await withRetries(() => trader.client.call('GET /api/v1/spot/balances'));
  for (const { token, available, locked } of items) {
    add(holdings.available, token, available);
    add(holdings.locked, token, locked);
  }
}

async function addTrades(trader: Trader, symbol: string, holdings: Holdings): Promise<number> {
  let trades = 0;
  let cursor: string | null = null;
  do {
    const query = { symbol, limit: pageSize, ...(cursor === null ? {} : { cursor }) };
    const page: Answer<'GET /api/v1/spot/trades'> = await withRetries(() =>
      trader.client.call('GET /api/v1/spot/trades', { query }),
    );
    for (const trade of page.items) {
      add(holdings.fees, trade.fee_token, trade.fee);
      if (trade.role === 'taker') trades += 1;
    }
    cursor = page.next_cursor;
  } while (cursor !== null);
  return trades;
}

function add(sums: Map<string, bigint>, token: string, text: string): void {
  sums.set(token, (sums.get(token) ?? 0n) + amountOf(text));
}

function amountOf(text: string): bigint {
  const amount = parseDecimal(text);
  assert(amount !== null, `the service returns amounts as decimals, not ${text}`);
  return amount;
}
