import type { AppliedCommand, Exchange } from '../application/ports/exchange.ts';
import { formatAmount } from '../domain/amount.ts';
import type { FuturesMarketId } from '../domain/futures-market.ts';
import type { EngineEvent } from '../engine/events.ts';
import type { Logger } from '../observability/log.ts';

/** Logs what an operator has to know of the perpetuals' risk, from the engine's own events. */
export function logRisk(
  exchange: Pick<Exchange, 'subscribe' | 'peek'>,
  log: Pick<Logger, 'info' | 'warn' | 'error'>,
): void {
  const symbolOf = (marketId: FuturesMarketId): string =>
    exchange.peek(({ futures }) => futures.getFuturesMarket(marketId).symbol);
  exchange.subscribe((batch) => {
    for (const { events, sequence } of batch) {
      for (const event of events) logEvent(event, { sequence, log, symbolOf });
    }
  });
}

interface Parts {
  readonly sequence: AppliedCommand['sequence'];
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly symbolOf: (marketId: FuturesMarketId) => string;
}

function logEvent(event: EngineEvent, { sequence, log, symbolOf }: Parts): void {
  switch (event.type) {
    case 'priceStateChanged': {
      const { priceState } = event;
      const market = symbolOf(event.marketId);
      if (priceState === 'held' || priceState === 'stale') {
        log.warn({ sequence, market, priceState }, 'a market has no fresh price');
      } else {
        log.info({ sequence, market, priceState }, 'the price state of a market changed');
      }
      return;
    }
    case 'marketSettlementProgressed':
      log.info(
        { sequence, market: symbolOf(event.marketId), phase: event.phase },
        'the settlement of a delisted market progressed',
      );
      return;
    case 'badDebtChanged': {
      const { balance, change } = event;
      const figures = { sequence, balance: formatAmount(balance), change: formatAmount(change) };
      if (change < 0n) log.error(figures, 'a loss has no payer: bad debt grew');
      else log.info(figures, 'bad debt was repaid');
      return;
    }
    case 'withdrawalGateChanged':
      if (event.isShut) log.warn({ sequence, until: event.until }, 'withdrawals are held');
      else log.info({ sequence }, 'withdrawals are open');
      return;
    default:
      return;
  }
}
