import type { Decimal } from '../../domain/decimal.ts';
import type { FuturesMarket } from '../../domain/futures-market.ts';
import type { Address } from '../../domain/identifiers.ts';
import { done, type Outcome, refused } from '../../domain/outcome.ts';
import { type Ticks, ticksFromDecimal } from '../../domain/spot-market.ts';
import type { AttachedTrigger } from '../../engine/futures-commands.ts';
import type { RequestDigest } from '../ports/exchange.ts';
import { changeLeverage } from './account-leverage.ts';
import {
  type EnteredOrder,
  type FuturesOrderTerms,
  placeFuturesOrder,
} from './enter-futures-order.ts';
import { type FuturesPorts } from './futures-ports.ts';
import {
  type FuturesOrderView,
  type OwnTradeView,
  viewFuturesOrder,
  viewOwnTrade,
} from './futures-views.ts';
import { boundSlippage } from './preview-order.ts';

/** What an order on the general endpoints can specify beyond an order on /fapi. */
export interface OrderExtras {
  /** Trigger prices of the child orders that close the position with a gain or a loss. */
  readonly takeProfitPrice: Decimal | null;
  readonly stopLossPrice: Decimal | null;
  /** For a market order: how much worse than the best price its average fill can be. */
  readonly maxSlippage: Decimal | null;
  /** Sets the caller's leverage in the market first; null keeps it. */
  readonly leverage: number | null;
}

export interface PlacedOrderView extends FuturesOrderView {
  readonly fills: readonly OwnTradeView[];
}

/**
 * Places an order of the caller and returns its state after matching, once durable.
 * @throws EngineBusyError, EngineRestartingError: the order was not accepted.
 */
export async function placeOrder(
  ports: FuturesPorts,
  caller: Address,
  order: {
    readonly market: FuturesMarket;
    readonly terms: FuturesOrderTerms;
    readonly extras: OrderExtras;
    readonly digest: RequestDigest | null;
  },
): Promise<Outcome<PlacedOrderView>> {
  const { market, terms, extras, digest } = order;
  const takeProfit = readTrigger(market, terms, extras.takeProfitPrice);
  const stopLoss = readTrigger(market, terms, extras.stopLossPrice);
  if (takeProfit === undefined || stopLoss === undefined) {
    return refused({ reason: 'price_off_tick' });
  }
  const worstPrice = findWorstPrice(ports, market, terms, extras.maxSlippage);
  if (worstPrice.kind === 'refused') return worstPrice;
  const leverage = await applyLeverage(ports, caller, market, extras.leverage);
  if (leverage.kind === 'refused') return leverage;
  const complete = { ...terms, worstPrice: worstPrice.value, takeProfit, stopLoss };
  const entry = { terms: complete, digest };
  return placeFuturesOrder(ports, caller, entry, (entered) => viewEnteredOrder(market, entered));
}

/** An order's state after a command, with its trades in that command. */
export function viewEnteredOrder(
  market: FuturesMarket,
  { current, trades }: EnteredOrder,
): PlacedOrderView {
  const fills = trades.map((trade) => {
    const role = trade.taker.orderNumber === current.orderNumber ? 'taker' : 'maker';
    return viewOwnTrade({ trade, role, createdAt: current.updatedAt }, market);
  });
  return { ...viewFuturesOrder(current, market), fills };
}

/** Undefined if the price is off the market's grid. */
function readTrigger(
  market: FuturesMarket,
  { triggerPriceKind }: FuturesOrderTerms,
  price: Decimal | null,
): AttachedTrigger | null | undefined {
  if (price === null) return null;
  const stopPrice = ticksFromDecimal(market, price);
  return stopPrice === null ? undefined : { stopPrice, triggerPriceKind };
}

function findWorstPrice(
  { exchange }: FuturesPorts,
  market: FuturesMarket,
  { orderType, side, quantity }: FuturesOrderTerms,
  maxSlippage: Decimal | null,
): Outcome<Ticks | null> {
  if (maxSlippage === null) return done(null);
  if (orderType !== 'market' || quantity === null) {
    const detail = 'max_slippage: for MARKET orders only';
    return refused({ reason: 'parameter_invalid', detail });
  }
  return boundSlippage(exchange, { market, side, quantity, maxSlippage });
}

async function applyLeverage(
  { exchange }: FuturesPorts,
  caller: Address,
  market: FuturesMarket,
  leverage: number | null,
): Promise<Outcome<unknown>> {
  if (leverage === null) return done(null);
  const current = exchange.peek((view) => {
    const accountId = view.findAccount(caller);
    return accountId === null ? null : view.futures.getLeverage(accountId, market.marketId);
  });
  return current === leverage ? done(null) : changeLeverage(exchange, caller, market, leverage);
}
