import { type Amount, toAmount, zeroAmount } from '../../domain/amount.ts';
import type { FuturesMarket, FuturesMarketId, FuturesPrices } from '../../domain/futures-market.ts';
import type { FuturesOrder } from '../../domain/futures-order.ts';
import type {
  FuturesPositionView,
  PerpAccountView,
  SignedLots,
} from '../../domain/futures-position.ts';
import type { AccountId, OrderNumber, TimestampMs } from '../../domain/identifiers.ts';
import type { Rejection } from '../../domain/rejection.ts';
import type { Lots, Ticks } from '../../domain/spot-market.ts';
import type { Side } from '../../domain/spot-order.ts';
import { type BookSide, buySide, sellSide } from '../book/order-book.ts';
import type { BookDepth, BookLevel } from '../book-depth.ts';
import type { PlaceFuturesOrder } from '../futures-commands.ts';
import type { CloseOutView, EffectiveFees, FeeTermsView, OpenNotional } from '../futures-view.ts';
import { outsideSpotOf } from '../ledger/perp-funds.ts';
import { closeOutKind } from '../ledger/record-kinds.ts';
import type { FuturesAccount } from './accounts/futures-account.ts';
import { type PerpCells, perpToken } from './accounts/perp-cells.ts';
import { StoredPositions } from './accounts/stored-positions.ts';
import { isGateShut } from './accounts/withdrawal-gate.ts';
import type { CloseOutAudit } from './close-out-audit.ts';
import { estimateFundingRate } from './funding/funding-rate.ts';
import { pendingFundingOf } from './funding/pending-funding.ts';
import type { FuturesAudit, Protection } from './futures-audit.ts';
import type { FuturesState, Reservation } from './futures-state.ts';
import { isClosable } from './liquidation/close-out-stage.ts';
import { rankOf, scoreOf } from './liquidation/find-candidates.ts';
import { liquidationPrice } from './liquidation/liquidation-price.ts';
import { isDue } from './liquidation/watch-account.ts';
import { accountMargin, leverageIn, marketMargin } from './margin/account-margin.ts';
import { effectiveFees } from './margin/fee-rates.ts';
import { availableFor, withdrawableOf } from './margin/new-risk.ts';
import { asksColumn, bidsColumn } from './margin/stakes.ts';
import { raisedBy } from './orders/check-order.ts';
import { judgeOrder } from './orders/place-order.ts';
import { priceStateOf } from './pricing/price-state.ts';
import { isSettling } from './pricing/settling.ts';

/** Reads the futures state; every call is served from memory and changes nothing. */
export class FuturesReader implements FuturesAudit, CloseOutAudit {
  private readonly state: FuturesState;

  constructor(state: FuturesState) {
    this.state = state;
  }

  get rules() {
    return this.state.rules;
  }

  get insuranceFund() {
    return this.readHouse((cells) => cells.insurance());
  }

  get insuranceHeld() {
    return toAmount(this.state.insuranceHeld);
  }

  get badDebt() {
    return this.readHouse((cells) => cells.badDebt());
  }

  get isWithdrawalGateShut(): boolean {
    return isGateShut(this.state);
  }

  get areWithdrawalsHeld(): boolean {
    return this.state.areWithdrawalsHeld;
  }

  get withdrawalGateUntil(): TimestampMs | null {
    const { gateUntil, now } = this.state;
    return gateUntil > now ? (gateUntil as TimestampMs) : null;
  }

  get closeOutCount(): number {
    return this.state.closeOuts.size;
  }

  get closingSince(): TimestampMs | null {
    const begun = [...this.state.closeOuts.values()].map(({ begunAt }) => begunAt);
    return begun.length === 0 ? null : (Math.min(...begun) as TimestampMs);
  }

  isFuturesMarketSettling(marketId: FuturesMarketId): boolean {
    return isSettling(this.state.getMarket(marketId));
  }

  findCloseOut(accountId: AccountId): CloseOutView | null {
    const closeOut = this.state.closeOuts.get(accountId);
    if (closeOut === undefined) return null;
    const { number, stage, begunAt } = closeOut;
    return { number, stage, begunAt: begunAt as TimestampMs };
  }

  get futuresFees() {
    return this.readHouse((cells) => cells.feeRevenue());
  }

  /** Everything issued, less what spot wallets hold. */
  get perpFunds() {
    const { ledger, tokens } = this.state.engine;
    const tokenId = tokens.find(perpToken);
    return tokenId === null ? zeroAmount : outsideSpotOf(ledger, tokenId);
  }

  getClearing(marketId: FuturesMarketId) {
    return this.readHouse((cells) => cells.clearing(this.state.getMarket(marketId)));
  }

  getFundingHeld(marketId: FuturesMarketId) {
    return this.readHouse((cells) => cells.funding(this.state.getMarket(marketId)));
  }

  get accountCount(): number {
    return Math.max(0, this.state.accounts.length - 1);
  }

  findFuturesMarket(symbol: string): FuturesMarket | null {
    return this.state.markets[this.state.marketIds.get(symbol) ?? -1]?.terms ?? null;
  }

  getFuturesMarket(marketId: FuturesMarketId): FuturesMarket {
    return this.state.getMarket(marketId).terms;
  }

  listFuturesMarkets(): readonly FuturesMarket[] {
    return this.state.markets.map(({ terms }) => terms);
  }

  getFuturesPrices(marketId: FuturesMarketId): FuturesPrices {
    const market = this.state.getMarket(marketId);
    const fundingRate = estimateFundingRate(this.state, market);
    return market.describePrices(fundingRate, priceStateOf(market, this.state.now));
  }

  getFuturesDepth(marketId: FuturesMarketId, levelsMax: number): BookDepth {
    const { lastUpdateId } = this.state.getMarket(marketId);
    const bids = this.listLevels(marketId, buySide, levelsMax);
    return { lastUpdateId, bids, asks: this.listLevels(marketId, sellSide, levelsMax) };
  }

  getOpenInterest(marketId: FuturesMarketId): number {
    return this.state.getMarket(marketId).openInterest;
  }

  findOpenFuturesOrder(orderNumber: OrderNumber): FuturesOrder | null {
    const order = this.state.orders.get(orderNumber);
    return order === undefined ? null : order.describe();
  }

  findFuturesOrderByClientId(accountId: AccountId, clientOrderId: string): FuturesOrder | null {
    const order = this.state.orders.findByClientId(accountId, clientOrderId);
    return order === undefined ? null : order.describe();
  }

  listOpenFuturesOrders(
    accountId: AccountId,
    marketId: FuturesMarketId | null,
  ): readonly FuturesOrder[] {
    const { orders } = this.state;
    const found = marketId === null ? orders.listOf(accountId) : orders.listIn(accountId, marketId);
    return found.map((order) => order.describe());
  }

  getPositionNumber(accountId: AccountId, marketId: FuturesMarketId): number {
    return this.accountOf(accountId).positions[marketId]?.number ?? 0;
  }

  findProtection(orderNumber: OrderNumber): Protection | null {
    const order = this.state.orders.get(orderNumber);
    if (order === undefined || order.parentOrderNumber === null) return null;
    const { positionNumber, coveredQuantity } = order;
    return { positionNumber, coveredQuantity };
  }

  listRestingFuturesOrders(marketId: FuturesMarketId, side: Side): readonly FuturesOrder[] {
    const found: FuturesOrder[] = [];
    const { book } = this.state.getMarket(marketId);
    book.visitOrders(side === 'buy' ? buySide : sellSide, (slot) => {
      found.push(this.state.orders.at(slot).describe());
    });
    return found;
  }

  getPerpAccount(accountId: AccountId): PerpAccountView {
    const account = this.accountOf(accountId);
    const margin = accountMargin(this.state, account);
    const available = availableFor(this.state, account, margin);
    return {
      accountId,
      walletBalance: toAmount(account.walletBalance),
      unrealizedProfit: toAmount(margin.unrealizedProfit),
      equity: toAmount(margin.equity),
      positionMargin: toAmount(margin.initial),
      orderMargin: toAmount(margin.orders),
      maintenanceMargin: toAmount(margin.maintenance),
      available: available > 0n ? toAmount(available) : zeroAmount,
      withdrawable: toAmount(withdrawableOf(this.state, account, margin)),
      reserved: toAmount(account.reserved),
    };
  }

  getPendingFunding(accountId: AccountId): Amount {
    return toAmount(pendingFundingOf(this.state, this.accountOf(accountId)));
  }

  isJudgedNext(accountId: AccountId): boolean {
    return isDue(this.state, accountId);
  }

  hasOldPricesOnly(accountId: AccountId): boolean {
    const { positions } = this.accountOf(accountId);
    return !positions.some((position) => isClosable(this.state, position));
  }

  listInsuranceHeld(): readonly Reservation[] {
    return [...this.state.engine.ledger.records()]
      .filter(({ kind, first }) => kind === closeOutKind && first !== 0n)
      .map(({ owner, first }) => ({ accountId: owner as AccountId, amount: first }));
  }

  getPosition(accountId: AccountId, marketId: FuturesMarketId): FuturesPositionView {
    const account = this.accountOf(accountId);
    const market = this.state.getMarket(marketId);
    const position = account.positions[marketId] ?? new StoredPositions().open(accountId, marketId);
    const margin = marketMargin(account, market);
    const price = liquidationPrice(this.state, account, market);
    const score = position.quantity === 0 ? 0n : scoreOf(this.state, account, market, position);
    return {
      accountId,
      marketId,
      quantity: position.quantity as SignedLots,
      entryNotional: toAmount(position.entryNotional),
      realizedProfit: toAmount(position.realizedProfit),
      fees: toAmount(position.fees),
      updatedAt: position.updatedAt as TimestampMs,
      leverage: leverageIn(account, market),
      markPrice: market.markPrice === null ? null : toAmount(market.markPrice),
      notional: toAmount(margin.notional),
      unrealizedProfit: toAmount(margin.unrealizedProfit),
      initialMargin: toAmount(margin.initial),
      maintenanceMargin: toAmount(margin.maintenance),
      orderMargin: toAmount(margin.orders),
      bidNotional: toAmount(account.stakes.get(accountId, marketId, bidsColumn)),
      askNotional: toAmount(account.stakes.get(accountId, marketId, asksColumn)),
      liquidationPrice: price === null ? null : toAmount(price),
      deleverageRank: position.quantity === 0 ? 0 : rankOf(score),
    };
  }

  getOpenNotional(accountId: AccountId, marketId: FuturesMarketId): OpenNotional {
    const { stakes } = this.state;
    return {
      bids: toAmount(stakes.get(accountId, marketId, bidsColumn)),
      asks: toAmount(stakes.get(accountId, marketId, asksColumn)),
    };
  }

  listPositions(accountId: AccountId): readonly FuturesPositionView[] {
    const account = this.state.accounts[accountId];
    if (account === undefined) return [];
    return this.state.markets
      .map(({ terms }) => terms.marketId)
      .filter((marketId) => isConcerned(this.state, account, marketId))
      .map((marketId) => this.getPosition(accountId, marketId));
  }

  getLeverage(accountId: AccountId, marketId: FuturesMarketId): number {
    return leverageIn(this.accountOf(accountId), this.state.getMarket(marketId));
  }

  getRaisedMargin(accountId: AccountId, marketId: FuturesMarketId, side: Side, lots: Lots): Amount {
    const { state } = this;
    const account = this.accountOf(accountId);
    const market = state.getMarket(marketId);
    return toAmount(raisedBy(state, account, market, { side, lots, price: market.lastPrice }));
  }

  getFeeTerms(accountId: AccountId): FeeTermsView {
    return this.accountOf(accountId).fees;
  }

  getEffectiveFees(accountId: AccountId, marketId: FuturesMarketId): EffectiveFees {
    return effectiveFees(this.accountOf(accountId), this.state.getMarket(marketId));
  }

  judgeFuturesOrder(order: PlaceFuturesOrder): Rejection | null {
    return judgeOrder(this.state, order);
  }

  getCountdown(accountId: AccountId, marketId: FuturesMarketId): TimestampMs | null {
    return this.state.countdowns.get(accountId, marketId)?.cancelAt ?? null;
  }

  /** Uses a blank account if there is none, so that reading changes nothing. */
  private accountOf(accountId: AccountId): FuturesAccount {
    return this.state.accounts[accountId] ?? this.state.blankAccount(accountId);
  }

  /** Zero if the perp wallet's token has never come in. */
  private readHouse(nameOf: (cells: PerpCells) => number): Amount {
    const { cells, engine } = this.state;
    if (engine.tokens.find(perpToken) === null) return zeroAmount;
    return toAmount(engine.ledger.balance(nameOf(cells)));
  }

  private listLevels(marketId: FuturesMarketId, side: BookSide, levelsMax: number): BookLevel[] {
    const levels: BookLevel[] = [];
    if (levelsMax <= 0) return levels;
    this.state.getMarket(marketId).book.visitLevels(side, (price, quantity) => {
      levels.push({ price: price as Ticks, quantity: quantity as Lots });
      return levels.length < levelsMax;
    });
    return levels;
  }
}

function isConcerned(state: FuturesState, account: FuturesAccount, marketId: number): boolean {
  const { accountId } = account;
  return account.quantityIn(marketId) !== 0 || state.orders.countIn(accountId, marketId) > 0;
}
