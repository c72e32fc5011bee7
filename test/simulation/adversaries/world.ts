import { toAmount } from '../../../src/domain/amount.ts';
import type { FuturesMarket, FuturesMarketTerms } from '../../../src/domain/futures-market.ts';
import type {
  AccountId,
  Address,
  MarketId,
  Sequence,
  TimestampMs,
} from '../../../src/domain/identifiers.ts';
import type { Lots, Ticks } from '../../../src/domain/spot-market.ts';
import type { Side } from '../../../src/domain/spot-order.ts';
import type { Command } from '../../../src/engine/commands.ts';
import { type Engine, engineFactory } from '../../../src/engine/engine.ts';
import type { AppliedCommand, EngineEvent } from '../../../src/engine/events.ts';
import { findCloseOutViolations } from '../../../src/engine/futures/close-out-audit.ts';
import { findFuturesViolations } from '../../../src/engine/futures/futures-invariants.ts';
import { findSolvencyViolations } from '../../../src/engine/futures/solvency-audit.ts';
import type { PlaceFuturesOrder } from '../../../src/engine/futures-commands.ts';
import { findViolations } from '../../../src/engine/invariants.ts';
import { type Rules, rulesVersion } from '../../../src/engine/rules.ts';
import type { Stamp } from '../../../src/engine/state-machine.ts';
import { btcTerms } from '../../support/futures-fixture.ts';
import { CommandRules } from './command-rules.ts';
import { Payers } from './payers.ts';

export const unit = 10n ** 8n;
/** Small enough for a market of each scheme. */
const maxOpenInterest = toAmount(200_000_000n * unit);
/** Half an hour before a full one. */
const startTime = 1_750_005_000_000;
const auditEvery = 2_048;

export interface WorldOptions {
  readonly seed: number;
  readonly accounts: number;
  /** Whole USDT in the insurance fund at the start. */
  readonly fund: number;
  /** Whether one scheme has it to itself, so that all its figures are known. */
  readonly isAlone?: boolean;
  readonly rules?: Rules;
}

export interface OrderTerms extends Partial<Omit<PlaceFuturesOrder, 'price' | 'quantity'>> {
  /** Whole USDT; absent for a market order. */
  readonly price?: number;
  readonly lots: number;
}

/** An exchange with a crowd on it, and one check after every command: who paid for what left. */
export class World {
  engine: Engine;
  readonly payers = new Payers();
  private readonly rules = new CommandRules();
  readonly commands: { readonly command: Command; readonly stamp: Stamp }[] = [];
  /** What has happened, by name. */
  readonly counts = new Map<string, number>();
  time = startTime;
  /** Markets whose feed has stopped, and what the others' indexes are, in whole USDT. */
  readonly silent = new Set<string>();
  readonly indexes = new Map<string, number>();
  /** What the last command has caused. */
  events: readonly EngineEvent[] = [];
  readonly isAlone: boolean;
  private accountNumber = 0;
  private marketNumber = 0;
  private random: number;

  constructor({ seed, accounts, fund, isAlone = false, rules = rulesVersion }: WorldOptions) {
    this.engine = engineFactory.create(rules);
    this.isAlone = isAlone;
    this.random = seed;
    for (let each = 0; each < accounts; each += 1) this.fund(this.draw(2_000) + 10);
    const source = 'treasury';
    const amount = toAmount(BigInt(fund) * unit);
    if (fund > 0) {
      this.do({ type: 'moveHouseFunds', amount, source, reason: null, reference: null });
    }
  }

  /** A whole number from 0 up to the limit (mulberry32). */
  draw(limit: number): number {
    this.random = (this.random + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.random ^ (this.random >>> 15), 1 | this.random);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit);
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.draw(items.length)];
    if (item === undefined) throw new Error('there is nothing to pick');
    return item;
  }

  note(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  /** @throws Error if the command has broken a rule. @returns why it was refused, or null. */
  do(command: Command): string | null {
    const stamp = {
      sequence: (this.engine.sequence + 1) as Sequence,
      timestamp: this.time as TimestampMs,
    };
    this.commands.push({ command, stamp });
    this.rules.prepare(command, this.engine.futures);
    const applied = this.engine.apply(command, stamp);
    this.events = applied.events;
    this.count(applied);
    const broken = [
      ...this.payers.follow(applied, this.engine.futures),
      ...this.rules.follow(applied, this.engine.futures),
      ...this.findTraded(),
    ];
    if (this.commands.length % auditEvery === 0) broken.push(...this.audit());
    if (broken.length > 0) throw new Error(`${broken.join('; ')} at ${command.type} ${this.time}`);
    return applied.rejection?.reason ?? null;
  }

  /** Lets time pass, with fresh indexes, until nothing is due. */
  pass(ms: number): void {
    this.time += ms;
    this.pushAll();
    this.settle();
  }

  /** Lets time pass without pushed prices. */
  passSilently(ms: number): void {
    this.time += ms;
    this.settle();
  }

  /** One command of what time brings. @returns whether more is due. */
  tick(ms: number): boolean {
    this.time += ms;
    this.do({ type: 'advanceTime' });
    return this.hasWorkLeft;
  }

  private settle(): void {
    for (let count = 0; this.tick(0); count += 1) {
      if (count > 20_000) throw new Error('time brings work without end');
    }
  }

  pushAll(): void {
    for (const symbol of this.indexes.keys()) if (!this.silent.has(symbol)) this.push(symbol);
  }

  /** Pushes the market's index, or another one that it keeps from now on. */
  push(symbol: string, price = this.indexes.get(symbol) ?? 0): string | null {
    this.indexes.set(symbol, price);
    return this.do({ type: 'setIndexPrice', symbol, price: toAmount(BigInt(price) * unit) });
  }

  /** An account with that many whole USDT in its perp wallet. */
  fund(usdt: number): AccountId {
    this.accountNumber += 1;
    const address = `0x${this.accountNumber.toString(16).padStart(40, '0')}` as Address;
    const accountId = this.accountNumber as AccountId;
    const amount = toAmount(BigInt(usdt) * unit);
    const rest = { actor: 'test', reason: null, reference: null };
    this.do({ type: 'creditBalance', address, token: 'USDT', amount, ...rest });
    this.move(accountId, amount, 'spot_to_perp');
    return accountId;
  }

  /** Accounts of one owner, with that many whole USDT each. */
  colluders(...usdt: readonly number[]): readonly AccountId[] {
    const first = this.accountNumber + 1;
    const members = usdt.map((_, at) => (first + at) as AccountId);
    this.payers.collude(members);
    for (const each of usdt) this.fund(each);
    return members;
  }

  move(accountId: AccountId, units: bigint, direction: 'spot_to_perp' | 'perp_to_spot') {
    const amount = toAmount(units);
    return this.do({ type: 'transferFunds', accountId, direction, amount, clientTransferId: null });
  }

  /** Takes out whatever may leave; the amount in units. */
  withdraw(accountId: AccountId): bigint {
    const { withdrawable } = this.engine.futures.getPerpAccount(accountId);
    if (withdrawable === 0n) return 0n;
    const refusal = this.move(accountId, withdrawable, 'perp_to_spot');
    if (refusal !== null) throw new Error(`${withdrawable} may leave and is refused: ${refusal}`);
    return withdrawable;
  }

  /** A separate market, priced if a price is given. */
  open(price: number | null, terms: Partial<FuturesMarketTerms> = {}): FuturesMarket {
    this.marketNumber += 1;
    const symbol = `M${this.marketNumber}USDT`;
    const baseAsset = `M${this.marketNumber}`;
    const usual = { ...btcTerms, maxOpenInterest };
    this.do({ type: 'createFuturesMarket', terms: { ...usual, ...terms, symbol, baseAsset } });
    if (price !== null) this.push(symbol, price);
    const market = this.engine.futures.findFuturesMarket(symbol);
    if (market === null) throw new Error(`${symbol} was refused`);
    return market;
  }

  /** A spot market of its own against USDT. */
  openSpot(): MarketId {
    this.marketNumber += 1;
    const [symbol, baseToken] = [`S${this.marketNumber}USDT`, `S${this.marketNumber}`];
    const { tickSize, lotSize } = btcTerms;
    const minNotional = toAmount(0n);
    const fees = { minNotional, makerFeeBps: 10, takerFeeBps: 20 };
    const terms = { symbol, baseToken, quoteToken: 'USDT', tickSize, lotSize, ...fees };
    this.do({ type: 'createSpotMarket', terms });
    const created = this.events.find(({ type }) => type === 'spotMarketCreated');
    if (created?.type !== 'spotMarketCreated') throw new Error(`${symbol} was refused`);
    return created.market.marketId;
  }

  place(accountId: AccountId, market: FuturesMarket, side: Side, terms: OrderTerms): string | null {
    const { price, lots, ...rest } = terms;
    const isLimit = price !== undefined;
    return this.do({
      type: 'placeFuturesOrder',
      accountId,
      marketId: market.marketId,
      clientOrderId: null,
      side,
      orderType: isLimit ? 'limit' : 'market',
      timeInForce: isLimit ? 'gtc' : 'ioc',
      price: isLimit ? (Math.round(price * 10) as Ticks) : null,
      priceMatch: 'none',
      quantity: lots as Lots,
      worstPrice: null,
      stopPrice: null,
      triggerPriceKind: 'contract',
      activationPrice: null,
      callback: null,
      isReduceOnly: false,
      isClosePosition: false,
      isPriceProtected: false,
      selfTradeMode: 'expire_taker',
      goodTill: null,
      isAlgo: false,
      takeProfit: null,
      stopLoss: null,
      ...rest,
    });
  }

  /** Two accounts take opposite sides of each other at a price. */
  cross(
    market: FuturesMarket,
    [long, short]: readonly [AccountId, AccountId],
    price: number,
    lots: number,
  ): string | null {
    const rested = this.place(short, market, 'sell', { price, lots });
    if (rested !== null) return rested;
    return this.place(long, market, 'buy', { price, lots });
  }

  leverage(accountId: AccountId, { marketId }: FuturesMarket, leverage: number): string | null {
    return this.do({ type: 'setLeverage', accountId, marketId, leverage });
  }

  lotsOf(accountId: AccountId, { marketId }: FuturesMarket): number {
    return this.engine.futures.getPosition(accountId, marketId).quantity;
  }

  /** Closes the account's position at market, as far as there are counterparties. */
  flatten(accountId: AccountId, market: FuturesMarket): string | null {
    const held = this.lotsOf(accountId, market);
    if (held === 0) return null;
    const side = held > 0 ? 'sell' : 'buy';
    return this.place(accountId, market, side, { lots: Math.abs(held), isReduceOnly: true });
  }

  restore(): void {
    const restored = engineFactory.restore(this.engine.encodeState());
    if (restored.stateHash() !== this.engine.stateHash()) {
      throw new Error('a restored engine has another hash');
    }
    this.engine = restored;
  }

  /**
   * Nobody trades in a market in which an account in its final stage still holds something, at a fresh
   * price.
   */
  private findTraded(): string[] {
    const { futures } = this.engine;
    const broken: string[] = [];
    for (const accountId of this.payers.closing) {
      if (futures.findCloseOut(accountId)?.stage === 'book') continue;
      for (const { marketId, quantity } of futures.listPositions(accountId)) {
        const isFresh = futures.getFuturesPrices(marketId).priceState === 'fresh';
        if (quantity === 0 || !isFresh || futures.isFuturesMarketSettling(marketId)) continue;
        broken.push(`settling: market ${marketId} goes on while account ${accountId} is closed`);
      }
    }
    return broken;
  }

  audit(): string[] {
    const { futures } = this.engine;
    return [
      ...findViolations(this.engine),
      ...findFuturesViolations(futures),
      ...findSolvencyViolations(futures),
      ...findCloseOutViolations(futures),
    ].map(({ invariant, detail }) => `${invariant}: ${detail}`);
  }

  private hasWorkLeft = false;

  private count({ command, rejection, events }: AppliedCommand): void {
    this.hasWorkLeft = false;
    this.note(`${command.type} ${rejection?.reason ?? 'accepted'}`);
    for (const event of events) {
      if (event.type === 'timedWorkDue') this.hasWorkLeft = true;
      if (event.type === 'fundingSettled') {
        this.note(`hour ${event.fundingTime} of ${event.marketId}`);
      }
      if (event.type === 'liquidationProgressed') this.note(`${event.stage} ${event.step}`);
      if (event.type === 'futuresOrderUpdated' && event.end !== null) this.note(`end ${event.end}`);
    }
  }
}
