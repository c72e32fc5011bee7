import { isDeepStrictEqual } from 'node:util';
import { type Amount, toAmount } from '../../../src/domain/amount.ts';
import type { Decimal } from '../../../src/domain/decimal.ts';
import {
  defaultGuards,
  type FuturesMarketTerms,
  type Rate,
} from '../../../src/domain/futures-market.ts';
import type { AccountId, Address, Sequence, TimestampMs } from '../../../src/domain/identifiers.ts';
import type { Command } from '../../../src/engine/commands.ts';
import { type Engine, engineFactory } from '../../../src/engine/engine.ts';
import type { AppliedCommand } from '../../../src/engine/events.ts';
import { findCloseOutViolations } from '../../../src/engine/futures/close-out-audit.ts';
import { findFuturesViolations } from '../../../src/engine/futures/futures-invariants.ts';
import {
  findSolvencyViolations,
  findUnjudged,
} from '../../../src/engine/futures/solvency-audit.ts';
import { findViolations } from '../../../src/engine/invariants.ts';
import type { Rules } from '../../../src/engine/rules.ts';
import type { Stamp } from '../../../src/engine/state-machine.ts';
import { Violation } from '../world/history.ts';
import { accountsUsed, type FuturesAction } from './futures-actions.ts';
import { FuturesRules } from './futures-rules.ts';
import { NaiveFuturesMachine } from './naive-futures-machine.ts';
import { resolveFuturesAction } from './resolve-futures-action.ts';

/** A little before a full hour, so that funding comes soon. */
const startTime = 1_750_003_180_000;
const usdt = 100_000_000n;
const hourMs = 3_600_000;
/** The seconds of a price that an hour needs to charge funding. */
const samplesLeast = 1_800;
const livingAuditEvery = 500;

/** What the twin tells too, in the order in which it happens. */
const comparedEvents = [
  'futuresOrderUpdated',
  'futuresTradeExecuted',
  'markPriceChanged',
  'indexPriceHeld',
  'fundingPaid',
  'marginCallRaised',
  'liquidationProgressed',
  'insuranceFundChanged',
];

const sharedTerms = {
  minNotional: toAmount(5n * usdt),
  maxNotional: toAmount(4_000n * usdt),
  maxLeverage: 50,
  maintenanceMarginRate: 10_000_000n as Rate,
  makerFeeBps: 2,
  takerFeeBps: 5,
  ...defaultGuards(toAmount(4_000n * usdt)),
};

/** Two markets of ten thousandths of a coin: one with pushed prices, one that marks its book. */
export const simulatedMarkets: readonly FuturesMarketTerms[] = [
  {
    ...sharedTerms,
    symbol: 'BTCUSDT',
    baseAsset: 'BTC',
    tickSize: 100_000_000_000_000_000n as Decimal,
    lotSize: 10_000_000_000_000_000n as Decimal,
    indexPriceSource: 'admin',
    indexJumpBps: 700,
    tradeBandBps: 380,
  },
  {
    ...sharedTerms,
    symbol: 'ETHUSDT',
    baseAsset: 'ETH',
    tickSize: 30_000_000_000_000_000n as Decimal,
    lotSize: 70_000_000_000_000_000n as Decimal,
    indexPriceSource: 'book',
  },
];

/** Lots that many times larger, and the limits that go with them. */
function scaled(terms: FuturesMarketTerms, scale: bigint): FuturesMarketTerms {
  return {
    ...terms,
    lotSize: (terms.lotSize * scale) as Decimal,
    maxNotional: toAmount(terms.maxNotional * scale),
    maxOpenInterest: toAmount(terms.maxOpenInterest * scale),
  };
}

export interface SimulationOptions {
  /** Without the twin: rules alone judge. */
  readonly isAlone?: boolean;
  readonly twin?: NaiveFuturesMachine;
  readonly auditEvery?: number;
  readonly funds?: bigint;
  /** The largest open interest of each market, and the largest order. */
  readonly openInterest?: Amount;
  /** Lots, limits and funds are that many times larger. */
  readonly scale?: bigint;
  /** Older ones only without the twin, which has the newest. */
  readonly rules?: Rules;
}

/** The same commands through the engine and its plain twin. */
export class FuturesSimulation {
  engine: Engine;
  readonly twin: NaiveFuturesMachine;
  readonly commands: { readonly command: Command; readonly stamp: Stamp }[] = [];
  readonly counts = new Map<string, number>();
  private readonly rulesAtFirst: Rules;
  private readonly isAlone: boolean;
  private readonly auditEvery: number;
  private readonly rules = new FuturesRules();
  private time = startTime;
  /** Time passes second by second. */
  private isLiving = false;
  /** Time has passed, and everything that became due is done. */
  private isSettled = false;

  constructor(options: SimulationOptions = {}) {
    const { scale = 1n, funds = 200n * usdt, openInterest: most = null } = options;
    const limits = most === null ? {} : { maxNotional: most, maxOpenInterest: most };
    this.engine = engineFactory.create(options.rules);
    this.rulesAtFirst = this.engine.rules;
    this.twin = options.twin ?? new NaiveFuturesMachine();
    this.isAlone = options.isAlone ?? false;
    this.auditEvery = options.auditEvery ?? 1;
    this.begin(
      funds * scale,
      simulatedMarkets.map((terms) => scaled({ ...terms, ...limits }, scale)),
    );
  }

  /** Markets, and accounts with money in both of their wallets. */
  private begin(funds: bigint, markets: readonly FuturesMarketTerms[]): void {
    for (let account = 0; account < accountsUsed; account += 1) {
      this.apply({
        type: 'creditBalance',
        address: addressOf(account),
        token: 'USDT',
        amount: toAmount(funds * 2n),
        actor: 'admin_api_key',
        reason: null,
        reference: null,
      });
    }
    for (const terms of markets) {
      this.apply({ type: 'createFuturesMarket', terms });
    }
    for (let account = 0; account < accountsUsed; account += 1) {
      this.apply({
        type: 'transferFunds',
        accountId: (account + 1) as AccountId,
        direction: 'spot_to_perp',
        amount: toAmount(funds),
        clientTransferId: null,
      });
    }
  }

  run(actions: readonly FuturesAction[]): void {
    for (const action of actions) this.step(action);
    this.audit();
  }

  step(action: FuturesAction): void {
    if (action.kind === 'restore') {
      this.restore();
      return;
    }
    if (action.kind === 'wait' && action.ms >= hourMs) this.liveHalfAnHour();
    if (action.kind === 'wait') this.time += action.ms;
    const command = resolveFuturesAction(action, this.engine.futures, this.time);
    if (command !== null) this.apply(command);
  }

  /**
   * Second by second within one hour, with fresh pushed prices, so that the hour charges funding.
   */
  private liveHalfAnHour(): void {
    const left = hourMs - (this.time % hourMs);
    if (left < (samplesLeast + 2) * 1_000) this.time += left;
    this.isLiving = true;
    const { futures } = this.engine;
    for (let second = 0; second < samplesLeast; second += 1) {
      this.time += 1_000 - (this.commands.length % 3);
      this.apply({ type: 'advanceTime' });
      if (second % 25 !== 0) continue;
      for (const { marketId, symbol } of futures.listFuturesMarkets()) {
        const { indexPrice } = futures.getFuturesPrices(marketId);
        if (indexPrice !== null) this.apply({ type: 'setIndexPrice', symbol, price: indexPrice });
      }
    }
    this.isLiving = false;
  }

  /** @throws Violation of the rule that the command broke. */
  apply(command: Command): AppliedCommand {
    this.time += this.commands.length % 3;
    const stamp = {
      sequence: (this.engine.sequence + 1) as Sequence,
      timestamp: this.time as TimestampMs,
    };
    this.commands.push({ command, stamp });
    const applied = this.engine.apply(command, stamp);
    this.count(applied);
    this.isSettled =
      command.type === 'advanceTime' && !applied.events.some(({ type }) => type === 'timedWorkDue');
    const broken = this.isAlone ? [] : this.compareTwin(applied, stamp);
    broken.push(...this.rules.follow(applied, this.engine.futures));
    refute('O2', broken, command);
    if (this.isAuditDue) refute('O1', this.findBroken(), command);
    return applied;
  }

  /** Continues with an engine made of the present one's bytes. */
  restore(): void {
    const restored = engineFactory.restore(this.engine.encodeState());
    if (restored.stateHash() !== this.engine.stateHash()) {
      throw new Violation('O4', 'a restored engine has another hash');
    }
    this.engine = restored;
    restored.recomputeLedger();
  }

  audit(): void {
    refute('O1', this.findBroken(), this.commands.at(-1)?.command);
    const replayed = engineFactory.create(this.rulesAtFirst);
    replayed.recomputeLedger();
    for (const { command, stamp } of this.commands) replayed.replay(command, stamp);
    refute('O1', replayed.findBroken(), this.commands.at(-1)?.command);
    if (replayed.stateHash() !== this.engine.stateHash()) {
      throw new Violation('O4', 'a replay of the commands has another hash than the live engine');
    }
  }

  private get isAuditDue(): boolean {
    const every = this.isLiving ? livingAuditEvery : this.auditEvery;
    return this.commands.length % every === 0;
  }

  private compareTwin(applied: AppliedCommand, stamp: Stamp): string[] {
    const { twin } = this;
    for (const event of applied.events) {
      if (event.type === 'futuresMarketCreated') twin.adopt(event.market);
    }
    const expected = twin.apply(applied.command, stamp);
    const differences: string[] = [];
    if (!isDeepStrictEqual(applied.rejection, expected.rejection)) {
      differences.push(`the twin says ${show(expected.rejection)}`);
    }
    const told = applied.events.filter(({ type }) => comparedEvents.includes(type));
    const length = Math.max(told.length, expected.events.length);
    for (let at = 0; at < length && differences.length === 0; at += 1) {
      const [ours, theirs] = [told[at], expected.events[at]];
      if (isDeepStrictEqual(ours, theirs)) continue;
      differences.push(`event ${at} is ${show(ours)}, the twin tells ${show(theirs)}`);
    }
    if (this.isAuditDue) differences.push(...this.compareViews(twin));
    return differences;
  }

  private compareViews(twin: NaiveFuturesMachine): string[] {
    const { futures } = this.engine;
    const differences: string[] = [];
    const compare = (name: string, ours: unknown, theirs: unknown): void => {
      if (isDeepStrictEqual(ours, theirs)) return;
      differences.push(`${name} ${show(ours)}, the twin says ${show(theirs)}`);
    };
    for (const { marketId } of futures.listFuturesMarkets()) {
      const { bids, asks } = futures.getFuturesDepth(marketId, 1_000);
      const expected = twin.getFuturesDepth(marketId, 1_000);
      compare('depth', { bids, asks }, { bids: expected.bids, asks: expected.asks });
      compare('prices', futures.getFuturesPrices(marketId), twin.getFuturesPrices(marketId));
      compare('clearing', futures.getClearing(marketId), twin.getClearing(marketId));
      compare('funding', futures.getFundingHeld(marketId), twin.getFundingHeld(marketId));
      compare('open interest', futures.getOpenInterest(marketId), twin.getOpenInterest(marketId));
    }
    compare('fees', futures.futuresFees, twin.futuresFees);
    compare('insurance fund', futures.insuranceFund, twin.insuranceFund);
    compare('bad debt', futures.badDebt, twin.badDebt);
    compare('gate', futures.withdrawalGateUntil, twin.withdrawalGateUntil);
    compare('perp funds', futures.perpFunds, twin.perpFunds);
    for (let id = 1; id <= accountsUsed; id += 1) {
      const accountId = id as AccountId;
      compare('account', futures.getPerpAccount(accountId), twin.getPerpAccount(accountId));
      compare(
        'orders',
        futures.listOpenFuturesOrders(accountId, null),
        twin.listOpenFuturesOrders(accountId, null),
      );
      for (const { marketId } of futures.listFuturesMarkets()) {
        const ours = futures.getPosition(accountId, marketId);
        const unknown = { liquidationPrice: null, deleverageRank: 0 };
        compare('position', { ...ours, ...unknown }, twin.getPosition(accountId, marketId));
        const open = futures.getOpenNotional(accountId, marketId);
        compare('open notional', open, twin.getOpenNotional(accountId, marketId));
        const fees = futures.getEffectiveFees(accountId, marketId);
        compare('fees', fees, twin.getEffectiveFees(accountId, marketId));
      }
    }
    return differences;
  }

  private findBroken(): string[] {
    const { futures } = this.engine;
    const isClosing = (accountId: AccountId): boolean => futures.findCloseOut(accountId) !== null;
    return [
      ...findViolations(this.engine),
      ...findFuturesViolations(futures),
      ...findSolvencyViolations(futures),
      ...findCloseOutViolations(futures),
      ...(this.isSettled ? findUnjudged(futures, isClosing) : []),
    ].map(({ invariant, detail }) => `${invariant}: ${detail}`);
  }

  private count({ command, rejection, events }: AppliedCommand): void {
    const keys = [`${command.type} ${rejection?.reason ?? 'accepted'}`];
    for (const event of events) {
      keys.push(event.type);
      if (event.type === 'liquidationProgressed') {
        keys.push(`step ${event.step}`, `${event.stage} ${event.step}`);
      }
      if (event.type !== 'futuresOrderUpdated') continue;
      keys.push(`order ${event.order.status}`, `order ${event.cause} ${event.end}`);
    }
    for (const key of keys) this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }
}

function addressOf(account: number): Address {
  return `0x${account.toString(16).padStart(40, '0')}` as Address;
}

function refute(oracle: string, broken: readonly string[], at: unknown): void {
  if (broken.length > 0) throw new Violation(oracle, `${broken.join('; ')} at ${show(at)}`);
}

function show(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'bigint' ? `${each}n` : each,
  );
}
