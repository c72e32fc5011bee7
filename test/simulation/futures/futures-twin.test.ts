import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toAmount } from '../../../src/domain/amount.ts';
import { rulesVersionMin } from '../../../src/engine/rules.ts';
import { type FuturesAction, futuresAction, stressAction } from './futures-actions.ts';
import { FuturesSimulation } from './futures-simulation.ts';

const runs = 60;
const actionsMax = 120;
const longRuns = 6;
const poorRuns = 3;
const longRunSteps = 2_500;
const seed = 20_260_401;
/** A failure is reported within this time, shrunk as far as possible by then. */
const shrinkingMaxMs = 60_000;
const usdt = 100_000_000n;

/** Ways in which commands and orders end that random traffic must meet. */
const outcomes = [
  'placeFuturesOrder accepted',
  'placeFuturesOrder market_halted',
  'placeFuturesOrder duplicate_client_order_id',
  'placeFuturesOrder nothing_to_reduce',
  'placeFuturesOrder index_price_stale',
  'placeFuturesOrder notional_too_small',
  'placeFuturesOrder notional_too_large',
  'placeFuturesOrder position_too_large',
  'placeFuturesOrder post_only_would_cross',
  'placeFuturesOrder insufficient_margin',
  'placeFuturesOrder would_trigger_immediately',
  'placeFuturesOrder no_price_to_match',
  'amendFuturesOrder accepted',
  'amendFuturesOrder no_price_to_match',
  'amendFuturesOrder order_not_amendable',
  'amendFuturesOrder side_mismatch',
  'amendFuturesOrder insufficient_margin',
  'amendFuturesOrder post_only_would_cross',
  'cancelFuturesOrder accepted',
  'cancelFuturesOrder order_not_owned',
  'cancelAllFuturesOrders accepted',
  'transferFunds accepted',
  'transferFunds amount_not_positive',
  'transferFunds insufficient_balance',
  'reservePerpFunds accepted',
  'reservePerpFunds withdrawal_under_way',
  'reservePerpFunds withdrawal_not_under_way',
  'setLeverage accepted',
  'setLeverage leverage_out_of_range',
  'setLeverage insufficient_margin',
  'setAccountFees accepted',
  'order traded null',
  'order amended reduce_only',
  'order expired reduce_only',
  'order expired self_trade',
  'order expired time_in_force',
  'order expired price_protection',
  'order expired good_till_date',
  'order expired position_closed',
  'order canceled parent_ended',
  'order canceled sibling_fired',
  'order canceled countdown',
  'placeFuturesOrder index_price_missing',
  'order triggered null',
  'order rejected reduce_only',
  'order rejected margin',
  'order rejected price_match',
  'fundingPaid',
];

const liquidationOutcomes = [
  'indexPriceHeld',
  'step orders_canceled',
  'step closing',
  'step deleveraged',
  'step finished',
  'insuranceFundChanged',
  'marginCallRaised',
];

function addCounts(counts: Map<string, number>, simulation: FuturesSimulation): void {
  for (const [key, count] of simulation.counts) counts.set(key, (counts.get(key) ?? 0) + count);
}

describe('futures engine and its twin', () => {
  it('futures: random commands give the orders, trades and money of the plain twin', () => {
    fc.assert(
      fc.property(fc.array(futuresAction, { maxLength: actionsMax, size: 'max' }), (actions) => {
        const simulation = new FuturesSimulation();
        simulation.run(actions);
        expect(simulation.commands.length).toBeGreaterThan(0);
      }),
      { numRuns: runs, interruptAfterTimeLimit: shrinkingMaxMs },
    );
  });

  it('futures: random prices with liquidations leave both with the same money', () => {
    fc.assert(
      fc.property(fc.array(stressAction, { maxLength: actionsMax, size: 'max' }), (actions) => {
        const simulation = new FuturesSimulation({ funds: 10n * usdt });
        simulation.run(actions);
        expect(simulation.commands.length).toBeGreaterThan(0);
      }),
      { numRuns: runs, interruptAfterTimeLimit: shrinkingMaxMs },
    );
  });

  it('futures: long runs cover every outcome and agree with the twin', () => {
    const counts = new Map<string, number>();
    // In the last runs there is little money: an amendment, or an order that fires, may ask for more
    // margin than is left.
    for (let round = 0; round < longRuns + poorRuns; round += 1) {
      const funds = (round >= longRuns ? 50n : 200n) * usdt;
      const simulation = new FuturesSimulation({ auditEvery: 32, funds });
      const actions = fc.sample(futuresAction, { numRuns: longRunSteps, seed: seed + round });
      simulation.run(actions);
      addCounts(counts, simulation);
    }
    expect(outcomes.filter((outcome) => !counts.has(outcome))).toEqual([]);
    expect(counts.get('futuresTradeExecuted')).toBeGreaterThan(500);
  });

  it('futures: liquidated accounts agree with the twin and keep every invariant', () => {
    const counts = new Map<string, number>();
    for (let round = 0; round < longRuns; round += 1) {
      const options = { auditEvery: 4, funds: 10n * usdt };
      const simulation = new FuturesSimulation(options);
      simulation.run(fc.sample(stressAction, { numRuns: longRunSteps, seed: seed + round }));
      addCounts(counts, simulation);
    }
    expect(liquidationOutcomes.filter((outcome) => !counts.has(outcome))).toEqual([]);
  });

  it('futures: accounts too large to be closed at once are sold in slices, like in the twin', () => {
    const counts = new Map<string, number>();
    for (let round = 0; round < longRuns; round += 1) {
      const options = { auditEvery: 4, funds: 10n * usdt, scale: 1_000n };
      const simulation = new FuturesSimulation(options);
      simulation.run(fc.sample(stressAction, { numRuns: longRunSteps, seed: seed + round }));
      addCounts(counts, simulation);
    }
    const steps = ['orders orders_canceled', 'book closing', 'book finished', 'final finished'];
    expect(steps.filter((step) => !counts.has(step))).toEqual([]);
  });

  it('futures: under the previous rules liquidated accounts keep every invariant', () => {
    const counts = new Map<string, number>();
    for (let round = 0; round < longRuns; round += 1) {
      const funds = (round % 2 === 0 ? 10n : 200n) * usdt;
      const actions = round % 2 === 0 ? stressAction : futuresAction;
      // The twin has the newest rules only.
      const options = { auditEvery: 16, funds, isAlone: true, rules: rulesVersionMin } as const;
      const simulation = new FuturesSimulation(options);
      simulation.run(
        fc.sample<FuturesAction>(actions, { numRuns: longRunSteps, seed: seed + round }),
      );
      expect(simulation.engine.rules).toBe(rulesVersionMin);
      addCounts(counts, simulation);
    }
    expect(liquidationOutcomes.filter((outcome) => !counts.has(outcome))).toEqual([]);
  });

  it('futures: markets at their largest open interest agree with the twin', () => {
    const counts = new Map<string, number>();
    for (let round = 0; round < longRuns; round += 1) {
      const options = { auditEvery: 32, openInterest: toAmount(80n * usdt) };
      const simulation = new FuturesSimulation(options);
      simulation.run(fc.sample(futuresAction, { numRuns: longRunSteps, seed: seed + round }));
      addCounts(counts, simulation);
    }
    expect(counts.get('order expired open_interest')).toBeGreaterThan(10);
  });
});
