import type { AlgoStatus } from '../../../application/futures/algo-status.ts';
import {
  clientOrderIdOf,
  triggeredTypeOf,
  workingTypeOf,
} from '../../../application/futures/order-names.ts';
import type {
  FuturesOrderEnd,
  FuturesOrderUpdated,
  OpenNotional,
} from '../../../application/ports/exchange.ts';
import { formatAmount } from '../../../domain/amount.ts';
import { formatScaled } from '../../../domain/decimal.ts';
import type { FuturesMarket } from '../../../domain/futures-market.ts';
import type { FuturesOrder, FuturesTrade } from '../../../domain/futures-order.ts';
import { upperWord } from '../../../domain/upper-word.ts';
import { formatAverage } from './average-price.ts';
import type { EventFields } from './event-topic.ts';
import { formatLots, formatTicks } from './market-events.ts';

// ORDER_TRADE_UPDATE and ALGO_UPDATE: one event for each thing that happens to an order.

const executions = {
  placed: 'NEW',
  triggered: 'NEW',
  traded: 'TRADE',
  amended: 'AMENDMENT',
  canceled: 'CANCELED',
  expired: 'EXPIRED',
  rejected: 'EXPIRED',
} as const satisfies Record<FuturesOrderUpdated['cause'], string>;

/** Binance's expiry reasons, the field `er`, for ends that mean the same for every order. */
const endReasons = {
  reduce_only: '4',
  position_closed: '4',
  liquidation: '5',
  parent_ended: '6',
  sibling_fired: '6',
  good_till_date: '6',
  market_delisted: '7',
  price_protection: '9',
  price_match: '9',
  margin: '9',
  open_interest: '9',
  countdown: '0',
} as const satisfies Record<Exclude<FuturesOrderEnd, 'self_trade' | 'time_in_force'>, string>;

export interface OrderEvent {
  readonly market: FuturesMarket;
  readonly update: FuturesOrderUpdated;
  /** The trade that the update reports, if any. */
  readonly trade: FuturesTrade | null;
  /** What the account's resting orders in the market can still trade. */
  readonly open: OpenNotional;
  readonly time: number;
  /** The client's id for the amendment that caused the update, if any. */
  readonly modifyId: number | null;
}

/** The fields of ORDER_TRADE_UPDATE after `e` and `E`. */
export function orderTradeUpdate(event: OrderEvent): EventFields {
  const { market, update, open, time, modifyId } = event;
  const { order } = update;
  const price = (ticks: number | null): string =>
    ticks === null ? '0' : formatTicks(market, ticks);
  const type = upperWord(order.type);
  return {
    T: time,
    o: {
      s: market.symbol,
      c: clientOrderIdOf(order),
      S: upperWord(order.side),
      o: triggeredTypeOf(order) ?? type,
      f: upperWord(order.timeInForce),
      q: formatLots(market, order.quantity),
      p: price(order.price),
      ap: formatAverage(market, order.filledQuote, BigInt(order.filledQuantity)) ?? '0',
      sp: price(order.stopPrice),
      x: isLiquidationFill(update) ? 'CALCULATED' : executions[update.cause],
      X: upperWord(order.status),
      i: order.orderNumber,
      ...(update.cause === 'amended' && modifyId !== null ? { M: String(modifyId) } : {}),
      ...fillFields(event),
      z: formatLots(market, order.filledQuantity),
      T: time,
      b: formatAmount(open.bids),
      a: formatAmount(open.asks),
      R: order.isReduceOnly,
      wt: workingTypeOf(order.triggerPriceKind),
      ot: type,
      ps: 'BOTH',
      cp: order.isClosePosition,
      ...trailingFields(order, price),
      pP: order.isPriceProtected,
      si: 0,
      ss: 0,
      V: upperWord(order.selfTradeMode),
      pm: upperWord(order.priceMatch),
      gtd: order.goodTill ?? 0,
      er: endReasonOf(update),
    },
  };
}

/** The fields of ALGO_UPDATE after `e` and `E`. */
export function algoUpdate({ market, update, time }: OrderEvent, status: AlgoStatus): EventFields {
  const { order } = update;
  const price = (ticks: number | null): string =>
    ticks === null ? '0' : formatTicks(market, ticks);
  const isTriggered = order.triggeredAt !== null && status !== 'TRIGGERING';
  return {
    T: time,
    o: {
      caid: clientOrderIdOf(order),
      aid: order.orderNumber,
      at: 'CONDITIONAL',
      o: upperWord(order.type),
      s: market.symbol,
      S: upperWord(order.side),
      ps: 'BOTH',
      f: upperWord(order.timeInForce),
      q: formatLots(market, order.quantity),
      X: status,
      ai: isTriggered ? String(order.orderNumber) : '',
      ap: formatAverage(market, order.filledQuote, BigInt(order.filledQuantity)) ?? '0',
      aq: formatLots(market, order.filledQuantity),
      act: isTriggered ? (triggeredTypeOf(order) ?? '') : '',
      tp: price(order.stopPrice),
      p: price(order.price),
      V: upperWord(order.selfTradeMode),
      wt: workingTypeOf(order.triggerPriceKind),
      pm: upperWord(order.priceMatch),
      cp: order.isClosePosition,
      pP: order.isPriceProtected,
      R: order.isReduceOnly,
      tt: order.triggeredAt ?? 0,
      gtd: order.goodTill ?? 0,
      rm: update.cause === 'rejected' ? (update.end ?? '') : '',
    },
  };
}

/** The fields of TRADE_LITE after `e` and `E`: a short form of a fill. */
export function tradeLite(
  { market, update, time }: OrderEvent,
  { tradeId, maker, price, quantity }: FuturesTrade,
): EventFields {
  const { order } = update;
  return {
    T: time,
    s: market.symbol,
    q: formatLots(market, order.quantity),
    p: order.price === null ? '0' : formatTicks(market, order.price),
    m: maker.orderNumber === order.orderNumber,
    c: clientOrderIdOf(order),
    S: upperWord(order.side),
    L: formatTicks(market, price),
    l: formatLots(market, quantity),
    t: tradeId,
    i: order.orderNumber,
  };
}

function endReasonOf({ order, end }: FuturesOrderUpdated): string {
  if (end === null) return '0';
  const isMarket = order.price === null;
  if (end === 'self_trade') return order.timeInForce === 'ioc' && !isMarket ? '3' : '1';
  if (end !== 'time_in_force') return endReasons[end];
  if (order.timeInForce === 'fok') return '10';
  if (order.timeInForce === 'gtx') return '11';
  return isMarket ? '9' : '2';
}

function isLiquidationFill({ order, cause }: FuturesOrderUpdated): boolean {
  return cause === 'traded' && order.origin !== 'user';
}

function fillFields({ market, update, trade }: OrderEvent): EventFields {
  if (trade === null) return { l: '0', L: '0', t: 0, m: false, rp: '0' };
  const isMaker = trade.maker.orderNumber === update.order.orderNumber;
  const party = isMaker ? trade.maker : trade.taker;
  return {
    l: formatLots(market, trade.quantity),
    L: formatTicks(market, trade.price),
    N: 'USDT',
    n: formatAmount(party.fee),
    t: trade.tradeId,
    m: isMaker,
    rp: formatAmount(party.realizedProfit),
  };
}

function trailingFields(
  { callback, activationPrice }: FuturesOrder,
  price: (ticks: number | null) => string,
): EventFields {
  if (callback === null) return {};
  return { AP: price(activationPrice), cr: formatScaled(BigInt(callback), callbackScale) };
}

// 100 basis points are one percent.
const callbackScale = 2;
