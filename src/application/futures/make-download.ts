import { formatAmount } from '../../domain/amount.ts';
import { formatDecimal, formatScaled } from '../../domain/decimal.ts';
import type { FuturesMarket, FuturesMarketId } from '../../domain/futures-market.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import { decimalFromTicks, type Ticks } from '../../domain/spot-market.ts';
import { waitForDatabase } from '../wait-for-database.ts';
import { type DownloadKind, type DownloadTerms, downloadRowsMax } from './downloads.ts';
import { type FuturesPorts } from './futures-ports.ts';
import { viewFuturesOrder, viewOwnTrade } from './futures-views.ts';

export type DownloadPorts = Pick<FuturesPorts, 'exchange' | 'barrier' | 'futuresHistory'>;

type Value = string | number | boolean | null;

const pageRows = 1_000;
/** 100 basis points are one percent. */
const callbackScale = 2;

/** The columns of Binance's futures files; that of income alone does not name the account. */
const headers: Readonly<Record<DownloadKind, readonly string[]>> = {
  order: [
    'Uid',
    'Time(UTC)',
    'Symbol',
    'Type',
    'Side',
    'Position Side',
    'Price',
    'Average Price',
    'Amount',
    'Executed Amount',
    'Executed Quote Amount',
    'Stop Price',
    'Status',
    'Client Order Id',
    'Time In Force',
    'Activate Price',
    'Price Rate',
    'Update Time',
    'Order No',
  ],
  trade: [
    'Uid',
    'Time',
    'Symbol',
    'Side',
    'Price',
    'Quantity',
    'Amount',
    'Fee',
    'Realized Profit',
    'Buyer',
    'Maker',
    'Trade ID',
    'Order ID',
  ],
  income: ['Date(UTC)', 'type', 'Amount', 'Asset', 'Symbol', 'Transaction ID'],
};

/**
 * Whether the file would exceed the maximum number of rows.
 * @throws DatabaseError
 */
export async function isDownloadTooLong(
  ports: DownloadPorts,
  terms: DownloadTerms,
): Promise<boolean> {
  const accountId = accountOf(ports, terms);
  if (accountId === null) return false;
  await waitForDatabase(ports);
  const beyond = await readPage(ports, accountId, terms, { offset: downloadRowsMax, limit: 1 });
  return beyond.length > 0;
}

/**
 * The file as CSV: a header line, then one line per row, oldest first; times are UTC.
 * @throws DatabaseError, or the reason with which the signal is aborted
 */
export async function makeDownload(
  ports: DownloadPorts,
  terms: DownloadTerms,
  signal: AbortSignal,
): Promise<string> {
  const lines = [csvLine(headers[terms.kind])];
  const accountId = accountOf(ports, terms);
  if (accountId === null) return lines.join('');
  await waitForDatabase(ports);
  for (let offset = 0; offset < downloadRowsMax; offset += pageRows) {
    signal.throwIfAborted();
    const rows = await readPage(ports, accountId, terms, { offset, limit: pageRows });
    for (const row of rows) {
      lines.push(csvLine(terms.kind === 'income' ? row : [accountId, ...row]));
    }
    if (rows.length < pageRows) break;
  }
  return lines.join('');
}

function accountOf({ exchange }: DownloadPorts, { address }: DownloadTerms): AccountId | null {
  return exchange.peek((view) => view.findAccount(address));
}

interface PagePlace {
  readonly offset: number;
  readonly limit: number;
}

function readPage(
  ports: DownloadPorts,
  accountId: AccountId,
  { kind, startTime, endTime }: DownloadTerms,
  place: PagePlace,
): Promise<readonly (readonly Value[])[]> {
  const span = { accountId, startTime, endTime, ...place } as const;
  switch (kind) {
    case 'order':
      return readOrders(ports, span);
    case 'trade':
      return readTrades(ports, span);
    case 'income':
      return readIncome(ports, span);
  }
}

interface Span extends PagePlace {
  readonly accountId: AccountId;
  readonly startTime: number;
  readonly endTime: number;
}

const oldestFirst = { cursor: null, order: 'oldest_first' } as const;

async function readOrders(
  ports: DownloadPorts,
  span: Span,
): Promise<readonly (readonly Value[])[]> {
  const { items } = await ports.futuresHistory.listOrders({
    ...span,
    ...oldestFirst,
    marketId: null,
    statuses: null,
    isTrigger: null,
    forcedBy: null,
    from: null,
  });
  return items.map((order) => {
    const market = marketOf(ports, order.marketId);
    const view = viewFuturesOrder(order, market);
    return [
      utcText(order.createdAt),
      view.symbol,
      view.type,
      view.side,
      'Both',
      view.price ?? '0',
      view.avg_price ?? '0',
      view.quantity,
      view.filled_quantity,
      view.filled_quote_quantity,
      view.stop_price ?? '0',
      view.status,
      view.client_order_id,
      view.time_in_force,
      order.activationPrice === null ? '0' : priceText(market, order.activationPrice),
      order.callback === null ? '0' : formatScaled(BigInt(order.callback), callbackScale),
      utcText(order.updatedAt),
      view.order_id,
    ];
  });
}

async function readTrades(
  ports: DownloadPorts,
  span: Span,
): Promise<readonly (readonly Value[])[]> {
  const { items } = await ports.futuresHistory.listTrades({
    ...span,
    ...oldestFirst,
    marketId: null,
    orderNumber: null,
    from: null,
  });
  return items.map((own) => {
    const view = viewOwnTrade(own, marketOf(ports, own.trade.marketId));
    return [
      utcText(own.createdAt),
      view.symbol,
      view.side,
      view.price,
      view.quantity,
      view.quote_quantity,
      `${view.fee} ${view.fee_asset}`,
      view.realized_profit,
      view.side === 'BUY',
      own.role === 'maker',
      view.trade_id,
      view.order_id,
    ];
  });
}

async function readIncome(
  ports: DownloadPorts,
  span: Span,
): Promise<readonly (readonly Value[])[]> {
  const entries = await ports.futuresHistory.listIncome({
    ...span,
    order: 'oldest_first',
    marketId: null,
    type: null,
  });
  return entries.map(({ createdAt, type, amount, marketId, id }) => [
    utcText(createdAt),
    type,
    formatAmount(amount),
    'USDT',
    marketId === null ? '' : marketOf(ports, marketId).symbol,
    id,
  ]);
}

function marketOf({ exchange }: DownloadPorts, marketId: FuturesMarketId): FuturesMarket {
  return exchange.peek(({ futures }) => futures.getFuturesMarket(marketId));
}

function priceText(market: FuturesMarket, price: Ticks): string {
  return formatDecimal(decimalFromTicks(market, price));
}

/** `2026-01-31 23:59:59`. */
function utcText(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}

function csvLine(values: readonly Value[]): string {
  return `${values.map((value) => csvValue(String(value ?? ''))).join(',')}\n`;
}

function csvValue(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
