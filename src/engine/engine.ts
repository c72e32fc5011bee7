import type { Amount } from '../domain/amount.ts';
import { AssertionError, assert } from '../domain/assert.ts';
import type {
  AccountId,
  Address,
  MarketId,
  OrderNumber,
  Sequence,
  TokenId,
} from '../domain/identifiers.ts';
import type { Rejection } from '../domain/rejection.ts';
import type { Lots, SpotMarket, Ticks } from '../domain/spot-market.ts';
import type { Side, SpotOrder } from '../domain/spot-order.ts';
import type { EngineAudit } from './audit-view.ts';
import { makersMax } from './book/makers-max.ts';
import { type BookSide, buySide, sellSide } from './book/order-book.ts';
import type { BookDepth, BookLevel } from './book-depth.ts';
import { type Command, canceledMax } from './commands.ts';
import { EngineState } from './engine-state.ts';
import type { TokenBalance } from './engine-view.ts';
import type { AppliedCommand } from './events.ts';
import { auditEngine } from './full-audit.ts';
import { followPause, holdWithdrawals } from './futures/accounts/withdrawal-gate.ts';
import { executeFutures } from './futures/execute-futures.ts';
import { FuturesReader } from './futures/futures-reader.ts';
import { creditBalance, openAccount } from './ledger/credit-balance.ts';
import { LedgerRecount } from './ledger/ledger-recount.ts';
import { perpFundsOf } from './ledger/perp-funds.ts';
import { type ByRules, type Rules, rulesVersion, rulesVersionMin, toRules } from './rules.ts';
import type { OnBrokenRule } from './running-rules.ts';
import { decodeState, isStateOfThisVersion } from './snapshot/decode-state.ts';
import { encodeState } from './snapshot/encode-state.ts';
import { hashBytes } from './snapshot/hash-bytes.ts';
import { createSpotMarket, setSpotMarketStatus } from './spot/administer-spot-market.ts';
import { cancelAllSpotOrders, cancelSpotOrder } from './spot/cancel-spot-orders.ts';
import { placeSpotOrder } from './spot/place-spot-order.ts';
import type { Stamp, StateMachine, StateMachineFactory } from './state-machine.ts';
import { upgradeRules } from './upgrade-rules.ts';
import { applyWalletCommand } from './wallet/apply-wallet-command.ts';
import type { ReservedWithdrawal } from './wallet/wallet-state.ts';

const isEndingChecked: ByRules<boolean> = { 11: false, 12: true, 13: true };
const areTradesCounted: ByRules<boolean> = { 11: false, 12: false, 13: true };

/**
 * The exchange as a pure, synchronous state machine: commands in, events out. It reads neither a
 * clock nor random numbers, so the same commands always produce the same events and state.
 */
export class Engine implements StateMachine, EngineAudit {
  private readonly state: EngineState;
  /** Stays true if a command threw: the state it left behind must not be used. */
  private isApplying = false;

  private readonly onBroken: OnBrokenRule;
  /** Null unless the audit is to recompute the ledger. */
  private recount: LedgerRecount | null = null;

  readonly futures: FuturesReader;

  /** @throws AssertionError if the state breaks a rule and the engine is to stop then. */
  constructor(state = new EngineState(), onBroken: OnBrokenRule = 'stop') {
    this.state = state;
    this.onBroken = onBroken;
    this.futures = new FuturesReader(state.futures);
    // The rules that a restored state breaks were reported when they were broken.
    const broken = state.broken.take();
    assert(onBroken === 'hold' || broken.length === 0, broken.join('; '));
  }

  get sequence(): Sequence {
    return this.state.sequence;
  }

  get rules(): Rules {
    return this.state.rules;
  }

  apply(command: Command, stamp: Stamp): AppliedCommand {
    const rejection = this.run(command, stamp);
    const events = this.state.outcome.take();
    assert(rejection === null || events.length === 0, 'a refused command has changed something');
    const { sequence, timestamp } = stamp;
    return { sequence, timestamp, command, rejection, events };
  }

  replay(command: Command, stamp: Stamp): void {
    const { outcome } = this.state;
    outcome.isObserved = false;
    this.run(command, stamp);
    outcome.isObserved = true;
  }

  encodeState(): Uint8Array {
    return encodeState(this.state);
  }

  stateHash(): string {
    return hashBytes(this.encodeState());
  }

  findBroken(): readonly string[] {
    const broken = auditEngine(this, (bytes) => new Engine(decodeState(bytes), this.onBroken));
    return [...broken, ...(this.recount?.findBroken() ?? [])];
  }

  recomputeLedger(): void {
    this.recount = new LedgerRecount(this.state.ledger);
  }

  findAccount(address: Address): AccountId | null {
    return this.state.accounts.find(address);
  }

  getAddress(accountId: AccountId): Address {
    return this.state.accounts.getAddress(accountId);
  }

  findToken(symbol: string): TokenId | null {
    return this.state.tokens.find(symbol);
  }

  getTokenSymbol(tokenId: TokenId): string {
    return this.state.tokens.getSymbol(tokenId);
  }

  findSpotMarket(symbol: string): SpotMarket | null {
    const marketId = this.state.spotMarketIds.get(symbol);
    return marketId === undefined ? null : this.getSpotMarket(marketId);
  }

  getSpotMarket(marketId: MarketId): SpotMarket {
    return this.state.getSpotMarket(marketId).terms;
  }

  listSpotMarkets(): readonly SpotMarket[] {
    return this.state.spotMarkets.map(({ terms }) => terms);
  }

  listBalances(accountId: AccountId): readonly TokenBalance[] {
    return this.state.ledger.list(accountId);
  }

  findOpenOrder(orderNumber: OrderNumber): SpotOrder | null {
    const slot = this.state.orders.find(orderNumber);
    return slot < 0 ? null : this.state.orders.describeLive(slot);
  }

  listOpenOrders(accountId: AccountId, marketId: MarketId | null): readonly SpotOrder[] {
    const { orders } = this.state;
    const found: SpotOrder[] = [];
    const [from, to] = marketId === null ? [0, orders.marketCount] : [marketId, marketId + 1];
    for (let market = from; market < to; market += 1) {
      let slot = orders.firstOf(accountId, market);
      for (; slot >= 0; slot = orders.nextOf(slot)) found.push(orders.describeLive(slot));
    }
    if (marketId === null) found.sort((left, right) => left.orderNumber - right.orderNumber);
    return found;
  }

  countDeposits(accountId: AccountId): number {
    return this.state.wallet.countDeposits(accountId);
  }

  findWithdrawal(withdrawalId: string): ReservedWithdrawal | null {
    return this.state.wallet.find(withdrawalId);
  }

  listWithdrawals(): readonly ReservedWithdrawal[] {
    return this.state.wallet.list();
  }

  getDepth(marketId: MarketId, levelsMax: number): BookDepth {
    const { lastUpdateId } = this.state.getSpotMarket(marketId);
    const bids = this.listLevels(marketId, buySide, levelsMax);
    const asks = this.listLevels(marketId, sellSide, levelsMax);
    return { lastUpdateId, bids, asks };
  }

  get accountCount(): number {
    return this.state.accounts.count;
  }

  get tokenCount(): number {
    return this.state.tokens.count;
  }

  getIssued(tokenId: TokenId): Amount {
    return this.state.ledger.issuedOf(tokenId);
  }

  getPerpFunds(tokenId: TokenId): Amount {
    return perpFundsOf(this.state.ledger, tokenId);
  }

  getFeesCollected(tokenId: TokenId): Amount {
    return this.state.ledger.feesOf(tokenId);
  }

  listRestingOrders(marketId: MarketId, side: Side): readonly SpotOrder[] {
    const { orders } = this.state;
    const found: SpotOrder[] = [];
    const { book } = this.state.getSpotMarket(marketId);
    book.visitOrders(side === 'buy' ? buySide : sellSide, (slot) => {
      found.push(orders.describeLive(slot));
    });
    return found;
  }

  private run(command: Command, { sequence, timestamp }: Stamp): Rejection | null {
    const { state } = this;
    assert(sequence === state.sequence + 1, 'a sequence does not follow the last one');
    assert(timestamp >= state.timestamp, 'the time is before the last one');
    assert(!this.isApplying, 'the engine stopped in the middle of an earlier command');
    this.isApplying = true;
    const lastCommandAt = state.timestamp;
    state.sequence = sequence;
    state.timestamp = timestamp;
    followPause(state.futures, lastCommandAt);
    const { outcome, orders } = state;
    const openBefore = orders.count;
    const tradedBefore = state.tradeNumber;
    const rejection = execute(state, command);
    if (command.type !== 'placeSpotOrder') this.checkEnded(openBefore - orders.count);
    else this.checkTraded(state.tradeNumber - tradedBefore);
    outcome.reportLevels(state.spotMarkets);
    state.ledger.report(outcome);
    if (state.broken.isAny) this.handleBroken(state.broken.take());
    this.isApplying = false;
    return rejection;
  }

  private checkEnded(count: number): void {
    const { rules, broken } = this.state;
    if (count <= canceledMax || !isEndingChecked[rules]) return;
    broken.report('work-bounded', `${count} spot orders ended in one command`);
  }

  private checkTraded(count: number): void {
    const { rules, broken } = this.state;
    if (count <= makersMax || !areTradesCounted[rules]) return;
    broken.report('work-bounded', `${count} spot trades in one command`);
  }

  /** Money that nobody put in must not leave, whatever else the fault has done. */
  private handleBroken(rules: readonly string[]): void {
    if (this.onBroken === 'stop') throw new AssertionError(rules.join('; '));
    const { futures, outcome, sequence } = this.state;
    const reason = `command ${sequence}: ${rules[0]}`;
    holdWithdrawals(futures, { type: 'holdWithdrawals', isHeld: true, reason });
    outcome.push({ type: 'rulesBroken', rules });
  }

  private listLevels(marketId: MarketId, side: BookSide, levelsMax: number): BookLevel[] {
    const levels: BookLevel[] = [];
    if (levelsMax <= 0) return levels;
    this.state.getSpotMarket(marketId).book.visitLevels(side, (price, quantity) => {
      levels.push({ price: price as Ticks, quantity: quantity as Lots });
      return levels.length < levelsMax;
    });
    return levels;
  }
}

/** Creates engines, either empty or from an encoded state, that stop at the first broken rule. */
export const engineFactory = makeEngines('stop');

/** The same for a running exchange and its replicas: a broken rule holds withdrawals back. */
export const exchangeEngines: StateMachineFactory = makeEngines('hold');

function makeEngines(onBroken: OnBrokenRule) {
  return {
    oldestRules: rulesVersionMin,
    newestRules: rulesVersion,
    create: (rules: number = rulesVersion): Engine =>
      new Engine(new EngineState(toRules(rules)), onBroken),
    restore: (bytes: Uint8Array): Engine => new Engine(decodeState(bytes), onBroken),
    hashState: hashBytes,
    isOfThisVersion: isStateOfThisVersion,
  } satisfies StateMachineFactory;
}

function execute(state: EngineState, command: Command): Rejection | null {
  switch (command.type) {
    case 'placeSpotOrder':
      return placeSpotOrder(state, command);
    case 'cancelSpotOrder':
      return cancelSpotOrder(state, command);
    case 'cancelAllSpotOrders':
      return cancelAllSpotOrders(state, command);
    case 'openAccount':
      openAccount(state, command.address);
      return null;
    case 'creditBalance':
      return creditBalance(state, command);
    case 'createSpotMarket':
      return createSpotMarket(state, command);
    case 'setSpotMarketStatus':
      return setSpotMarketStatus(state, command);
    case 'upgradeRules':
      return upgradeRules(state, command);
    case 'creditDeposit':
    case 'reserveWithdrawal':
    case 'completeWithdrawal':
    case 'releaseWithdrawal':
    case 'reopenWithdrawal':
      return applyWalletCommand(state, command);
    default:
      return executeFutures(state, command);
  }
}
