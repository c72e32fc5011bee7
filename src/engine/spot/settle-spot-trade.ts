import { toAmount } from '../../domain/amount.ts';
import { assert } from '../../domain/assert.ts';
import { feeOf } from '../../domain/fee.ts';
import type {
  AccountId,
  OrderNumber,
  TimestampMs,
  TradeId,
  TradeNumber,
} from '../../domain/identifiers.ts';
import type { Lots, Ticks } from '../../domain/spot-market.ts';
import { sides } from '../../domain/spot-order.ts';
import {
  type BookSide,
  buySide,
  type LevelListener,
  type TradeListener,
} from '../book/order-book.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ClientOrderIds } from '../orders/client-order-ids.ts';
import type { OpenOrders } from '../orders/open-orders.ts';
import type { Outcome } from '../outcome.ts';
import { compact } from '../storage/compact.ts';
import type { SpotMarketState } from './spot-market-state.ts';

// A trade moves money at the maker's price: the maker pays from what its order locked, the taker
// from its available balance, and each receives its amount less the fee. A resting buy locks
// exactly price times lots, so what it locked for the traded lots is what it pays.

interface SettledTrade {
  readonly price: number;
  readonly quantity: number;
  readonly quote: bigint;
  readonly makerFee: bigint;
  readonly takerFee: bigint;
}

/** What a trade changes, and the time of its command. */
interface TradedState {
  readonly timestamp: TimestampMs;
  /** The trade number assigned last. */
  tradeNumber: number;
  readonly ledger: Ledger;
  readonly orders: OpenOrders;
  readonly clientOrderIds: ClientOrderIds;
  readonly outcome: Outcome;
}

/** Receives the callbacks of a book while an order is added or canceled, and settles its trades. */
export class SpotSettlement implements TradeListener, LevelListener {
  private readonly state: TradedState;
  private market: SpotMarketState | null = null;
  private taker = -1;

  constructor(state: TradedState) {
    this.state = state;
  }

  /** Sets the market of the next callbacks, and the record of the arriving order (-1: none). */
  listenTo(market: SpotMarketState, taker: number): void {
    this.market = market;
    this.taker = taker;
  }

  onLevelChanged(side: BookSide, price: number, quantity: number): void {
    const { market } = this;
    assert(market !== null, 'a book reported a change outside a command');
    this.state.outcome.changeLevel(market.terms.marketId, side, price, quantity);
  }

  onTrade(maker: number, price: number, quantity: number, makerLeft: number): void {
    const { state, market, taker } = this;
    const { orders } = state;
    assert(market !== null, 'a book reported a change outside a command');
    const quote = market.quoteAmount(price, quantity);
    const base = market.baseAmount(quantity);
    const isTakerBuying = orders.sideOf(taker) === buySide;
    const buyer = isTakerBuying ? taker : maker;
    const seller = isTakerBuying ? maker : taker;
    const baseFee = feeOf(base, isTakerBuying ? market.takerFeeRate : market.makerFeeRate);
    const quoteFee = feeOf(quote, isTakerBuying ? market.makerFeeRate : market.takerFeeRate);
    const { ledger } = state;
    // The maker pays from what its order locked, the cell after its available balance.
    const quoteFrom = orders.quoteCellOf(buyer) + (isTakerBuying ? 0 : 1);
    const baseFrom = orders.baseCellOf(seller) + (isTakerBuying ? 1 : 0);
    const quoteNet = BigInt.asIntN(64, quote - quoteFee);
    const baseNet = BigInt.asIntN(64, base - baseFee);
    const quoteTo = orders.quoteCellOf(seller);
    const baseTo = orders.baseCellOf(buyer);
    ledger.postWithFee(quoteFrom, quoteTo, quoteNet, market.quoteFeeCell, quoteFee);
    ledger.postWithFee(baseFrom, baseTo, baseNet, market.baseFeeCell, baseFee);
    orders.fill(taker, quantity, quote, state.timestamp);
    orders.fill(maker, quantity, quote, state.timestamp);
    state.tradeNumber += 1;
    market.lastTradeId += 1;
    if (state.outcome.isObserved) {
      const makerFee = isTakerBuying ? quoteFee : baseFee;
      const takerFee = isTakerBuying ? baseFee : quoteFee;
      this.report(market, maker, { price, quantity, quote, makerFee, takerFee }, makerLeft);
    }
    if (makerLeft === 0) this.close(maker);
  }

  private report(
    market: SpotMarketState,
    maker: number,
    { price, quantity, quote, makerFee, takerFee }: SettledTrade,
    makerLeft: number,
  ): void {
    const { state, taker } = this;
    const { orders } = state;
    state.outcome.push({
      type: 'spotTradeExecuted',
      trade: {
        tradeNumber: state.tradeNumber as TradeNumber,
        tradeId: market.lastTradeId as TradeId,
        marketId: market.terms.marketId,
        price: compact(price) as Ticks,
        quantity: compact(quantity) as Lots,
        quoteAmount: toAmount(quote),
        takerSide: sides[orders.sideOf(taker)],
        makerOrderNumber: compact(orders.numberOf(maker)) as OrderNumber,
        takerOrderNumber: compact(orders.numberOf(taker)) as OrderNumber,
        makerOrderCreatedAt: orders.createdAtOf(maker) as TimestampMs,
        takerOrderCreatedAt: orders.createdAtOf(taker) as TimestampMs,
        makerAccountId: orders.accountOf(maker) as AccountId,
        takerAccountId: orders.accountOf(taker) as AccountId,
        makerFee: toAmount(makerFee),
        takerFee: toAmount(takerFee),
      },
    });
    const status = makerLeft === 0 ? 'filled' : 'partially_filled';
    state.outcome.push({ type: 'spotOrderUpdated', order: orders.describe(maker, status) });
  }

  private close(maker: number): void {
    const { orders, clientOrderIds } = this.state;
    if (orders.hasClientOrderId(maker)) clientOrderIds.remove(maker);
    orders.drop(maker);
  }
}
