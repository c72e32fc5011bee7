import { type Amount, toAmount } from '../../src/domain/amount.ts';
import { parseDecimal } from '../../src/domain/decimal.ts';
import {
  defaultGuards,
  type FuturesMarket,
  type FuturesMarketId,
  type Rate,
} from '../../src/domain/futures-market.ts';
import {
  type FuturesOrder,
  type FuturesTradeParty,
  priceMatches,
} from '../../src/domain/futures-order.ts';
import type { SignedLots } from '../../src/domain/futures-position.ts';
import type {
  AccountId,
  Address,
  OrderNumber,
  Sequence,
  TimestampMs,
  TradeId,
  TradeNumber,
} from '../../src/domain/identifiers.ts';
import type { Lots, Ticks } from '../../src/domain/spot-market.ts';
import type { AppliedCommand, EngineEvent } from '../../src/engine/events.ts';
import type { FuturesOrderUpdated } from '../../src/engine/futures-events.ts';

// Outcomes of a futures exchange made by hand: every event that becomes a row, random but
// repeatable, without an engine whose rules would keep the odd ones away.

export function futuresAddress(number: number): Address {
  return `0x${(0xf0000 + number).toString(16).padStart(40, '0')}` as Address;
}

export const btcMarket = makeMarket(0, 'BTCUSDT', 'BTC', '0.1');
export const ethMarket = makeMarket(1, 'ETHUSDT', 'ETH', '0.01');

/** Orders, trades, positions and all that follows, in the order in which they happened. */
export class FuturesOutcomes {
  readonly outcomes: AppliedCommand[] = [];
  readonly accounts: number;
  time: number;
  /** The maximum that passes between two commands. */
  stepMsMax = 600_000;
  readonly #orders = new Map<OrderNumber, FuturesOrder>();
  #orderNumber = 0;
  #tradeNumber = 0;
  readonly #tradeIds = new Map<FuturesMarketId, TradeId>();
  #fundingHour = 0;
  #transferNumber = 0;
  #random: number;

  constructor({ seed, accounts = 4 }: { readonly seed: number; readonly accounts?: number }) {
    this.accounts = accounts;
    this.#random = seed;
    this.time = Date.UTC(2026, 1, 27, 21, 30, 0, 17);
  }

  /** Accounts and markets. */
  open(): void {
    for (let number = 1; number <= this.accounts; number += 1) {
      const accountId = number as AccountId;
      this.add([{ type: 'accountOpened', accountId, address: futuresAddress(number) }]);
    }
    for (const market of [btcMarket, ethMarket]) {
      this.add([{ type: 'futuresMarketCreated', market }]);
    }
  }

  trade(count: number): void {
    for (let done = 0; done < count; done += 1) {
      this.time += this.draw(this.stepMsMax);
      this.add(this.#nextEvents());
    }
  }

  add(events: readonly EngineEvent[]): AppliedCommand {
    const outcome: AppliedCommand = {
      sequence: (this.outcomes.length + 1) as Sequence,
      timestamp: this.time as TimestampMs,
      command: { type: 'advanceTime' },
      rejection: null,
      events,
    };
    this.outcomes.push(outcome);
    return outcome;
  }

  /** A match between two accounts, with both orders' events; the trade's number. */
  match(options: {
    readonly maker: number;
    readonly taker: number;
    readonly market?: FuturesMarket;
    readonly price: number;
    readonly quantity: number;
  }): TradeNumber {
    const events: EngineEvent[] = [];
    const { market = btcMarket } = options;
    const maker = this.#newOrder(options.maker as AccountId, market, options);
    const taker = this.#newOrder(options.taker as AccountId, market, options);
    this.#pushTrade(events, { ...maker, side: 'sell' }, { ...taker, side: 'buy' });
    this.add(events);
    return this.#tradeNumber as TradeNumber;
  }

  draw(limit: number): number {
    this.#random = (this.#random + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#random ^ (this.#random >>> 15), 1 | this.#random);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit);
  }

  #nextEvents(): readonly EngineEvent[] {
    const kind = this.draw(12);
    const accountId = this.#anyone();
    const market = this.draw(2) === 0 ? btcMarket : ethMarket;
    const { marketId } = market;
    if (kind < 5) return this.#tradeEvents(market);
    if (kind < 7) return this.#changeOrder();
    if (kind === 7) return this.#fund(market);
    if (kind === 8) return this.#transfer(accountId);
    if (kind === 9) return this.#liquidate(accountId, market);
    if (kind === 10) {
      return [{ type: 'leverageChanged', accountId, marketId, leverage: 1 + this.draw(50) }];
    }
    const statuses = ['listed', 'halted'] as const;
    const status = statuses[this.draw(2)] ?? 'listed';
    return [{ type: 'futuresMarketStatusChanged', marketId, status }];
  }

  #tradeEvents(market: FuturesMarket): readonly EngineEvent[] {
    const events: EngineEvent[] = [];
    const taker = this.#newOrder(this.#anyone(), market, this.#terms());
    for (let fills = 1 + this.draw(3); fills > 0; fills -= 1) {
      const maker = this.#newOrder(this.#anyoneBut(taker.accountId), market, this.#terms());
      this.#pushTrade(events, maker, taker);
    }
    return events;
  }

  #terms() {
    return { price: 1000 + this.draw(50), quantity: 1 + this.draw(500) };
  }

  #pushTrade(events: EngineEvent[], maker: FuturesOrder, taker: FuturesOrder): void {
    this.#tradeNumber += 1;
    const tradeNumber = this.#tradeNumber as TradeNumber;
    const tradeId = ((this.#tradeIds.get(maker.marketId) ?? 0) + 1) as TradeId;
    this.#tradeIds.set(maker.marketId, tradeId);
    const price = maker.price ?? (1000 as Ticks);
    const { quantity, marketId } = maker;
    const quoteAmount = toAmount(BigInt(price) * BigInt(quantity) * 1_000_000n);
    events.push({
      type: 'futuresTradeExecuted',
      trade: {
        tradeNumber,
        tradeId,
        marketId,
        price,
        quantity,
        quoteAmount,
        takerSide: taker.side,
        isOffBook: maker.origin !== 'user',
        maker: this.#party(maker),
        taker: this.#party(taker),
      },
    });
    for (const order of [maker, taker]) {
      const filled = { ...order, filledQuantity: quantity, filledQuote: quoteAmount };
      this.#push(events, { ...filled, status: 'filled' }, 'traded', tradeNumber);
      events.push(this.#position(order.accountId, order.marketId));
      events.push(this.#balance(order.accountId));
    }
  }

  #party({ orderNumber, accountId }: FuturesOrder): FuturesTradeParty {
    const fee = toAmount(BigInt(this.draw(3) * this.draw(1_000_000)));
    return { orderNumber, accountId, fee, realizedProfit: this.#signed(1_000_000_000) };
  }

  #changeOrder(): readonly EngineEvent[] {
    const events: EngineEvent[] = [];
    const fresh = this.#newOrder(this.#anyone(), btcMarket, this.#terms());
    this.#push(events, fresh, 'placed');
    const known = [...this.#orders.values()];
    const old = known[this.draw(known.length)] ?? fresh;
    const terms = this.#terms();
    const amended = {
      ...(this.draw(2) === 0 ? old : fresh),
      price: terms.price as Ticks,
      quantity: (terms.quantity + 1000) as Lots,
    };
    this.#push(events, amended, 'amended');
    if (this.draw(2) === 0) {
      this.#push(events, { ...amended, status: 'expired' }, 'expired', null, 'countdown');
    }
    return events;
  }

  #push(
    events: EngineEvent[],
    order: FuturesOrder,
    cause: FuturesOrderUpdated['cause'],
    tradeNumber: TradeNumber | null = null,
    end: FuturesOrderUpdated['end'] = null,
  ): void {
    this.#orders.set(order.orderNumber, order);
    events.push({ type: 'futuresOrderUpdated', order, cause, tradeNumber, end });
  }

  #newOrder(
    accountId: AccountId,
    market: FuturesMarket,
    { price, quantity }: { readonly price: number; readonly quantity: number },
  ): FuturesOrder {
    this.#orderNumber += 1;
    const isTrigger = this.draw(4) === 0;
    const time = this.time as TimestampMs;
    return {
      orderNumber: this.#orderNumber as OrderNumber,
      accountId,
      marketId: market.marketId,
      clientOrderId: this.draw(2) === 0 ? 'NULL' : null,
      side: this.draw(2) === 0 ? 'buy' : 'sell',
      type: isTrigger ? 'stop' : 'limit',
      timeInForce: this.draw(5) === 0 ? 'gtd' : 'gtc',
      price: price as Ticks,
      quantity: quantity as Lots,
      filledQuantity: 0 as Lots,
      filledQuote: toAmount(0n),
      status: 'new',
      stopPrice: isTrigger ? ((price + 5) as Ticks) : null,
      triggerPriceKind: this.draw(2) === 0 ? 'mark' : 'contract',
      activationPrice: null,
      callback: isTrigger ? (25 as FuturesOrder['callback']) : null,
      isReduceOnly: this.draw(2) === 0,
      isClosePosition: false,
      isPriceProtected: false,
      priceMatch: priceMatches[this.draw(priceMatches.length)] ?? 'none',
      selfTradeMode: 'expire_taker',
      goodTill: this.draw(5) === 0 ? time : null,
      parentOrderNumber: this.draw(5) === 0 ? (1 as OrderNumber) : null,
      isAlgo: isTrigger,
      origin: this.draw(6) === 0 ? 'liquidation' : 'user',
      triggeredAt: isTrigger && this.draw(2) === 0 ? time : null,
      createdAt: time,
      updatedAt: time,
    };
  }

  #fund({ marketId }: FuturesMarket): readonly EngineEvent[] {
    this.#fundingHour += 1;
    const fundingTime = (3_600_000 * this.#fundingHour) as TimestampMs;
    const fundingRate = BigInt(this.draw(200_000) - 100_000) as Rate;
    const markPrice = toAmount(10_000_000_000n);
    const events: EngineEvent[] = [
      { type: 'fundingSettled', marketId, fundingTime, fundingRate, markPrice },
    ];
    for (let number = 1; number <= this.accounts; number += 1) {
      const accountId = number as AccountId;
      const positionQuantity = (this.draw(200) - 100) as SignedLots;
      const amount = this.#signed(10_000_000);
      const payment = { accountId, marketId, fundingTime, positionQuantity, amount };
      events.push({ type: 'fundingPaid', ...payment }, this.#balance(accountId));
    }
    return events;
  }

  #transfer(accountId: AccountId): readonly EngineEvent[] {
    this.#transferNumber += 1;
    const isRepeated = this.draw(4) === 0;
    const direction = this.draw(2) === 0 ? 'spot_to_perp' : 'perp_to_spot';
    const amount = toAmount(BigInt(1 + this.draw(1_000_000_000)));
    const transferNumber = this.#transferNumber;
    const clientTransferId = null;
    const facts = { accountId, direction, amount, clientTransferId, isRepeated } as const;
    return [{ type: 'fundsTransferred', transferNumber, ...facts }, this.#balance(accountId)];
  }

  #liquidate(accountId: AccountId, { marketId }: FuturesMarket): readonly EngineEvent[] {
    const stage = 'final' as const;
    const facts = {
      stage,
      equity: this.#signed(100_000_000),
      maintenanceMargin: toAmount(12_345_678n),
    };
    const [balance, held] = [toAmount(0n), toAmount(5n)];
    const change = this.#signed(100_000_000);
    const paid = this.#signed(100_000_000);
    const started = { accountId, marketId: null, step: 'orders_canceled', number: 1 } as const;
    const closing = { accountId, marketId, step: 'closing', number: 1 } as const;
    return [
      { type: 'liquidationProgressed', ...started, ...facts, bankruptcyPrice: null },
      { type: 'liquidationProgressed', ...closing, ...facts, bankruptcyPrice: 990 as Ticks },
      {
        type: 'liquidationProgressed',
        ...closing,
        ...facts,
        bankruptcyPrice: 990 as Ticks,
        lots: 7 as Lots,
        paid: toAmount(3n),
      },
      { type: 'insuranceFundChanged', balance, change, held, accountId, number: 1, paid },
      { type: 'insuranceFundChanged', balance, change, held, accountId, number: 1, paid: balance },
      { type: 'insuranceFundChanged', balance, change, accountId },
      { type: 'insuranceFundChanged', balance, change, accountId: null },
    ];
  }

  #position(accountId: AccountId, marketId: FuturesMarketId): EngineEvent {
    const position = {
      accountId,
      marketId,
      quantity: (this.draw(2000) - 1000) as SignedLots,
      entryNotional: toAmount(BigInt(this.draw(1_000_000_000))),
      realizedProfit: this.#signed(1_000_000_000),
      fees: toAmount(0n),
      updatedAt: this.time as TimestampMs,
    };
    return { type: 'positionChanged', position };
  }

  #balance(accountId: AccountId): EngineEvent {
    const walletBalance = this.#signed(2_000_000_000);
    const reserved = toAmount(BigInt(this.draw(1_000)));
    return { type: 'perpBalanceChanged', accountId, walletBalance, reserved };
  }

  #signed(limit: number): Amount {
    return toAmount(BigInt(this.draw(2 * limit) - limit));
  }

  /** No account trades with itself. */
  #anyoneBut(accountId: AccountId): AccountId {
    const next = accountId + this.draw(this.accounts - 1);
    return ((next % this.accounts) + 1) as AccountId;
  }

  #anyone(): AccountId {
    return (1 + this.draw(this.accounts)) as AccountId;
  }
}

function makeMarket(id: number, symbol: string, baseAsset: string, tick: string): FuturesMarket {
  const tickSize = parseDecimal(tick);
  const lotSize = parseDecimal('0.001');
  if (tickSize === null || lotSize === null) throw new Error('the sizes are decimals');
  return {
    marketId: id as FuturesMarketId,
    symbol,
    baseAsset,
    tickSize,
    lotSize,
    tickLotAmount: toAmount((tickSize * lotSize) / 10n ** 28n),
    minNotional: toAmount(500_000_000n),
    maxNotional: toAmount(10n ** 15n),
    maxLeverage: 100,
    maintenanceMarginRate: 4_000_000n as Rate,
    makerFeeBps: 2,
    takerFeeBps: 5,
    indexPriceSource: 'book',
    ...defaultGuards(toAmount(10n ** 15n)),
    status: 'listed',
    brackets: [],
    createdAt: Date.UTC(2026, 0, 1) as TimestampMs,
  };
}
