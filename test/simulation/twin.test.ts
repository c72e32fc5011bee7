import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { action, prologue } from './actions.ts';
import { Simulation } from './simulation.ts';

const runs = 400;
const actionsMax = 120;
const longRuns = 8;
const longRunSteps = 4_000;
const tradesMin = 2_000;
const longRunSeed = 20_250_601;

/** Every way a command can end, so that no rule is left out by the way commands are drawn. */
const outcomes = [
  'openAccount accepted',
  'creditBalance accepted',
  'creditBalance amount_not_positive',
  'creditBalance amount_out_of_range',
  'createSpotMarket accepted',
  'createSpotMarket market_terms_invalid',
  'createSpotMarket market_units_too_fine',
  'createSpotMarket market_exists',
  'setSpotMarketStatus accepted',
  'setSpotMarketStatus market_not_found',
  'setSpotMarketStatus market_status_unknown',
  'setSpotMarketStatus market_status_final',
  'placeSpotOrder accepted',
  'placeSpotOrder account_not_found',
  'placeSpotOrder market_not_found',
  'placeSpotOrder market_halted',
  'placeSpotOrder market_delisted',
  'placeSpotOrder limit_price_missing',
  'placeSpotOrder limit_quantity_missing',
  'placeSpotOrder market_sell_quantity_missing',
  'placeSpotOrder market_buy_quote_missing',
  'placeSpotOrder price_off_tick',
  'placeSpotOrder quantity_off_lot',
  'placeSpotOrder amount_not_positive',
  'placeSpotOrder below_min_notional',
  'placeSpotOrder duplicate_client_order_id',
  'placeSpotOrder insufficient_balance',
  'placeSpotOrder amount_out_of_range',
  'placeSpotOrder post_only_would_cross',
  'placeSpotOrder self_trade',
  'cancelSpotOrder accepted',
  'cancelSpotOrder order_not_found',
  'cancelSpotOrder order_not_owned',
  'cancelAllSpotOrders accepted',
  'cancelAllSpotOrders account_not_found',
  'cancelAllSpotOrders market_not_found',
  'creditDeposit accepted',
  'creditDeposit deposit_out_of_turn',
  'reserveWithdrawal accepted',
  'reserveWithdrawal account_not_found',
  'reserveWithdrawal amount_not_positive',
  'reserveWithdrawal withdrawal_under_way',
  'reserveWithdrawal insufficient_balance',
  'completeWithdrawal accepted',
  'completeWithdrawal withdrawal_not_under_way',
  'releaseWithdrawal accepted',
  'releaseWithdrawal withdrawal_not_under_way',
  'reopenWithdrawal accepted',
  'reopenWithdrawal account_not_found',
  'reopenWithdrawal amount_not_positive',
  'reopenWithdrawal withdrawal_under_way',
  'depositCredited',
  'withdrawalUpdated',
  'order new',
  'order partially_filled',
  'order filled',
  'order canceled',
  'order expired',
];

describe('engine and its twin', () => {
  it('engine: random commands give the events of the plain twin and break no rule', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: actionsMax, size: 'max' }), (actions) => {
        const simulation = new Simulation();
        simulation.run([...prologue, ...actions]);
      }),
      { numRuns: runs },
    );
  });

  it('engine: long runs cover every possible outcome and stay correct', () => {
    const counts = new Map<string, number>();
    for (let round = 0; round < longRuns; round += 1) {
      const actions = fc.sample(action, { numRuns: longRunSteps, seed: longRunSeed + round });
      const simulation = new Simulation({ auditEvery: 16 });
      simulation.run([...prologue, ...actions]);
      for (const [key, count] of simulation.counts) counts.set(key, (counts.get(key) ?? 0) + count);
    }
    expect(outcomes.filter((outcome) => !counts.has(outcome))).toEqual([]);
    expect(counts.get('spotTradeExecuted')).toBeGreaterThan(tradesMin);
  });
});
