import { toAmount } from '../../../domain/amount.ts';
import { assert } from '../../../domain/assert.ts';
import { feeOf } from '../../../domain/fee.ts';
import type { FuturesTradeParty } from '../../../domain/futures-order.ts';
import type { TradeId, TradeNumber } from '../../../domain/identifiers.ts';
import type { Lots, Ticks } from '../../../domain/spot-market.ts';
import type { BookSide, LevelListener, TradeListener } from '../../book/order-book.ts';
import { postingCodes } from '../../ledger/postings.ts';
import { applyFill } from '../accounts/apply-fill.ts';
import { countTrade } from '../command-rules.ts';
import type { FuturesState } from '../futures-state.ts';
import { feeRate } from '../margin/fee-rates.ts';
import type { FuturesMarketState } from '../markets/futures-market-state.ts';
import { priceByFirstTrade } from '../pricing/mark-price.ts';
import { followFill } from './attached-orders.ts';
import { type LiveOrder, leftOf } from './live-order.ts';
import { openInterestAfter } from './open-interest.ts';
import { removeExposure } from './order-exposure.ts';
import { type TradeTerms } from './trade-terms.ts';

/**
 * Receives the callbacks of a market's book while orders are matched, and settles each trade on
 * both accounts.
 */
export class FuturesSettlement implements TradeListener, LevelListener {
  readonly state: FuturesState;
  private readonly marketId: number;
  /** The arriving order being matched; null otherwise. */
  taker: LiveOrder | null = null;

  constructor(state: FuturesState, marketId: number) {
    this.state = state;
    this.marketId = marketId;
  }

  onLevelChanged(side: BookSide, price: number, quantity: number): void {
    this.state.changeLevel(this.state.getMarket(this.marketId), side, price, quantity);
  }

  onTrade(slot: number, price: number, quantity: number): void {
    const { state, taker } = this;
    const maker = state.orders.at(slot);
    assert(taker !== null, 'the book trades where an order arrives');
    settleTrade(state, state.getMarket(this.marketId), { maker, taker, price, quantity });
  }
}

/** Moves positions, profits and fees, and reports the trade with both of its orders. */
export function settleTrade(
  state: FuturesState,
  market: FuturesMarketState,
  { maker, taker, price, quantity }: TradeTerms,
): void {
  const quote = market.quote(price, quantity);
  countTrade(state, maker, taker);
  if (market.markPrice === null) priceByFirstTrade(state, market, price);
  if (maker.isResting) removeExposure(state, maker, quantity);
  const reached = openInterestAfter(state, market, { maker, taker, quantity });
  const making = { price, quantity, quote, reached, isMaker: true };
  const taking = { price, quantity, quote, reached, isMaker: false };
  const makerParty = settleParty(state, market, maker, making);
  const takerParty = settleParty(state, market, taker, taking);
  const isOffBook = maker.origin !== 'user';
  if (!isOffBook) {
    market.lastPrice = price;
    state.movedMarkets.add(market);
  }
  state.engine.tradeNumber += 1;
  market.lastTradeId += 1;
  const tradeNumber = state.engine.tradeNumber as TradeNumber;
  state.engine.outcome.push({
    type: 'futuresTradeExecuted',
    trade: {
      tradeNumber,
      tradeId: market.lastTradeId as TradeId,
      marketId: market.terms.marketId,
      price: price as Ticks,
      quantity: quantity as Lots,
      quoteAmount: toAmount(quote),
      takerSide: taker.side,
      isOffBook,
      maker: makerParty,
      taker: takerParty,
    },
  });
  for (const order of [maker, taker]) {
    if (leftOf(order) === 0) {
      order.isResting = false;
      state.removeOrder(order);
    }
    state.reportOrder(order, 'traded', null, tradeNumber);
  }
}

interface FillTerms {
  readonly price: number;
  readonly quantity: number;
  readonly quote: bigint;
  readonly reached: number;
  readonly isMaker: boolean;
}

function settleParty(
  state: FuturesState,
  market: FuturesMarketState,
  order: LiveOrder,
  { price, quantity, quote, reached, isMaker }: FillTerms,
): FuturesTradeParty {
  const account = state.openAccount(order.accountId);
  const isForced = order.origin !== 'user';
  if (order.origin === 'auto_deleveraging') state.commandWork.addDeleveraged(order.accountId);
  const fee = isForced ? 0n : feeOf(quote, feeRate(account, market, isMaker));
  const { side } = order;
  const profit = applyFill(state, account, market, { side, price, quantity, fee, reached });
  state.postToWallet(account, state.cells.feeRevenue(), -fee, postingCodes.futuresFee);
  if (order.hasChildren) followFill(state, order, quantity);
  order.filledQuantity = (order.filledQuantity + quantity) as Lots;
  order.filledQuote = toAmount(order.filledQuote + quote);
  order.status = leftOf(order) === 0 ? 'filled' : 'partially_filled';
  return {
    orderNumber: order.orderNumber,
    accountId: order.accountId,
    fee: toAmount(fee),
    realizedProfit: toAmount(profit),
  };
}
