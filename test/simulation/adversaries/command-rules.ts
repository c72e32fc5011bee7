import type { FuturesMarketId } from '../../../src/domain/futures-market.ts';
import type { FuturesTrade, FuturesTradeParty } from '../../../src/domain/futures-order.ts';
import type { AccountId } from '../../../src/domain/identifiers.ts';
import type { Command } from '../../../src/engine/commands.ts';
import type { AppliedCommand, EngineEvent } from '../../../src/engine/events.ts';
import type { FuturesReader } from '../../../src/engine/futures/futures-reader.ts';

// Rules of single commands that need what stood before them, from the events:
//   no-unjudged-fill   a party of a fill ends with equity, or is being closed
//   gate-holds         nothing leaves while the gate is shut, nor more than may leave
//   price-state-allows no fill grows a position without a fresh price
//   work-bounded       no command does more of any work than it may

/** The maximum that one command does, by the name under which it is counted. */
const mostWork: Readonly<Record<string, number>> = {
  'order canceled by its user': 256,
  'order ended by liquidation': 256,
  'order ended by market_delisted': 256,
  // 200, and the orders that the last of them takes with it.
  'order ended by countdown': 202,
  'order ended by good_till_date': 202,
  'order triggered': 64,
  'fill of a close-out at a fixed price': 8 * 64,
};

type View = Pick<
  FuturesReader,
  'getPerpAccount' | 'findCloseOut' | 'getFuturesPrices' | 'isWithdrawalGateShut'
>;

interface Outflow {
  readonly isShut: boolean;
  readonly withdrawable: bigint;
}

/** Follows all commands from the first on. */
export class CommandRules {
  private readonly lots = new Map<string, number>();
  private outflow: Outflow | null = null;

  /** Called before the command is applied. */
  prepare(command: Command, futures: View): void {
    const isTransfer = command.type === 'transferFunds' && command.direction === 'perp_to_spot';
    const isReserved = command.type === 'reservePerpFunds' && command.step === 'reserve';
    this.outflow = null;
    if (!isTransfer && !isReserved) return;
    const { withdrawable } = futures.getPerpAccount(command.accountId);
    this.outflow = { isShut: futures.isWithdrawalGateShut, withdrawable };
  }

  /** @returns what the command has broken. */
  follow({ command, rejection, events }: AppliedCommand, futures: View): string[] {
    const broken: string[] = [];
    const counts = new Map<string, number>();
    for (const event of events) {
      const work = workOf(event, futures);
      if (work !== null) counts.set(work, (counts.get(work) ?? 0) + 1);
      if (event.type === 'futuresTradeExecuted')
        broken.push(...this.judgeTrade(event.trade, futures));
    }
    for (const [work, count] of counts) {
      const most = mostWork[work] ?? Number.POSITIVE_INFINITY;
      if (count > most) broken.push(`work-bounded: ${count} times ${work}`);
    }
    if (rejection === null) broken.push(...this.judgeOutflow(command, events));
    return broken;
  }

  private judgeTrade(trade: FuturesTrade, futures: View): string[] {
    const { marketId, quantity, takerSide, maker, taker } = trade;
    const sign = takerSide === 'buy' ? 1 : -1;
    return [
      ...this.judgeParty(taker, marketId, sign * quantity, futures),
      ...this.judgeParty(maker, marketId, -sign * quantity, futures),
    ];
  }

  private judgeParty(
    { accountId }: FuturesTradeParty,
    marketId: FuturesMarketId,
    change: number,
    futures: View,
  ): string[] {
    const broken: string[] = [];
    const key = `${accountId}:${marketId}`;
    const before = this.lots.get(key) ?? 0;
    this.lots.set(key, before + change);
    const { priceState } = futures.getFuturesPrices(marketId);
    if (Math.abs(before + change) > Math.abs(before) && priceState !== 'fresh') {
      broken.push(`price-state-allows: account ${accountId} grows at a ${priceState} price`);
    }
    const isClosing = futures.findCloseOut(accountId) !== null;
    if (!isClosing && futures.getPerpAccount(accountId).equity < 0n) {
      broken.push(`no-unjudged-fill: account ${accountId} goes on below zero`);
    }
    return broken;
  }

  private judgeOutflow(command: Command, events: readonly EngineEvent[]): string[] {
    const { outflow } = this;
    if (outflow === null || !('amount' in command) || !('accountId' in command)) return [];
    const isRepeated = events.some(
      (event) => event.type === 'fundsTransferred' && event.isRepeated,
    );
    // The first command of an hour brings its funding, which may leave.
    const hasHour = events.some(({ type }) => type === 'fundingSettled');
    if (isRepeated) return [];
    const who: AccountId = command.accountId;
    if (outflow.isShut) return [`gate-holds: account ${who} withdraws while the gate is shut`];
    if (hasHour || command.amount <= outflow.withdrawable) return [];
    return [`gate-holds: account ${who} takes ${command.amount} of ${outflow.withdrawable}`];
  }
}

function workOf(event: EngineEvent, futures: View): string | null {
  if (event.type === 'futuresTradeExecuted') {
    const { isOffBook, marketId } = event.trade;
    // A delisted market closes its positions at one price, by pieces of its own.
    const isForced = isOffBook && futures.getFuturesPrices(marketId).priceState !== 'final';
    return isForced ? 'fill of a close-out at a fixed price' : null;
  }
  if (event.type !== 'futuresOrderUpdated') return null;
  const { cause, end } = event;
  if (cause === 'triggered') return 'order triggered';
  if (cause === 'canceled' && end === null) return 'order canceled by its user';
  return cause === 'canceled' || cause === 'expired' ? `order ended by ${end}` : null;
}
