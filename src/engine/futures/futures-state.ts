import { assert } from '../../domain/assert.ts';
import type { AccountId, TimestampMs, TradeNumber } from '../../domain/identifiers.ts';
import type { BookSide } from '../book/order-book.ts';
import type { FuturesOrderCause, FuturesOrderEnd } from '../futures-events.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type PostingCode, postingCodes } from '../ledger/postings.ts';
import type { Tokens } from '../ledger/tokens.ts';
import type { Outcome } from '../outcome.ts';
import type { Rules } from '../rules.ts';
import type { BrokenRules } from '../running-rules.ts';
import { DueQueue } from '../storage/due-queue.ts';
import { TouchedItems } from '../storage/touched-items.ts';
import { FuturesAccount } from './accounts/futures-account.ts';
import { PerpCells } from './accounts/perp-cells.ts';
import { type Position, StoredPositions } from './accounts/stored-positions.ts';
import { TransferIds } from './accounts/transfer-ids.ts';
import { CommandWork } from './command-work.ts';
import type { CloseOut } from './liquidation/close-out.ts';
import { FundLevels } from './liquidation/fund-levels.ts';
import { RiskQueue } from './liquidation/risk-queue.ts';
import { Stakes } from './margin/stakes.ts';
import type { FuturesMarketState } from './markets/futures-market-state.ts';
import { Countdowns } from './orders/countdowns.ts';
import type { LiveOrder } from './orders/live-order.ts';
import { StoredOrders } from './orders/stored-orders.ts';
import { CalmPrices } from './pricing/calm-prices.ts';
import type { ReportedRisk } from './reported-risk.ts';

/** What the futures side shares with the rest of the engine. */
export interface EngineClock {
  readonly rules: Rules;
  readonly timestamp: TimestampMs;
  orderNumber: number;
  tradeNumber: number;
  readonly outcome: Outcome;
  readonly broken: BrokenRules;
  readonly accounts: { readonly count: number };
  readonly ledger: Ledger;
  readonly tokens: Tokens;
}

/** What the insurance fund has reserved for one account, in 10^-8 USDT. */
export interface Reservation {
  readonly accountId: AccountId;
  readonly amount: bigint;
}

/** Everything the futures side remembers between commands. */
export class FuturesState {
  readonly markets: FuturesMarketState[] = [];
  /** What the open interest of the first markets can be worth at most, in their number. */
  readonly maxima = { count: 0, sum: 0n };
  readonly marketIds = new Map<string, number>();
  /** By account number. */
  readonly accounts: (FuturesAccount | undefined)[] = [];
  readonly orders = new StoredOrders();
  readonly stakes = new Stakes();
  readonly transferIds = new TransferIds();
  transferNumber = 0;
  /** Increases with each change of any mark price. */
  markEpoch = 1;
  /** Money set aside for withdrawals, by reference. */
  readonly reservations = new Map<string, Reservation>();
  closeOutNumber = 0;
  /** Accounts being closed, in the order in which their close-outs began. */
  readonly closeOuts = new Map<number, CloseOut>();
  /** The sum of the insurance fund's reservations for them. */
  insuranceHeld = 0n;
  readonly fundLevels = new FundLevels();
  /** No money leaves the perp wallets before this moment. */
  gateUntil = 0;
  /** No money leaves the perp wallets until a person lifts the hold. */
  areWithdrawalsHeld = false;
  /** What was last reported of debt and gate. */
  reported: ReportedRisk = { badDebt: 0n, isGateShut: false };
  /** Live orders that expire. */
  readonly timedOrders = new DueQueue<LiveOrder>(byGoodTill);
  readonly countdowns = new Countdowns();
  /** The number of markets whose last hour is not yet booked for all accounts. */
  sweepCount = 0;
  readonly riskQueue = new RiskQueue();
  readonly positions = new StoredPositions();
  readonly touchedPositions = new TouchedItems<Position>(
    (a, b) => a.accountId - b.accountId || a.marketId - b.marketId,
  );
  readonly touchedAccounts = new TouchedItems<FuturesAccount>((a, b) => a.accountId - b.accountId);
  /** Markets whose books the running command has changed. */
  readonly touchedMarkets: FuturesMarketState[] = [];
  readonly calmPrices = new CalmPrices();
  /**
   * No market's hour starts before this moment; 0 if a market has been added since it was computed.
   */
  hourDueAt = 0;
  /** What all longs and all shorts that are open have cost, in 10^-8 USDT. */
  readonly entries = new BigInt64Array(2);
  /** Whether the settled price of some market differs from its mark price. */
  hasUnsettled = false;
  /** Markets whose last or mark price has moved since their triggers were last checked. */
  readonly movedMarkets = new Set<FuturesMarketState>();
  /** How many more orders the running command may end for the exchange's own reasons. */
  endingBudget = 0;
  /** What the exchange's fees have paid for losses in the running command, in 10^-8 USDT. */
  feesGiven = 0n;
  readonly commandWork = new CommandWork();
  readonly engine: EngineClock;
  readonly cells: PerpCells;

  constructor(engine: EngineClock) {
    this.engine = engine;
    this.cells = new PerpCells(engine.ledger, engine.tokens);
  }

  get now(): TimestampMs {
    return this.engine.timestamp;
  }

  /** By which the running command is applied. */
  get rules(): Rules {
    return this.engine.rules;
  }

  /** One more than the highest account number. */
  get accountsEnd(): number {
    return this.engine.accounts.count + 1;
  }

  /** @throws AssertionError if the market does not exist. */
  getMarket(marketId: number): FuturesMarketState {
    const market = this.markets[marketId];
    assert(market !== undefined, 'there is no such futures market');
    return market;
  }

  /** The account's futures data, created on first use. */
  openAccount(accountId: number): FuturesAccount {
    const known = this.accounts[accountId];
    if (known !== undefined) return known;
    const account = this.blankAccount(accountId as AccountId);
    this.accounts[accountId] = account;
    return account;
  }

  /** Blank futures data for reading an account that has none yet. */
  blankAccount(accountId: AccountId): FuturesAccount {
    return new FuturesAccount(this, accountId);
  }

  /**
   * Moves a positive change from the cell to the wallet, or a negative one from the wallet to it.
   */
  postToWallet(account: FuturesAccount, cell: number, change: bigint, code: PostingCode): void {
    if (change === 0n) return;
    this.cells.postToWallet(account, cell, change, code);
    this.touchedAccounts.add(account);
    // Funding counts in equity before it is booked.
    if (code !== postingCodes.funding) this.riskQueue.touch(account.accountId);
  }

  /** Adds what a position of that many lots has cost to the sum of its side. */
  addEntry(lots: number, cost: bigint): void {
    if (lots === 0) return;
    const { entries } = this;
    const side = lots > 0 ? 0 : 1;
    entries[side] = BigInt.asIntN(64, (entries[side] as bigint) + BigInt.asIntN(64, cost));
  }

  /** Assigns the next order number; spot and futures orders share the numbers. */
  takeOrderNumber(): number {
    this.engine.orderNumber += 1;
    return this.engine.orderNumber;
  }

  /** A market order for the running command with every other field at its default. */
  openOrder(orderNumber: number, accountId: number, marketId: number): LiveOrder {
    return this.orders.open(orderNumber, accountId, marketId, this.now);
  }

  /** Makes the order live: it is found by number, account and client order id. */
  addOrder(order: LiveOrder): void {
    this.orders.add(order);
    if (order.goodTill !== null) this.timedOrders.add(order);
  }

  /** Does nothing if the order was never added, as when it ended at once. */
  removeOrder(order: LiveOrder): void {
    if (!this.orders.remove(order)) return;
    if (order.goodTill !== null) this.timedOrders.remove(order);
  }

  /**
   * Records the order as it is now, why it changed and, if it has ended, how; `tradeNumber` is that
   * of the trade that changed it.
   */
  reportOrder(
    order: LiveOrder,
    cause: FuturesOrderCause,
    end: FuturesOrderEnd | null = null,
    tradeNumber: number | null = null,
  ): void {
    order.updatedAt = this.now;
    if (cause !== 'placed' && cause !== 'traded') this.commandWork.countOrder(cause, end);
    if (!this.engine.outcome.isObserved) return;
    this.engine.outcome.push({
      type: 'futuresOrderUpdated',
      order: order.describe(),
      cause,
      tradeNumber: tradeNumber as TradeNumber | null,
      end,
    });
  }

  /** Records the lots that now rest at a price. */
  changeLevel(market: FuturesMarketState, side: BookSide, price: number, quantity: number): void {
    if (market.touchedLevels.count === 0) this.touchedMarkets.push(market);
    market.touchedLevels.set(side, price, quantity);
  }
}

function byGoodTill(first: LiveOrder, second: LiveOrder): number {
  const byTime = (first.goodTill ?? 0) - (second.goodTill ?? 0);
  return byTime === 0 ? first.orderNumber - second.orderNumber : byTime;
}
