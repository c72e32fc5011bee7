import { formatAverage } from '../../../application/format-average.ts';
import type { AppliedCommand, EngineView, Exchange } from '../../../application/ports/exchange.ts';
import { formatAmount } from '../../../domain/amount.ts';
import { type Decimal, formatDecimal } from '../../../domain/decimal.ts';
import type { FuturesMarket } from '../../../domain/futures-market.ts';
import type { FuturesPosition } from '../../../domain/futures-position.ts';
import type { AccountId } from '../../../domain/identifiers.ts';
import type { StreamPosition } from '../protocol/stream-schemas.ts';
import {
  type AccountChanges,
  EngineEventChannel,
  type EngineEventChannelParts,
  ListsByAccount,
} from './engine-event-channel.ts';

// The account's positions: first those other than zero, then each that a command changed. Values
// that depend on the mark price change all the time; the mark_price channel covers those.

export class PositionsChannel extends EngineEventChannel<StreamPosition> {
  readonly #exchange: Exchange;

  constructor(parts: EngineEventChannelParts) {
    super('positions', parts);
    this.#exchange = parts.exchange;
  }

  protected override readLive(
    { futures }: EngineView,
    accountId: AccountId,
  ): readonly StreamPosition[] {
    return futures
      .listPositions(accountId)
      .filter(({ quantity }) => quantity !== 0)
      .map((position) => viewPosition(position, futures.getFuturesMarket(position.marketId)));
  }

  protected override collect(
    { events }: AppliedCommand,
    isWatched: (accountId: AccountId) => boolean,
  ): AccountChanges<StreamPosition> {
    const changes = new ListsByAccount<StreamPosition>();
    for (const event of events) {
      if (event.type !== 'positionChanged' || !isWatched(event.position.accountId)) continue;
      const { accountId, marketId } = event.position;
      const market = this.#exchange.peek((view) => view.futures.getFuturesMarket(marketId));
      changes.add(accountId, viewPosition(event.position, market));
    }
    return changes.lists;
  }
}

function viewPosition(position: FuturesPosition, market: FuturesMarket): StreamPosition {
  const { quantity, entryNotional } = position;
  const size = (BigInt(Math.abs(quantity)) * market.lotSize) as Decimal;
  return {
    market: 'futures',
    symbol: market.symbol,
    side: quantity === 0 ? 'NONE' : quantity > 0 ? 'LONG' : 'SHORT',
    quantity: formatDecimal((BigInt(quantity) * market.lotSize) as Decimal),
    entry_price: quantity === 0 ? null : formatAverage(entryNotional, size, market.tickSize),
    realized_profit: formatAmount(position.realizedProfit),
    updated_at: position.updatedAt,
  };
}
