import type { Planted } from './planted.ts';

/** What all of these have in common: the engine alone, in situations that the seed draws. */
const inSituations = {
  profile: 'engine',
  faults: [],
  ticks: 1,
  seeds: 5,
  oracles: ['O1', 'O2'],
} as const;

/** Faults of the engine that let money be taken, or cost the exchange its time. */
export const engineFaults: readonly Planted[] = [
  {
    name: 'profit of markets without a fresh price carries new risk',
    file: 'src/engine/futures/margin/new-risk.ts',
    from: 'orders - uncountedIn(state, account);',
    to: 'orders;',
    ...inSituations,
  },
  {
    name: 'a market is settled before its accounts are judged',
    file: 'src/engine/futures/markets/continue-delistings.ts',
    from: 'return state.riskQueue.scansEnded >= scan && market.closeOutCount === 0;',
    to: 'return scan > 0;',
    ...inSituations,
  },
  {
    name: 'the insurance fund does not count what it has promised',
    file: 'src/engine/futures/liquidation/insurance.ts',
    from: '  state.insuranceHeld += reserved;\n',
    to: '',
    ...inSituations,
  },
  {
    name: 'accounts are judged without their own funding',
    file: 'src/engine/futures/margin/account-margin.ts',
    from: 'unrealizedProfit + pendingFundingOf(state, account)',
    to: 'unrealizedProfit',
    ...inSituations,
  },
  {
    name: 'a stop of a parent lives on when its position is over',
    file: 'src/engine/futures/triggers/fire-triggers.ts',
    from: 'if (!decideChild(state, order)) return;',
    to: '',
    ...inSituations,
  },
  {
    name: 'an account that withdraws keeps the funding that is due',
    file: 'src/engine/futures/accounts/take-out.ts',
    from: 'settleAccountFunding(state, account);',
    to: '',
    ...inSituations,
  },
  {
    name: 'a delisted market pays funding',
    file: 'src/engine/futures/funding/pay-funding.ts',
    from: "if (market.terms.status === 'delisted') return;",
    to: '',
    ...inSituations,
  },
  {
    name: 'terms may ask for as much maintenance as initial margin',
    file: 'src/engine/futures/markets/administer-market.ts',
    from: 'return 3n * maintenance <= 2n * rateOne && ',
    to: 'return ',
    ...inSituations,
  },
  {
    name: 'a cancel-all ends whatever there is in one command',
    file: 'src/engine/spot/cancel-spot-orders.ts',
    from: 'let left = canceledMax;',
    to: 'let left = 1_000_000;',
    ...inSituations,
  },
  {
    name: 'the state depends on whether it was restored',
    file: 'src/engine/futures/accounts/futures-account.ts',
    from: 'isIdle && isUndiscounted(fees)',
    to: 'isIdle && fees === undiscounted',
    ...inSituations,
  },
];
