import { type Amount, formatAmount, scaleAmount, toAmount } from '../../domain/amount.ts';
import { formatDecimal, formatScaled } from '../../domain/decimal.ts';
import type { Address } from '../../domain/identifiers.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import {
  decimalFromLots,
  decimalFromTicks,
  notionalAmount,
  type SpotMarket,
  type Ticks,
} from '../../domain/spot-market.ts';
import {
  type BookScan,
  scanBook,
  scanByMoney,
  scanLevels,
  slippageOf,
} from '../../programs/trading/scan-book.ts';
import { formatAverage } from '../format-average.ts';
import type { EngineView } from '../ports/exchange.ts';
import type { SpotTradingPorts } from './place-spot-order.ts';
import {
  type SpotOrderRequest,
  type SpotOrderTerms,
  validateSpotOrder,
} from './validate-spot-order.ts';

/** What an order would do now; amounts without a token are in the quote token. */
export interface SpotPreviewView {
  readonly symbol: string;
  readonly side: string;
  readonly type: string;
  readonly tif: string;
  readonly price: string | null;
  readonly quantity: string | null;
  readonly quote_quantity: string | null;
  readonly best_price: string | null;
  readonly est_avg_price: string | null;
  readonly est_worst_price: string | null;
  readonly est_filled_quantity: string;
  readonly est_notional: string;
  readonly est_slippage: string;
  readonly est_fee: string;
  readonly fee_token: string;
  readonly maker_rate: string;
  readonly taker_rate: string;
  readonly needed: string;
  readonly needed_token: string;
  readonly available: string;
}

const bpsDigits = 4;
const bpsOne = 10_000n;

/**
 * What an order would fill immediately, at what price and fee, and what it needs. Nothing is
 * placed.
 * @throws EngineBusyError, EngineRestartingError
 */
export async function previewSpotOrder(
  { exchange, isSpotTradingEnabled }: SpotTradingPorts,
  caller: Address,
  request: SpotOrderRequest,
): Promise<Outcome<SpotPreviewView>> {
  if (!isSpotTradingEnabled) return refused({ reason: 'spot_trading_disabled' });
  return exchange.read((view) => {
    const market = view.findSpotMarket(request.symbol);
    if (market === null) return refused({ reason: 'market_not_found' });
    const terms = validateSpotOrder(market, request);
    if (terms.kind === 'refused') return terms;
    const scan = scanMarket(view, market, terms.value);
    return done(viewPreview(view, { market, caller, terms: terms.value, scan }));
  });
}

function scanMarket(view: EngineView, market: SpotMarket, terms: SpotOrderTerms): BookScan {
  const { side, price, quantity, quoteQuantity } = terms;
  return scanLevels(
    (levelsMax) => view.getDepth(market.marketId, levelsMax)[side === 'buy' ? 'asks' : 'bids'],
    (levels) =>
      quantity === null
        ? scanByMoney(market, levels, quoteQuantity ?? toAmount(0n))
        : scanBook(market, levels, { side, quantity, limit: price }),
  );
}

interface PreviewParts {
  readonly market: SpotMarket;
  readonly caller: Address;
  readonly terms: SpotOrderTerms;
  readonly scan: BookScan;
}

function viewPreview(view: EngineView, { market, caller, terms, scan }: PreviewParts) {
  const { side, orderType, timeInForce, price, quantity, quoteQuantity } = terms;
  const isBuy = side === 'buy';
  const filled = decimalFromLots(market, scan.filled);
  const received = isBuy ? toAmount(BigInt(scan.filled) * market.lotAmount) : scan.quote;
  const rate = { numerator: BigInt(market.takerFeeBps), denominator: bpsOne };
  const neededToken = isBuy ? market.quoteToken : market.baseToken;
  return {
    symbol: market.symbol,
    side,
    type: orderType,
    tif: timeInForce,
    price: formatTicks(market, price),
    quantity: quantity === null ? null : formatDecimal(decimalFromLots(market, quantity)),
    quote_quantity: quoteQuantity === null ? null : formatAmount(quoteQuantity),
    best_price: formatTicks(market, scan.bestPrice),
    est_avg_price: scan.filled === 0 ? null : formatAverage(scan.quote, filled, market.tickSize),
    est_worst_price: formatTicks(market, scan.worstPrice),
    est_filled_quantity: formatDecimal(filled),
    est_notional: formatAmount(scan.quote),
    est_slippage: formatDecimal(slippageOf(market, scan)),
    est_fee: formatAmount(scaleAmount(received, rate, 'up')),
    fee_token: isBuy ? market.baseToken : market.quoteToken,
    maker_rate: formatScaled(BigInt(market.makerFeeBps), bpsDigits),
    taker_rate: formatScaled(BigInt(market.takerFeeBps), bpsDigits),
    needed: formatAmount(neededFor(market, terms)),
    needed_token: neededToken,
    available: formatAmount(availableOf(view, caller, neededToken)),
  };
}

/** What the order takes from the balance, or sets aside while it rests. */
function neededFor(market: SpotMarket, terms: SpotOrderTerms): Amount {
  const { side, price, quantity, quoteQuantity } = terms;
  if (quantity === null) return quoteQuantity ?? toAmount(0n);
  if (side === 'sell' || price === null) return toAmount(BigInt(quantity) * market.lotAmount);
  return notionalAmount(market, price, quantity);
}

function availableOf(view: EngineView, caller: Address, token: string): Amount {
  const accountId = view.findAccount(caller);
  const balances = accountId === null ? [] : view.listBalances(accountId);
  const held = balances.find(({ tokenId }) => view.getTokenSymbol(tokenId) === token);
  return held?.available ?? toAmount(0n);
}

function formatTicks(market: SpotMarket, price: Ticks | null): string | null {
  return price === null ? null : formatDecimal(decimalFromTicks(market, price));
}
