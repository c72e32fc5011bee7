import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stressAction } from './futures-actions.ts';
import { FuturesSimulation } from './futures-simulation.ts';
import { NaiveFuturesMachine } from './naive-futures-machine.ts';
import type { Market } from './naive-futures-types.ts';

// A comparison that never differs proves nothing. Each canary is the plain twin with one bug in
// prices, funding or liquidation; the comparison with the engine must find it.

const steps = 1_500;
const seed = 90_210;
const runs = 25;
const funds = 1_000_000_000n;

class AveragesTheMark extends NaiveFuturesMachine {
  protected override markOf(...given: Parameters<NaiveFuturesMachine['markOf']>): bigint {
    const [market, index] = given;
    const last = market.lastPrice === null ? index : this.priceOf(market, market.lastPrice);
    return (super.markOf(...given) + last) / 2n;
  }
}

class ForgetsTheInterest extends NaiveFuturesMachine {
  protected override estimateRate(market: Market) {
    return (super.estimateRate(market) - 1n) as ReturnType<NaiveFuturesMachine['estimateRate']>;
  }
}

class RoundsFundingUp extends NaiveFuturesMachine {
  protected override fundingOf(...given: Parameters<NaiveFuturesMachine['fundingOf']>): bigint {
    return super.fundingOf(...given) + 1n;
  }
}

class PaysOneSideOnly extends NaiveFuturesMachine {
  protected override fundingOf(...given: Parameters<NaiveFuturesMachine['fundingOf']>): bigint {
    const amount = super.fundingOf(...given);
    return amount > 0n ? 0n : amount;
  }
}

class LiquidatesLate extends NaiveFuturesMachine {
  protected override isBroken(standing: { equity: bigint; maintenance: bigint }): boolean {
    return super.isBroken(standing) && standing.equity * 2n < standing.maintenance;
  }
}

class MisplacesBankruptcy extends NaiveFuturesMachine {
  protected override bankruptcyPrice(market: Market, quantity: number, equity: bigint): number {
    return super.bankruptcyPrice(market, quantity, equity) + 1;
  }
}

class SparesTheFund extends NaiveFuturesMachine {
  protected override setAside(): bigint {
    return 0n;
  }
}

class DeleveragesByNumber extends NaiveFuturesMachine {
  protected override rivals(...given: Parameters<NaiveFuturesMachine['rivals']>) {
    return super.rivals(...given).sort((left, right) => left.accountId - right.accountId);
  }
}

class MissesTheLevel extends NaiveFuturesMachine {
  protected override priceFrom(...[market, order]: Parameters<NaiveFuturesMachine['priceFrom']>) {
    const price = super.priceFrom(market, order);
    return order.side === 'buy' && price !== null ? ((price + 1) as typeof price) : price;
  }
}

class ForgivesTheFee extends NaiveFuturesMachine {
  protected override payFee(): void {
    // Nothing.
  }
}

class SharesByMargin extends NaiveFuturesMachine {
  protected override lostSinceSettled(): bigint {
    return 0n;
  }
}

class FillsAnyone extends NaiveFuturesMachine {
  protected override mayFill(): boolean {
    return true;
  }
}

class TradesAnywhere extends NaiveFuturesMachine {
  protected override band() {
    return { low: 1, high: Number.MAX_SAFE_INTEGER };
  }
}

class ForgetsTheBestPrice extends NaiveFuturesMachine {
  protected override trail(...[market, order]: Parameters<NaiveFuturesMachine['trail']>): void {
    if (!this.extremes.has(order)) super.trail(market, order);
  }
}

class FiresByNumber extends NaiveFuturesMachine {
  protected override inTrailingTurn(
    ...[left, right]: Parameters<NaiveFuturesMachine['inTrailingTurn']>
  ): number {
    return left.orderNumber - right.orderNumber;
  }
}

class SellsALotLess extends NaiveFuturesMachine {
  protected override sliceLots(...given: Parameters<NaiveFuturesMachine['sliceLots']>): number {
    return Math.max(1, super.sliceLots(...given) - 1);
  }
}

class ClosesAtOnce extends NaiveFuturesMachine {
  protected override isFinal(): boolean {
    return true;
  }
}

function hunt(Twin: new () => NaiveFuturesMachine, scale = 1n): string {
  for (let run = 0; run < runs; run += 1) {
    const simulation = new FuturesSimulation({ twin: new Twin(), auditEvery: 64, funds, scale });
    try {
      simulation.run(fc.sample(stressAction, { numRuns: steps, seed: seed + run }));
    } catch (error) {
      return (error as Error).message;
    }
  }
  return 'nothing found';
}

describe('futures twin', () => {
  it('futures twin: the comparison finds nothing in the twin as it is', () => {
    expect(hunt(NaiveFuturesMachine)).toBe('nothing found');
  });

  it.each<[string, new () => NaiveFuturesMachine, RegExp]>([
    ['a mark price that follows the last trade', AveragesTheMark, /markPriceChanged/],
    ['a funding rate that is off by the smallest unit', ForgetsTheInterest, /fundingRate/],
    ['funding rounded in favor of who receives it', RoundsFundingUp, /fundingPaid/],
    ['funding that nobody receives', PaysOneSideOnly, /fundingPaid/],
    ['an account that is liquidated too late', LiquidatesLate, /liquidation/],
    ['a bankruptcy price that is a tick off', MisplacesBankruptcy, /liquidation/],
    ['an insurance fund that is never asked', SparesTheFund, /the twin tells/],
    ['deleveraging by account number', DeleveragesByNumber, /futuresTradeExecuted/],
    ['a matched price that is a tick off', MissesTheLevel, /futuresOrderUpdated|the twin says/],
    ['a trailing stop that stays where it began', ForgetsTheBestPrice, /futuresOrderUpdated/],
    ['trailing stops that fire by number', FiresByNumber, /futuresOrderUpdated/],
    ['losses that are shared by margin', SharesByMargin, /liquidation|the twin/],
    ['fills that nobody has to be able to carry', FillsAnyone, /the twin/],
    ['trades far from the mark price', TradesAnywhere, /the twin/],
    ['a liquidation without its fee', ForgivesTheFee, /insuranceFundChanged|finished/],
  ])('futures twin: the comparison finds %s', (_name, Twin, message) => {
    expect(hunt(Twin)).toMatch(message);
  });

  it.each<[string, new () => NaiveFuturesMachine]>([
    ['a slice that is a lot too small', SellsALotLess],
    ['large accounts that are closed at once', ClosesAtOnce],
  ])('futures twin: the comparison finds %s', (_name, Twin) => {
    expect(hunt(Twin, 1_000n)).toMatch(/liquidation|the twin/);
  });
});
