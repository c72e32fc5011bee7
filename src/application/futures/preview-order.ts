import { type Amount, formatAmount, scaleAmount, toAmount } from '../../domain/amount.ts';
import { type Decimal, formatDecimal } from '../../domain/decimal.ts';
import { type FuturesMarket, rateOne } from '../../domain/futures-market.ts';
import type { AccountId, Address } from '../../domain/identifiers.ts';
import { solveLiquidationPrice } from '../../domain/liquidation-price.ts';
import { initialMargin, valueUp } from '../../domain/margin.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import type { Rejection } from '../../domain/rejection.ts';
import {
  decimalFromLots,
  type Lots,
  notionalAmount,
  type Ticks,
} from '../../domain/spot-market.ts';
import { type Side, sides } from '../../domain/spot-order.ts';
import { upperWord } from '../../domain/upper-word.ts';
import { positionAfter } from '../../programs/trading/position-after.ts';
import {
  type BookScan,
  scanBook,
  scanLevels,
  slippageOf,
  worstPriceWithin,
} from '../../programs/trading/scan-book.ts';
import { formatAverage } from '../format-average.ts';
import type { EngineView, Exchange } from '../ports/exchange.ts';
import { findMarket } from './futures-ports.ts';
import { formatOptional, formatTicks } from './futures-views.ts';

// What an order would do now: the book is walked as matching walks it.

/** An order as the caller specifies it; the numbers are well-formed and positive. */
export interface PreviewRequest {
  /** In any letter case. */
  readonly symbol: string;
  readonly side: string;
  readonly type: string;
  readonly quantity: Decimal;
  readonly price: Decimal | null;
  /** A fraction of the best price. */
  readonly maxSlippage: Decimal | null;
}

export interface OrderPreviewView {
  readonly symbol: string;
  readonly side: string;
  readonly type: string;
  readonly quantity: string;
  readonly price: string | null;
  readonly best_price: string | null;
  readonly est_avg_price: string | null;
  readonly est_worst_price: string | null;
  readonly est_filled_quantity: string;
  readonly est_notional: string;
  readonly est_slippage: string;
  readonly max_slippage: string | null;
  readonly est_fee: string;
  readonly taker_rate: string;
  readonly leverage: number;
  readonly est_initial_margin: string;
  readonly available_balance: string;
  readonly mark_price: string | null;
  readonly est_liquidation_price: string | null;
}

const defaultLeverage = 20;

/** @throws EngineBusyError, EngineRestartingError */
export async function previewOrder(
  exchange: Exchange,
  caller: Address,
  request: PreviewRequest,
): Promise<Outcome<OrderPreviewView>> {
  return exchange.read((view) => {
    const market = findMarket(view, request.symbol);
    if (market === null) return refused({ reason: 'market_not_found' });
    const terms = readTerms(market, request);
    if (terms.kind === 'refused') return terms;
    const { side, quantity, price } = terms.value;
    const scan = scanMarket(view, market, { side, quantity, limit: price });
    const refusal = price === null ? judgeScan(market, scan, quantity, request.maxSlippage) : null;
    if (refusal !== null) return refused(refusal);
    return done(viewPreview(view, { market, caller, request, terms: terms.value, scan }));
  });
}

/** Why a market order with this scan cannot be sent; null if it can. */
function judgeScan(
  market: FuturesMarket,
  scan: BookScan,
  quantity: Lots,
  maxSlippage: Decimal | null,
): Rejection | null {
  if (scan.filled === 0) return { reason: 'no_opposite_price' };
  if (maxSlippage === null) return null;
  // What the book cannot fill has no price.
  const isWithin = scan.filled === quantity && slippageOf(market, scan) <= maxSlippage;
  return isWithin ? null : { reason: 'slippage_exceeded' };
}

/**
 * The worst price at which a market order within its max_slippage can trade, or why it is refused
 * before it reaches the engine.
 * @throws EngineRestartingError
 */
export function boundSlippage(
  exchange: Exchange,
  order: {
    readonly market: FuturesMarket;
    readonly side: Side;
    readonly quantity: Lots;
    readonly maxSlippage: Decimal;
  },
): Outcome<Ticks> {
  const { market, side, quantity, maxSlippage } = order;
  const scan = exchange.peek((view) => scanMarket(view, market, { side, quantity, limit: null }));
  const refusal = judgeScan(market, scan, quantity, maxSlippage);
  if (refusal !== null) return refused(refusal);
  const { bestPrice, worstPrice } = scan;
  if (bestPrice === null || worstPrice === null) return refused({ reason: 'no_opposite_price' });
  const within = worstPriceWithin(side, bestPrice, maxSlippage);
  const further = side === 'buy' ? Math.max(within, worstPrice) : Math.min(within, worstPrice);
  return done(further as Ticks);
}

interface PreviewTerms {
  readonly side: Side;
  readonly quantity: Lots;
  readonly price: Ticks | null;
}

function readTerms(market: FuturesMarket, request: PreviewRequest): Outcome<PreviewTerms> {
  if (market.status === 'halted') return refused({ reason: 'market_halted' });
  if (market.status === 'delisted') return refused({ reason: 'market_delisted' });
  const side = sides.find((known) => upperWord(known) === request.side);
  if (side === undefined) return refused({ reason: 'side_unknown' });
  const type = request.type;
  if (type !== 'MARKET' && type !== 'LIMIT') return refused({ reason: 'order_type_unknown' });
  // A quantity is rounded down to whole lots, as on /fapi.
  const lots = request.quantity / market.lotSize;
  if (lots <= 0n) return refused({ reason: 'quantity_off_lot' });
  if (lots > BigInt(Number.MAX_SAFE_INTEGER)) return refused({ reason: 'amount_out_of_range' });
  const quantity = Number(lots) as Lots;
  if (type === 'MARKET') return done({ side, quantity, price: null });
  if (request.price === null) return refused({ reason: 'limit_price_missing' });
  const ticks = request.price / market.tickSize;
  const isOnGrid = ticks * market.tickSize === request.price;
  if (!isOnGrid || ticks > BigInt(Number.MAX_SAFE_INTEGER)) {
    return refused({ reason: 'price_off_tick' });
  }
  return done({ side, quantity, price: Number(ticks) as Ticks });
}

function scanMarket(
  view: EngineView,
  market: FuturesMarket,
  request: Parameters<typeof scanBook>[2],
): BookScan {
  const { marketId } = market;
  const side = request.side === 'buy' ? 'asks' : 'bids';
  return scanLevels(
    (levelsMax) => view.futures.getFuturesDepth(marketId, levelsMax)[side],
    (levels) => scanBook(market, levels, request),
  );
}

interface PreviewParts {
  readonly market: FuturesMarket;
  readonly caller: Address;
  readonly request: PreviewRequest;
  readonly terms: PreviewTerms;
  readonly scan: BookScan;
}

function viewPreview(view: EngineView, parts: PreviewParts): OrderPreviewView {
  const { market, caller, request, terms, scan } = parts;
  const { futures } = view;
  const accountId = view.findAccount(caller);
  const leverage =
    accountId === null
      ? Math.min(defaultLeverage, market.maxLeverage)
      : futures.getLeverage(accountId, market.marketId);
  const takerRate =
    accountId === null
      ? BigInt(market.takerFeeBps) * 100_000n
      : futures.getEffectiveFees(accountId, market.marketId).taker;
  const filled = decimalFromLots(market, scan.filled);
  const fee = scaleAmount(scan.quote, { numerator: takerRate, denominator: rateOne }, 'up');
  const lots = terms.price === null ? scan.filled : terms.quantity;
  const raised =
    accountId === null ? 0n : futures.getRaisedMargin(accountId, market.marketId, terms.side, lots);
  const available = accountId === null ? null : futures.getPerpAccount(accountId).available;
  return {
    symbol: market.symbol,
    side: request.side,
    type: request.type,
    quantity: formatDecimal(decimalFromLots(market, terms.quantity)),
    price: formatTicks(market, terms.price),
    best_price: formatTicks(market, scan.bestPrice),
    est_avg_price: scan.filled === 0 ? null : formatAverage(scan.quote, filled, market.tickSize),
    est_worst_price: formatTicks(market, scan.worstPrice),
    est_filled_quantity: formatDecimal(filled),
    est_notional: formatAmount(scan.quote),
    est_slippage: formatDecimal(slippageOf(market, scan)),
    max_slippage: request.maxSlippage === null ? null : formatDecimal(request.maxSlippage),
    est_fee: formatAmount(fee),
    taker_rate: formatDecimal((takerRate * 10n ** 9n) as Decimal),
    leverage,
    est_initial_margin: formatAmount(toAmount(marginOf(market, terms, scan, leverage) + raised)),
    available_balance: formatOptional(available) ?? '0',
    mark_price: formatOptional(futures.getFuturesPrices(market.marketId).markPrice),
    est_liquidation_price:
      accountId === null
        ? null
        : formatOptional(
            liquidationAfter(view, { accountId, market, side: terms.side, scan, fee }),
          ),
  };
}

interface FilledOrder {
  readonly accountId: AccountId;
  readonly market: FuturesMarket;
  readonly side: Side;
  readonly scan: BookScan;
  readonly fee: Amount;
}

/** Where the account's position in the market would be liquidated once the scan has filled. */
function liquidationAfter(view: EngineView, filled: FilledOrder): Amount | null {
  const { futures } = view;
  const { accountId, market, side, scan, fee } = filled;
  const { equity, maintenanceMargin } = futures.getPerpAccount(accountId);
  const held = futures.getPosition(accountId, market.marketId);
  const fill = { side, lots: scan.filled, quote: scan.quote };
  const { quantity, entryNotional, profit } = positionAfter(held, fill);
  if (quantity === 0) return null;
  const lots = Math.abs(quantity) as Lots;
  const mark = futures.getFuturesPrices(market.marketId).markPrice;
  const size = decimalFromLots(market, lots);
  const price = solveLiquidationPrice({
    market,
    quantity,
    entryNotional,
    notional: mark === null ? entryNotional : valueUp(size, mark),
    others:
      equity - held.unrealizedProfit - (maintenanceMargin - held.maintenanceMargin) + profit - fee,
  });
  return price === null ? null : toAmount(price);
}

/**
 * Notional over leverage, rounded up: of what fills, or of the whole order if it is a limit order.
 */
function marginOf(
  market: FuturesMarket,
  { price, quantity }: PreviewTerms,
  scan: BookScan,
  leverage: number,
): Amount {
  const notional = price === null ? scan.quote : notionalAmount(market, price, quantity);
  return toAmount(initialMargin(notional, leverage));
}
