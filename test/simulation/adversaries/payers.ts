import type { FuturesMarketId } from '../../../src/domain/futures-market.ts';
import type { FuturesTrade } from '../../../src/domain/futures-order.ts';
import type { AccountId } from '../../../src/domain/identifiers.ts';
import type { AppliedCommand, EngineEvent } from '../../../src/engine/events.ts';
import type { FuturesReader } from '../../../src/engine/futures/futures-reader.ts';

// Who paid for what leaves, from the events alone and without any rule of the engine. All money of
// an account comes from its deposits, its trades and its funding, less its fees; whatever else its
// wallet gains was paid by the house, which pays for close-outs and delistings only. A group whose
// members trade among themselves neither gains nor loses by that, so with
//   ext = money and lots from trades with others, at valuation prices, and its funding,
// no group has taken out more than it put in, plus ext if that is a gain, plus what the house
// paid, or has promised to pay, for its members' close-outs.

/** What one account has moved so far, in units. */
interface Flows {
  /** What its wallet should hold. */
  wallet: bigint;
  funding: bigint;
  /** Paid by the house less what it took, over all trades and payments that have another cause. */
  house: bigint;
}

interface Group {
  readonly members: AccountId[];
  deposited: bigint;
  withdrawn: bigint;
  /** By market: what trades with others have brought, and the lots that they have left. */
  readonly money: bigint[];
  readonly lots: number[];
  funding: bigint;
  /** What the house has paid for its close-outs; fees that it took are not set against that. */
  house: bigint;
}

export class Payers {
  readonly broken: string[] = [];
  /** What the house has paid for close-outs of all accounts. */
  housePaid = 0n;
  private readonly flows: (Flows | undefined)[] = [];
  private readonly groups: (Group | undefined)[] = [];
  /** By market: its valuation prices since the last moment at which nothing was settling there. */
  private readonly marks: ({ low: bigint; high: bigint } | undefined)[] = [];
  private readonly unsettled = new Set<FuturesMarketId>();
  /** Accounts that are being closed. */
  closing: ReadonlySet<AccountId> = new Set();

  /** The accounts belong to one owner, who may have any number of them. */
  collude(members: readonly AccountId[]): void {
    const group = blankGroup([...members]);
    for (const accountId of members) this.groups[accountId] = group;
  }

  /** @returns what the command has broken. */
  follow({ events }: AppliedCommand, futures: FuturesReader): readonly string[] {
    this.broken.length = 0;
    const leaving = new Set<Group>();
    const closing = new Set(this.closing);
    for (const event of events) {
      if (event.type === 'liquidationProgressed') closing.add(event.accountId);
      if (event.type === 'markPriceChanged') this.widen(event.marketId, event.markPrice);
      if (event.type === 'futuresTradeExecuted') this.trade(event.trade, futures);
      const group = this.move(event);
      if (group !== null) leaving.add(group);
    }
    for (const event of events) {
      if (event.type !== 'perpBalanceChanged') continue;
      this.compareWallet(event.accountId, event.walletBalance, closing.has(event.accountId));
    }
    for (const group of leaving) this.judge(group, futures);
    this.rememberMarkets(futures, closing);
    return this.broken;
  }

  /** Every group, as at the end of a run. */
  judgeAll(futures: FuturesReader): readonly string[] {
    this.broken.length = 0;
    for (const group of new Set(this.groups)) if (group !== undefined) this.judge(group, futures);
    return this.broken;
  }

  /** Above zero if the account's owner has taken out more than was put in. */
  gainOf(accountId: AccountId): bigint {
    const { withdrawn, deposited } = this.groupOf(accountId);
    return withdrawn - deposited;
  }

  private move(event: EngineEvent): Group | null {
    if (event.type === 'fundsTransferred' && !event.isRepeated) {
      return this.transfer(event.accountId, event.amount, event.direction === 'spot_to_perp');
    }
    if (event.type === 'perpFundsReserved' && event.step !== 'pay_out') {
      return this.transfer(event.accountId, event.amount, event.step === 'release');
    }
    if (event.type === 'fundingPaid') {
      const flows = this.flowsOf(event.accountId);
      flows.wallet += event.amount;
      flows.funding += event.amount;
      this.groupOf(event.accountId).funding += event.amount;
    }
    return null;
  }

  /** @returns the group that money leaves. */
  private transfer(accountId: AccountId, amount: bigint, isIn: boolean): Group | null {
    const group = this.groupOf(accountId);
    this.flowsOf(accountId).wallet += isIn ? amount : -amount;
    if (isIn) group.deposited += amount;
    else group.withdrawn += amount;
    return isIn ? null : group;
  }

  private trade(trade: FuturesTrade, futures: FuturesReader): void {
    const { maker, taker, marketId, quoteAmount, quantity } = trade;
    for (const party of [maker, taker]) {
      this.flowsOf(party.accountId).wallet += party.realizedProfit - party.fee;
    }
    if (trade.isOffBook) this.judgeOffBook(trade, futures);
    const [first, second] = [this.groupOf(maker.accountId), this.groupOf(taker.accountId)];
    if (first === second) return;
    const isMakerBuying = trade.takerSide === 'sell';
    for (const [group, isBuying] of [
      [first, isMakerBuying],
      [second, !isMakerBuying],
    ] as const) {
      group.money[marketId] =
        (group.money[marketId] ?? 0n) + (isBuying ? 0n - quoteAmount : quoteAmount);
      group.lots[marketId] = (group.lots[marketId] ?? 0) + (isBuying ? quantity : 0 - quantity);
    }
  }

  private widen(marketId: FuturesMarketId, mark: bigint): void {
    const { low, high } = this.marks[marketId] ?? { low: mark, high: mark };
    this.marks[marketId] = { low: mark < low ? mark : low, high: mark > high ? mark : high };
    this.unsettled.add(marketId);
  }

  /**
   * A deleveraged account ends with no less than its position was worth before the move: its price
   * lies between that and those of the move.
   */
  private judgeOffBook({ marketId, price, maker, taker }: FuturesTrade, futures: FuturesReader) {
    const market = futures.getFuturesMarket(marketId);
    const marks = this.marks[marketId];
    if (marks === undefined) return;
    const paid = (BigInt(price) * market.tickSize) / 10n ** 10n;
    const tick = market.tickSize / 10n ** 10n + 1n;
    // The hour's funding, which the other side has got, is part of the equity that is shared.
    const slack = tick + (marks.high * market.maintenanceMarginRate) / 10n ** 9n;
    if (paid >= marks.low - slack && paid <= marks.high + slack) return;
    const who = `${maker.accountId} and ${taker.accountId}`;
    this.broken.push(`payers: ${who} are closed at ${paid}, beyond ${marks.low} and ${marks.high}`);
  }

  private compareWallet(accountId: AccountId, balance: bigint, isClosing: boolean): void {
    const flows = this.flowsOf(accountId);
    const house = balance - flows.wallet;
    if (house === 0n) return;
    flows.wallet = balance;
    flows.house += house;
    if (!isClosing) {
      this.broken.push(`payers: account ${accountId} gets ${house} that nobody has traded`);
    }
    if (house <= 0n) return;
    this.housePaid += house;
    this.groupOf(accountId).house += house;
  }

  private judge(group: Group, futures: FuturesReader): void {
    let promised = 0n;
    for (const accountId of group.members) {
      if (futures.findCloseOut(accountId) !== null) promised = futures.insuranceHeld;
    }
    const others = this.gainFromOthers(group, futures);
    const most = group.deposited + (others > 0n ? others : 0n) + group.house + promised;
    if (group.withdrawn <= most) return;
    const { members, withdrawn, deposited, house } = group;
    this.broken.push(
      `payers: ${members.join()} took ${withdrawn} of ${deposited}, ${others} of others, ${house} of the house`,
    );
  }

  private gainFromOthers(group: Group, futures: FuturesReader): bigint {
    let gain = group.funding;
    group.money.forEach((money, marketId) => {
      const market = futures.getFuturesMarket(marketId as FuturesMarketId);
      const mark = futures.getFuturesPrices(market.marketId).markPrice ?? 0n;
      const worth = BigInt(group.lots[marketId] ?? 0) * market.lotSize * mark;
      gain += money + worth / 10n ** 18n;
    });
    return gain;
  }

  private rememberMarkets(futures: FuturesReader, seen: ReadonlySet<AccountId>): void {
    for (const marketId of this.unsettled) {
      if (futures.isFuturesMarketSettling(marketId)) continue;
      const { markPrice } = futures.getFuturesPrices(marketId);
      if (markPrice !== null) this.marks[marketId] = { low: markPrice, high: markPrice };
      this.unsettled.delete(marketId);
    }
    const closing = new Set<AccountId>();
    for (const each of seen) {
      if (futures.findCloseOut(each) !== null) closing.add(each);
    }
    this.closing = closing;
  }

  private flowsOf(accountId: AccountId): Flows {
    const known = this.flows[accountId];
    if (known !== undefined) return known;
    const flows = { wallet: 0n, funding: 0n, house: 0n };
    this.flows[accountId] = flows;
    return flows;
  }

  private groupOf(accountId: AccountId): Group {
    const known = this.groups[accountId];
    if (known !== undefined) return known;
    const group = blankGroup([accountId]);
    this.groups[accountId] = group;
    return group;
  }
}

function blankGroup(members: AccountId[]): Group {
  const nothing = { deposited: 0n, withdrawn: 0n, funding: 0n, house: 0n };
  return { members, money: [], lots: [], ...nothing };
}
