import { toAmount } from '../../src/domain/amount.ts';
import { assert } from '../../src/domain/assert.ts';
import { type Decimal, parseDecimal } from '../../src/domain/decimal.ts';
import {
  defaultGuards,
  type FuturesMarketId,
  type FuturesMarketTerms,
  type Rate,
} from '../../src/domain/futures-market.ts';
import type { CallbackBps } from '../../src/domain/futures-order.ts';
import type {
  AccountId,
  Address,
  OrderNumber,
  Sequence,
  TimestampMs,
} from '../../src/domain/identifiers.ts';
import type { Rejection } from '../../src/domain/rejection.ts';
import type { Lots, Ticks } from '../../src/domain/spot-market.ts';
import type { Command } from '../../src/engine/commands.ts';
import { type Engine, engineFactory } from '../../src/engine/engine.ts';
import type { AppliedCommand, EngineEvent } from '../../src/engine/events.ts';
import type { PlaceFuturesOrder } from '../../src/engine/futures-commands.ts';
import { type Rules, rulesVersion } from '../../src/engine/rules.ts';

export const futuresMarketId = 0 as FuturesMarketId;
const unit = 10n ** 8n;

function decimal(text: string): Decimal {
  const value = parseDecimal(text);
  assert(value !== null, `${text} is a decimal`);
  return value;
}

/** BTCUSDT with ticks of 0.1 and lots of 0.001. */
export const btcTerms: FuturesMarketTerms = {
  symbol: 'BTCUSDT',
  baseAsset: 'BTC',
  tickSize: decimal('0.1'),
  lotSize: decimal('0.001'),
  minNotional: toAmount(5n * unit),
  maxNotional: toAmount(100_000_000n * unit),
  maxLeverage: 125,
  maintenanceMarginRate: 4_000_000n as Rate,
  makerFeeBps: 2,
  takerFeeBps: 5,
  indexPriceSource: 'admin',
  ...defaultGuards(toAmount(100_000_000n * unit)),
};

type OrderTerms = Partial<Omit<PlaceFuturesOrder, 'type' | 'price' | 'quantity' | 'stopPrice'>> & {
  /** USDT; null or absent for a market order. */
  readonly price?: number | null;
  /** BTC. */
  readonly quantity?: number | null;
  readonly stopPrice?: number;
  readonly activation?: number;
  readonly callbackBps?: number;
};

/** An engine with one futures market and accounts that hold USDT in their perp wallets. */
export class FuturesFixture {
  engine: Engine;
  now = 1_700_000_000_000;

  constructor(terms: FuturesMarketTerms = btcTerms, rules: Rules = rulesVersion) {
    this.engine = engineFactory.create(rules);
    this.done({ type: 'createFuturesMarket', terms });
  }

  apply(command: Command): AppliedCommand {
    const sequence = (this.engine.sequence + 1) as Sequence;
    return this.engine.apply(command, { sequence, timestamp: this.now as TimestampMs });
  }

  /** @throws Error if the engine refuses. */
  done(command: Command): readonly EngineEvent[] {
    const { rejection, events } = this.apply(command);
    assert(rejection === null, `${command.type}: ${rejection?.reason}`);
    return events;
  }

  refusal(command: Command): Rejection['reason'] | null {
    return this.apply(command).rejection?.reason ?? null;
  }

  /** Whole USDT in the perp wallet of account `number`. */
  fund(number: number, usdt: number): AccountId {
    const address = `0x${number.toString(16).padStart(40, '0')}` as Address;
    const amount = toAmount(BigInt(usdt) * unit);
    this.done({
      type: 'creditBalance',
      address,
      token: 'USDT',
      amount,
      actor: 'test',
      reason: null,
      reference: null,
    });
    const accountId = this.engine.findAccount(address);
    assert(accountId !== null, 'a credited account is open');
    const direction = 'spot_to_perp';
    this.done({ type: 'transferFunds', accountId, direction, amount, clientTransferId: null });
    return accountId;
  }

  setIndex(price: number): readonly EngineEvent[] {
    return this.done({
      type: 'setIndexPrice',
      symbol: 'BTCUSDT',
      price: toAmount(BigInt(price) * unit),
    });
  }

  /** Lets time pass and does all that is due; the events of every command that this took. */
  advance(durationMs: number): readonly EngineEvent[] {
    this.now += durationMs;
    const all: EngineEvent[] = [];
    for (;;) {
      const events = this.done({ type: 'advanceTime' });
      all.push(...events);
      if (!events.some(({ type }) => type === 'timedWorkDue')) return all;
    }
  }

  /** That many seconds with a fresh index, each of which takes a premium sample. */
  watch(seconds: number): void {
    const { indexPrice } = this.engine.futures.getFuturesPrices(futuresMarketId);
    assert(indexPrice !== null, 'the market has an index');
    for (let second = 0; second < seconds; second += 1) {
      this.now += 1_000;
      if (second % 30 === 0) {
        this.done({ type: 'setIndexPrice', symbol: 'BTCUSDT', price: indexPrice });
      }
      this.advance(0);
    }
  }

  order(accountId: AccountId, side: 'buy' | 'sell', terms: OrderTerms): PlaceFuturesOrder {
    const { price = null, quantity = null, stopPrice, activation, callbackBps, ...rest } = terms;
    const hasLimit = price !== null || (rest.priceMatch ?? 'none') !== 'none';
    const ticks = (usdt: number): Ticks => Math.round(usdt * 10) as Ticks;
    return {
      type: 'placeFuturesOrder',
      accountId,
      marketId: futuresMarketId,
      clientOrderId: null,
      side,
      orderType: hasLimit ? 'limit' : 'market',
      timeInForce: hasLimit ? 'gtc' : 'ioc',
      worstPrice: null,
      triggerPriceKind: 'contract',
      isReduceOnly: false,
      isClosePosition: false,
      isPriceProtected: false,
      priceMatch: 'none',
      selfTradeMode: 'expire_taker',
      goodTill: null,
      isAlgo: false,
      takeProfit: null,
      stopLoss: null,
      ...rest,
      price: price === null ? null : ticks(price),
      quantity: quantity === null ? null : (Math.round(quantity * 1_000) as Lots),
      stopPrice: stopPrice === undefined ? null : ticks(stopPrice),
      activationPrice: activation === undefined ? null : ticks(activation),
      callback: callbackBps === undefined ? null : (callbackBps as CallbackBps),
    };
  }

  /** Places an order and returns its number. @throws Error if the engine refuses. */
  place(accountId: AccountId, side: 'buy' | 'sell', terms: OrderTerms): OrderNumber {
    const events = this.done(this.order(accountId, side, terms));
    const placed = events.find(
      (event) => event.type === 'futuresOrderUpdated' && event.cause === 'placed',
    );
    assert(placed?.type === 'futuresOrderUpdated', 'a placed order is reported');
    return placed.order.orderNumber;
  }

  position(accountId: AccountId) {
    return this.engine.futures.getPosition(accountId, futuresMarketId);
  }

  wallet(accountId: AccountId) {
    return this.engine.futures.getPerpAccount(accountId);
  }
}
