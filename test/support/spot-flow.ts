import { toAmount } from '../../src/domain/amount.ts';
import { assert } from '../../src/domain/assert.ts';
import { parseDecimal } from '../../src/domain/decimal.ts';
import type {
  AccountId,
  Address,
  MarketId,
  OrderNumber,
  Sequence,
  TimestampMs,
} from '../../src/domain/identifiers.ts';
import type { Lots, SpotMarketTerms, Ticks } from '../../src/domain/spot-market.ts';
import { spotTimesInForce } from '../../src/domain/spot-order.ts';
import type { Command } from '../../src/engine/commands.ts';
import { engineFactory } from '../../src/engine/engine.ts';
import type { AppliedCommand } from '../../src/engine/events.ts';
import type { StateMachine } from '../../src/engine/state-machine.ts';

const unit = 100_000_000n;

export function flowAddress(number: number): Address {
  return `0x${number.toString(16).padStart(40, '0')}` as Address;
}

export interface SpotFlowOptions {
  readonly seed: number;
  readonly accounts?: number;
}

/** Random but repeatable trading on the real engine: two markets, a few accounts, every order kind. */
export class SpotFlow {
  readonly engine: StateMachine = engineFactory.create();
  readonly accounts: number;
  time: number;
  /** The maximum that passes between two commands. */
  stepMsMax = 20_000;
  #random: number;

  constructor({ seed, accounts = 6 }: SpotFlowOptions) {
    this.accounts = accounts;
    this.time = Date.UTC(2024, 1, 28, 22, 59, 58, 123);
    this.#random = seed;
  }

  /** Markets, and accounts with money in every token. */
  open(): AppliedCommand[] {
    const markets = [marketTerms('BTCUSDT', 'BTC', '0.01'), marketTerms('DFUSDT', 'DF', '0.0001')];
    const outcomes = markets.map((terms) => this.apply({ type: 'createSpotMarket', terms }));
    for (let number = 1; number <= this.accounts; number += 1) {
      for (const token of ['USDT', 'BTC', 'DF']) outcomes.push(this.#credit(number, token));
    }
    return outcomes;
  }

  trade(count: number): AppliedCommand[] {
    return Array.from({ length: count }, () => {
      this.time += this.#draw(this.stepMsMax);
      return this.apply(this.#nextCommand());
    });
  }

  apply(command: Command): AppliedCommand {
    const sequence = (this.engine.sequence + 1) as Sequence;
    return this.engine.apply(command, { sequence, timestamp: this.time as TimestampMs });
  }

  #credit(number: number, token: string): AppliedCommand {
    return this.apply({
      type: 'creditBalance',
      address: flowAddress(number),
      token,
      amount: toAmount(1_000_000n * unit),
      actor: 'admin_api_key',
      reason: `a "quoted", {braced} \\ reason`,
      reference: `${token}-${number}`,
    });
  }

  #nextCommand(): Command {
    const accountId = (1 + this.#draw(this.accounts)) as AccountId;
    const marketId = this.#draw(2) as MarketId;
    const kind = this.#draw(20);
    if (kind === 0) return { type: 'cancelAllSpotOrders', accountId, marketId };
    const [oldest] = this.engine.listOpenOrders(accountId, marketId);
    if (kind < 5 && oldest !== undefined) {
      return { type: 'cancelSpotOrder', accountId, orderNumber: oldest.orderNumber };
    }
    if (kind === 5) {
      const orderNumber = (1 + this.#draw(50)) as OrderNumber;
      return { type: 'cancelSpotOrder', accountId, orderNumber };
    }
    return this.#nextOrder(accountId, marketId, kind < 9);
  }

  #nextOrder(accountId: AccountId, marketId: MarketId, isMarket: boolean): Command {
    const side = this.#draw(2) === 0 ? 'buy' : 'sell';
    const isMarketBuy = isMarket && side === 'buy';
    return {
      type: 'placeSpotOrder',
      accountId,
      marketId,
      side,
      clientOrderId: this.#draw(3) === 0 ? (['NULL', 'a:1/x', '-'][this.#draw(3)] ?? null) : null,
      orderType: isMarket ? 'market' : 'limit',
      timeInForce: isMarket ? 'ioc' : (spotTimesInForce[this.#draw(6)] ?? 'gtc'),
      price: isMarket ? null : ((990 + this.#draw(20)) as Ticks),
      quantity: isMarketBuy ? null : ((1 + this.#draw(400)) as Lots),
      quoteQuantity: isMarketBuy ? toAmount(BigInt(1 + this.#draw(9_999)) * 1_000_000n) : null,
    };
  }

  /** A whole number from 0 up to the limit (mulberry32). */
  #draw(limit: number): number {
    this.#random = (this.#random + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#random ^ (this.#random >>> 15), 1 | this.#random);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit);
  }
}

function marketTerms(symbol: string, baseToken: string, tick: string): SpotMarketTerms {
  const tickSize = parseDecimal(tick);
  const lotSize = parseDecimal('0.001');
  assert(tickSize !== null && lotSize !== null, 'the sizes are decimals');
  return {
    symbol,
    baseToken,
    quoteToken: 'USDT',
    tickSize,
    lotSize,
    minNotional: toAmount(0n),
    makerFeeBps: 10,
    takerFeeBps: 25,
  };
}
