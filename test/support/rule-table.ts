import { expect } from 'vitest';
import { type Amount, amountFromDecimal, formatAmount } from '../../src/domain/amount.ts';
import { type Decimal, formatDecimal, parseDecimal } from '../../src/domain/decimal.ts';
import type { AccountId, Address, Sequence, TimestampMs } from '../../src/domain/identifiers.ts';
import {
  decimalFromLots,
  decimalFromTicks,
  lotsFromDecimal,
  type SpotMarket,
  type SpotMarketStatus,
  ticksFromDecimal,
} from '../../src/domain/spot-market.ts';
import type { SpotOrder, SpotTimeInForce } from '../../src/domain/spot-order.ts';
import type { Command } from '../../src/engine/commands.ts';
import { type Engine, engineFactory } from '../../src/engine/engine.ts';
import type { AppliedCommand } from '../../src/engine/events.ts';
import { checkInvariants } from '../../src/engine/invariants.ts';

// A small language for the rules of trading. Each line is a command and, behind an arrow, what
// follows from it, or a statement of what then is:
//
//   market BTC/USDT tick 0.01 lot 0.001 min 1 fees 10/20   -> ok
//   credit alice 1000 USDT [ref r]                         -> ok
//   alice buys 2 BTC at 100 [ioc] [id mine]                -> new
//   alice buys BTC for 50                                  -> filled 0.5 for 50
//   bob sells 1 BTC                                        -> expired 0 for 0
//   alice cancels #1 | all | all BTC                       -> canceled #1
//   status BTC halted                                      -> ok
//   alice has                                              -> 800 + 200 USDT, 0.5 BTC
//   fees                                                   -> 0.2 USDT
//   book BTC                                               -> 1 at 99 | 2 at 101
//
// Amounts are in tokens, prices in quote tokens. "800 + 200" is available and locked.

/** Requires that everything that the table states is true of the engine. */
export function expectRules(table: string): void {
  expect(runRuleTable(table)).toBe(trimTable(table).join('\n'));
}

/** The table with every outcome as the engine really gave it; equal to the table if right. */
function runRuleTable(table: string): string {
  const runner = new TableRunner();
  const lines = trimTable(table).map((line) => {
    const [left = '', right] = line.split('->');
    if (right === undefined) return line;
    return `${left}-> ${runner.run(left.trim().split(/\s+/))}`;
  });
  return lines.join('\n');
}

/** The lines of a table without the indentation that the test file gives them. */
function trimTable(table: string): string[] {
  return table
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.replace(/->\s+/, '-> '));
}

class TableRunner {
  private readonly engine: Engine = engineFactory.create();
  private readonly names: string[] = [];

  run(words: readonly string[]): string {
    const [first = '', second = '', ...others] = words;
    switch (first) {
      case 'market':
        return this.createMarket(second, others);
      case 'credit':
        return this.credit(second, others);
      case 'status':
        return this.setStatus(second, others[0] ?? '');
      case 'fees':
        return this.describeFees();
      case 'book':
        return this.describeBook(this.market(second));
      default:
        return this.runAccount(first, second, others);
    }
  }

  private runAccount(name: string, verb: string, words: readonly string[]): string {
    switch (verb) {
      case 'has':
        return this.describeBalances(name);
      case 'buys':
      case 'sells':
        return this.place(name, verb === 'buys' ? 'buy' : 'sell', words);
      case 'cancels':
        return this.cancel(name, words);
      default:
        throw new Error(`a rule table has no ${name} ${verb}`);
    }
  }

  private createMarket(symbol: string, words: readonly string[]): string {
    const [baseToken = '', quoteToken = ''] = symbol.split('/');
    const [maker, taker] = option(words, 'fees').split('/');
    const terms = {
      symbol,
      baseToken,
      quoteToken,
      tickSize: decimal(option(words, 'tick')),
      lotSize: decimal(option(words, 'lot')),
      minNotional: amount(option(words, 'min')),
      makerFeeBps: Number(maker),
      takerFeeBps: Number(taker),
    };
    return describeRefusal(this.apply({ type: 'createSpotMarket', terms })) ?? 'ok';
  }

  private credit(name: string, words: readonly string[]): string {
    const [units = '', token = ''] = words;
    const reference = words.includes('ref') ? option(words, 'ref') : null;
    const applied = this.apply({
      type: 'creditBalance',
      address: this.addressOf(name),
      token,
      amount: amount(units),
      actor: 'admin_api_key',
      reason: null,
      reference,
    });
    const refusal = describeRefusal(applied);
    return refusal ?? (applied.events.length === 0 ? 'ok, nothing changed' : 'ok');
  }

  private setStatus(base: string, status: string): string {
    const { symbol } = this.market(base);
    const command = { type: 'setSpotMarketStatus', symbol, status: status as SpotMarketStatus };
    const applied = this.apply(command as Command);
    const canceled = describeCanceled(applied);
    const ending = canceled === '' ? '' : `, ${canceled}`;
    return describeRefusal(applied) ?? `ok${ending}`;
  }

  private place(name: string, side: 'buy' | 'sell', words: readonly string[]): string {
    const isMoney = words.includes('for');
    const market = this.market((isMoney ? words[0] : words[1]) ?? '');
    const isLimit = words.includes('at');
    const timesInForce = ['gtc', 'ioc', 'fok', 'post_only'] as const;
    const timeInForce: SpotTimeInForce =
      timesInForce.find((each) => words.includes(each)) ?? (isLimit ? 'gtc' : 'ioc');
    const applied = this.apply({
      type: 'placeSpotOrder',
      accountId: this.accountOf(name),
      marketId: market.marketId,
      side,
      clientOrderId: words.includes('id') ? option(words, 'id') : null,
      orderType: isLimit ? 'limit' : 'market',
      timeInForce,
      price: isLimit ? ticksFromDecimal(market, decimal(option(words, 'at'))) : null,
      quantity: isMoney ? null : lotsFromDecimal(market, decimal(words[0] ?? '')),
      quoteQuantity: isMoney ? amount(option(words, 'for')) : null,
    });
    return describeRefusal(applied) ?? describeOrder(market, lastOrder(applied));
  }

  private cancel(name: string, words: readonly string[]): string {
    const [target = '', base] = words;
    const accountId = this.accountOf(name);
    const marketId = base === undefined ? null : this.market(base).marketId;
    const orderNumber = Number(target.slice(1)) as SpotOrder['orderNumber'];
    const applied =
      target === 'all'
        ? this.apply({ type: 'cancelAllSpotOrders', accountId, marketId })
        : this.apply({ type: 'cancelSpotOrder', accountId, orderNumber });
    return describeRefusal(applied) ?? (describeCanceled(applied) || 'nothing canceled');
  }

  private describeBalances(name: string): string {
    const balances = this.engine.listBalances(this.accountOf(name));
    const texts = balances.map(({ tokenId, available, locked }) => {
      const lock = locked === 0n ? '' : ` + ${formatAmount(locked)}`;
      return `${formatAmount(available)}${lock} ${this.engine.getTokenSymbol(tokenId)}`;
    });
    return texts.join(', ') || 'nothing';
  }

  private describeFees(): string {
    const tokens = Array.from({ length: this.engine.tokenCount }, (_, tokenId) => tokenId as never);
    const texts = tokens
      .filter((tokenId) => this.engine.getFeesCollected(tokenId) > 0n)
      .map((tokenId) => {
        const fees = formatAmount(this.engine.getFeesCollected(tokenId));
        return `${fees} ${this.engine.getTokenSymbol(tokenId)}`;
      });
    return texts.join(', ') || 'none';
  }

  private describeBook(market: SpotMarket): string {
    const { bids, asks } = this.engine.getDepth(market.marketId, 100);
    const describe = (levels: typeof bids) =>
      levels
        .map(({ price, quantity }) => {
          const lots = formatDecimal(decimalFromLots(market, quantity));
          return `${lots} at ${formatDecimal(decimalFromTicks(market, price))}`;
        })
        .join(', ') || 'none';
    return `${describe(bids)} | ${describe(asks)}`;
  }

  private apply(command: Command): AppliedCommand {
    const sequence = (this.engine.sequence + 1) as Sequence;
    const applied = this.engine.apply(command, { sequence, timestamp: 1_000 as TimestampMs });
    checkInvariants(this.engine);
    return applied;
  }

  private market(base: string): SpotMarket {
    const market = this.engine.listSpotMarkets().find(({ baseToken }) => baseToken === base);
    if (market === undefined) throw new Error(`a rule table has no market for ${base}`);
    return market;
  }

  private accountOf(name: string): AccountId {
    return this.engine.findAccount(this.addressOf(name)) ?? (99 as AccountId);
  }

  private addressOf(name: string): Address {
    if (!this.names.includes(name)) this.names.push(name);
    return `0x${String(this.names.indexOf(name)).padStart(40, '0')}` as Address;
  }
}

function describeRefusal({ rejection }: AppliedCommand): string | null {
  return rejection === null ? null : `refused ${rejection.reason}`;
}

function describeOrder(market: SpotMarket, order: SpotOrder): string {
  if (order.status === 'new') return 'new';
  const filled = formatDecimal(decimalFromLots(market, order.filledQuantity));
  return `${order.status} ${filled} for ${formatAmount(order.filledQuote)}`;
}

function describeCanceled({ events }: AppliedCommand): string {
  const numbers = events.flatMap((event) =>
    event.type === 'spotOrderUpdated' ? [`#${event.order.orderNumber}`] : [],
  );
  return numbers.length === 0 ? '' : `canceled ${numbers.join(' ')}`;
}

function lastOrder({ events }: AppliedCommand): SpotOrder {
  const event = events.findLast(({ type }) => type === 'spotOrderUpdated');
  if (event?.type !== 'spotOrderUpdated') throw new Error('the order is not reported');
  return event.order;
}

function option(words: readonly string[], name: string): string {
  const value = words[words.indexOf(name) + 1];
  if (!words.includes(name) || value === undefined) throw new Error(`${name} is missing`);
  return value;
}

function decimal(text: string): Decimal {
  const value = parseDecimal(text);
  if (value === null) throw new Error(`${text} is not a decimal`);
  return value;
}

function amount(text: string): Amount {
  const value = amountFromDecimal(decimal(text));
  if (value === null) throw new Error(`${text} is no amount`);
  return value;
}
