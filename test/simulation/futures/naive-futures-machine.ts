import { toAmount } from '../../../src/domain/amount.ts';
import type { FuturesMarket } from '../../../src/domain/futures-market.ts';
import type { AccountId } from '../../../src/domain/identifiers.ts';
import type { Rejection } from '../../../src/domain/rejection.ts';
import type { Command } from '../../../src/engine/commands.ts';
import type {
  AmendFuturesOrder,
  CancelAllFuturesOrders,
  CancelFuturesOrder,
  MoveHouseFunds,
  ReservePerpFunds,
  SetAccountFees,
  SetCountdownCancel,
  SetLeverage,
  TransferFunds,
} from '../../../src/engine/futures-commands.ts';
import type { FuturesEvent } from '../../../src/engine/futures-events.ts';
import type { Stamp } from '../../../src/engine/state-machine.ts';
import { naiveCanceledMax } from '../naive-arithmetic.ts';
import { ending } from './naive-futures-children.ts';
import { isWaiting } from './naive-futures-judge.ts';
import { gateMs } from './naive-futures-liquidation.ts';
import { NaiveFuturesTriggers } from './naive-futures-triggers.ts';
import type { Market } from './naive-futures-types.ts';

export interface NaiveOutcome {
  readonly rejection: Rejection | null;
  readonly events: readonly FuturesEvent[];
}

const hourMs = 3_600_000;
const pauseMs = 300_000;
/** The most that the perp wallets and the cells behind them can hold. */
const perpFundsMax = 1n << 60n;

/** Commands to the plain futures engine; it receives markets and does not create them. */
export class NaiveFuturesMachine extends NaiveFuturesTriggers {
  private countdowns = new Map<string, SetCountdownCancel>();
  private reservations = new Map<string, ReservePerpFunds>();

  apply(command: Command, stamp: Stamp): NaiveOutcome {
    if (this.now > 0 && stamp.timestamp - this.now > pauseMs) {
      this.gateUntil = stamp.timestamp + gateMs;
    }
    this.now = stamp.timestamp;
    this.events = [];
    if (command.type !== 'advanceTime') this.openHours();
    const rejection = this.execute(command);
    if (rejection === null) {
      this.followPositions();
      for (const market of this.markets) market.settled = market.markPrice;
      this.fireTriggers();
      if (command.type === 'advanceTime') this.payAll();
    }
    return { rejection, events: this.events };
  }

  /** Markets come as the other engine made them. */
  adopt(terms: FuturesMarket): void {
    const book = { buy: [], sell: [], updateId: 0, tradeCount: 0, lastPrice: null };
    const index = {
      indexPrice: null,
      indexPriceAt: null,
      isIndexStale: false,
      held: null,
      settled: null,
      judged: null,
      markPrice: null,
    };
    const samples = { sampledAt: 0, basis: [], premiums: [], lastRate: 0n };
    const cells = { clearing: 0n, funding: 0n, unpaid: [], isPaying: false, hour: 0n };
    const nextFundingTime = terms.createdAt - (terms.createdAt % hourMs) + hourMs;
    this.markets.push({ terms, ...book, ...index, ...samples, ...cells, nextFundingTime });
  }

  private execute(command: Command): Rejection | null {
    switch (command.type) {
      case 'placeFuturesOrder':
        return this.place(command);
      case 'amendFuturesOrder':
        return this.amend(command);
      case 'cancelFuturesOrder':
        return this.cancel(command);
      case 'cancelAllFuturesOrders':
        return this.cancelAll(command);
      case 'transferFunds':
        return this.transfer(command);
      case 'moveHouseFunds':
        return this.moveHouseFunds(command);
      case 'setLeverage':
        return this.changeLeverage(command);
      case 'setAccountFees':
        return this.changeFees(command);
      case 'reservePerpFunds':
        return this.reserve(command);
      case 'setFuturesMarketStatus':
        return this.changeStatus(command.symbol, command.status);
      case 'setIndexPrice':
        return this.setIndexPrice(command.symbol, command.price);
      case 'creditBalance':
        this.wallet(this.accountOf(command.address)).spot += command.amount;
        return null;
      case 'advanceTime':
        for (const market of this.markets) this.refreshPrices(market);
        this.openHours();
        this.expireOrders();
        this.runCountdowns();
        this.scanRisk();
        return null;
      case 'setCountdownCancel':
        this.countdowns.set(`${command.accountId}:${command.marketId}`, command);
        return null;
      default:
        return null;
    }
  }

  /** Account numbers are the addresses' own, as the simulation opens them in that order. */
  private accountOf(address: string): AccountId {
    const accountId = (Number.parseInt(address.slice(2), 16) + 1) as AccountId;
    this.accountCount = Math.max(this.accountCount, accountId);
    return accountId;
  }

  protected amend(command: AmendFuturesOrder): Rejection | null {
    const order = this.orders.find(({ orderNumber }) => orderNumber === command.orderNumber);
    if (order === undefined || order.accountId !== command.accountId) {
      return { reason: 'order_not_found' };
    }
    const market = this.market(order.marketId);
    const { status } = market.terms;
    if (status === 'halted') return { reason: 'market_halted' };
    if (status === 'delisted') return { reason: 'market_delisted' };
    if (this.isHeldBack(order)) return { reason: 'account_in_liquidation' };
    if (!order.isResting) return { reason: 'order_not_amendable' };
    if (command.side !== null && command.side !== order.side) return { reason: 'side_mismatch' };
    if (command.quantity <= order.filledQuantity) return { reason: 'order_not_amendable' };
    // Judged as if the old one were gone, and put back in its place if that fails.
    const side = market[order.side];
    const at = side.indexOf(order);
    const { price, priceMatch, quantity } = command;
    const kept = {
      price: order.price,
      priceMatch: order.priceMatch,
      quantity: order.quantity,
      isReduceOnly: order.isReduceOnly,
    };
    side.splice(at, 1);
    Object.assign(order, { price, priceMatch, quantity });
    if (priceMatch !== 'none') order.price = this.priceFrom(market, order);
    const isMatched = order.price !== null;
    const isSame = order.price === kept.price && quantity === kept.quantity;
    const refusal: Rejection | null = !isMatched
      ? { reason: 'no_price_to_match' }
      : isSame
        ? { reason: 'order_not_amendable' }
        : this.admit(market, order, null);
    if (refusal !== null) {
      Object.assign(order, kept);
      side.splice(at, 0, order);
      return refusal;
    }
    order.isResting = false;
    this.tell(order, 'amended');
    this.enter(market, order, null);
    return null;
  }

  protected cancel({ accountId, orderNumber }: CancelFuturesOrder): Rejection | null {
    const order = this.orders.find((each) => each.orderNumber === orderNumber);
    if (order === undefined) return { reason: 'order_not_found' };
    if (order.accountId !== accountId) return { reason: 'order_not_owned' };
    this.finish(order, ending('canceled', 'canceled'));
    return null;
  }

  private cancelAll({ accountId, marketId, kind }: CancelAllFuturesOrders): Rejection | null {
    if (marketId !== null && this.markets[marketId] === undefined) {
      return { reason: 'market_not_found' };
    }
    const chosen = this.orders
      .filter((order) => order.accountId === accountId)
      .filter((order) => marketId === null || order.marketId === marketId)
      .filter((order) => kind === 'all' || isWaiting(order))
      .sort((left, right) => left.orderNumber - right.orderNumber);
    const before = this.orders.length;
    for (const order of chosen) {
      if (before - this.orders.length >= naiveCanceledMax) break;
      if (this.orders.includes(order)) this.finish(order, ending('canceled', 'canceled'));
    }
    return null;
  }

  protected transfer(command: TransferFunds): Rejection | null {
    const { accountId, direction, amount, clientTransferId } = command;
    const key = `${accountId} ${clientTransferId}`;
    if (clientTransferId !== null && this.transfers.includes(key)) return null;
    if (amount <= 0n) return { reason: 'amount_not_positive' };
    const wallet = this.wallet(accountId);
    const free =
      direction === 'spot_to_perp' ? wallet.spot : this.getPerpAccount(accountId).withdrawable;
    if (amount > free) return { reason: 'insufficient_balance' };
    if (direction === 'perp_to_spot') this.payUnpaid(accountId);
    else if (!this.hasPerpRoom(amount)) return { reason: 'amount_out_of_range' };
    const signed = direction === 'spot_to_perp' ? amount : 0n - amount;
    wallet.spot -= signed;
    wallet.balance += signed;
    this.perpFunds = toAmount(this.perpFunds + signed);
    if (direction === 'spot_to_perp') this.endIfCarried(accountId);
    if (clientTransferId !== null) this.transfers.push(key);
    return null;
  }

  private hasPerpRoom(amount: bigint): boolean {
    return this.perpFunds - this.futuresFees + amount <= perpFundsMax;
  }

  private moveHouseFunds({ amount, source }: MoveHouseFunds): Rejection | null {
    if (amount <= 0n) return { reason: 'amount_not_positive' };
    if (source === 'fees' && amount > this.futuresFees) return { reason: 'insufficient_balance' };
    if (!this.hasPerpRoom(amount)) return { reason: 'amount_out_of_range' };
    if (source === 'fees') this.futuresFees = toAmount(this.futuresFees - amount);
    else this.perpFunds = toAmount(this.perpFunds + amount);
    const change = this.repayDebt(amount);
    if (change > 0n) this.changeFund(null, { change });
    this.fundHighs = [];
    return null;
  }

  private changeLeverage({ accountId, marketId, leverage }: SetLeverage): Rejection | null {
    const market = this.markets[marketId];
    if (market === undefined) return { reason: 'market_not_found' };
    const isWhole = Number.isInteger(leverage);
    if (!isWhole || leverage < 1 || leverage > market.terms.maxLeverage) {
      return { reason: 'leverage_out_of_range' };
    }
    if (this.isClosing(accountId)) return { reason: 'account_in_liquidation' };
    const key = `${accountId}:${marketId}`;
    const before = this.leverages.get(key);
    this.leverages.set(key, leverage);
    const refusal = this.refuseLeverage(accountId, market);
    if (refusal === null) return null;
    if (before === undefined) this.leverages.delete(key);
    else this.leverages.set(key, before);
    return refusal;
  }

  /** An account with a stake in the market must be able to carry it at the leverage set. */
  protected refuseLeverage(accountId: AccountId, market: Market): Rejection | null {
    const { notional } = this.need(accountId, market, { buy: 0n, sell: 0n });
    const open = this.openNotional(accountId, market);
    if (notional + open.buy + open.sell === 0n) return null;
    const { quantity } = this.position(accountId, market.terms.marketId);
    const signed = quantity < 0 ? -notional : notional;
    const [long, short] = [signed + open.buy, open.sell - signed];
    if ((long > short ? long : short) > this.largestNotional(accountId, market)) {
      return { reason: 'leverage_out_of_range' };
    }
    return this.freeOf(accountId) < 0n ? { reason: 'insufficient_margin' } : null;
  }

  private changeFees(command: SetAccountFees): Rejection | null {
    const { accountId, vipTier, vipMultiplierTenths, referralDiscountBps } = command;
    this.wallet(accountId).fees = { vipTier, vipMultiplierTenths, referralDiscountBps };
    return null;
  }

  private reserve(command: ReservePerpFunds): Rejection | null {
    const { accountId, amount, step, reference } = command;
    const wallet = this.wallet(accountId);
    const reserved = this.reservations.get(reference);
    if (step === 'reserve') {
      if (reserved !== undefined) return { reason: 'withdrawal_under_way' };
      if (amount <= 0n) return { reason: 'amount_not_positive' };
      if (this.isWithdrawalGateShut) return { reason: 'withdrawals_gated' };
      const { withdrawable } = this.getPerpAccount(accountId);
      if (amount > withdrawable) return { reason: 'insufficient_balance' };
      this.payUnpaid(accountId);
      wallet.balance -= amount;
      wallet.reserved += amount;
      this.reservations.set(reference, command);
      return null;
    }
    if (reserved?.accountId !== accountId) return { reason: 'withdrawal_not_under_way' };
    this.reservations.delete(reference);
    wallet.reserved -= reserved.amount;
    if (step === 'release') wallet.balance += reserved.amount;
    else this.perpFunds = toAmount(this.perpFunds - reserved.amount);
    return null;
  }

  private changeStatus(symbol: string, status: string): Rejection | null {
    const market = this.markets.find(({ terms }) => terms.symbol === symbol);
    if (market === undefined) return { reason: 'market_not_found' };
    if (market.terms.status === status) return null;
    if (market.terms.status === 'delisted') return { reason: 'market_status_final' };
    market.terms = { ...market.terms, status: status as Market['terms']['status'] };
    if (status === 'listed') this.moved.add(market);
    return null;
  }

  private setIndexPrice(symbol: string, price: bigint): Rejection | null {
    const market = this.markets.find(({ terms }) => terms.symbol === symbol);
    if (market === undefined) return { reason: 'market_not_found' };
    if (price <= 0n) return { reason: 'amount_not_positive' };
    if (market.terms.indexPriceSource !== 'admin') {
      const detail = 'the market takes its index price from its book';
      return { reason: 'parameter_invalid', detail };
    }
    this.pushIndexPrice(market, price);
    this.scanRisk();
    return null;
  }

  private expireOrders(): void {
    const due = this.orders
      .filter(({ goodTill }) => goodTill !== null && goodTill <= this.now)
      .sort((left, right) => {
        return (left.goodTill ?? 0) - (right.goodTill ?? 0) || left.orderNumber - right.orderNumber;
      });
    for (const order of due) {
      if (!this.orders.includes(order)) continue;
      this.finish(order, ending('expired', 'expired', 'good_till_date'));
    }
  }

  private runCountdowns(): void {
    const due = [...this.countdowns.entries()]
      .filter(([, { cancelAt }]) => cancelAt !== null && cancelAt <= this.now)
      .sort(([, left], [, right]) => {
        const byOwner = left.accountId - right.accountId || left.marketId - right.marketId;
        return (left.cancelAt ?? 0) - (right.cancelAt ?? 0) || byOwner;
      });
    for (const [key, { accountId, marketId, kind }] of due) {
      this.countdowns.delete(key);
      for (const order of this.ordersOf(accountId, marketId)) {
        if (!this.orders.includes(order)) continue;
        if (kind === 'resting' && isWaiting(order)) continue;
        this.finish(order, ending('canceled', 'canceled', 'countdown'));
      }
    }
  }
}
