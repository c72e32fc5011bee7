import { describe, expect, it } from 'vitest';
import {
  btcTerms,
  FuturesFixture,
  futuresMarketId,
} from '../../../test/support/futures-fixture.ts';
import type { AccountId } from '../../domain/identifiers.ts';
import { Engine } from '../engine.ts';
import { EngineState } from '../engine-state.ts';
import type { FuturesOrderEnd } from '../futures-events.ts';
import { postingCodes } from '../ledger/postings.ts';
import { type Rules, rulesVersion } from '../rules.ts';
import { applyFill } from './accounts/apply-fill.ts';
import { takeOut } from './accounts/take-out.ts';
import { holdWithdrawals } from './accounts/withdrawal-gate.ts';
import { checkDeleveraging, checkParty, checkWork, countTrade } from './command-rules.ts';
import type { CloseOut } from './liquidation/close-out.ts';
import { closeLeg } from './liquidation/final-stage.ts';

const unit = 10n ** 8n;
const [alice, bob] = [1, 2] as [AccountId, AccountId];

/** Alice is long 0.9 BTC from 30,000, bob short; each has put in 1,500 and 10,000. */
function begin(rules: Rules = rulesVersion) {
  const state = new EngineState(rules);
  const futures = new FuturesFixture();
  futures.engine = new Engine(state, 'hold');
  futures.done({ type: 'createFuturesMarket', terms: btcTerms });
  futures.fund(alice, 1_500);
  futures.fund(bob, 10_000);
  futures.setIndex(30_000);
  futures.place(bob, 'sell', { price: 30_000, quantity: 0.9 });
  futures.place(alice, 'buy', { quantity: 0.9 });
  expect(state.broken.take()).toEqual([]);
  return { futures, state, market: state.futures.getMarket(futuresMarketId) };
}

type Scene = ReturnType<typeof begin>;

function out({ state }: Scene, accountId: AccountId, amount: bigint): void {
  const account = state.futures.openAccount(accountId);
  const to = state.ledger.open(accountId, 0);
  takeOut(state.futures, account, { to, amount, code: postingCodes.transferToSpot });
}

function grow({ state, market }: Scene): void {
  const account = state.futures.openAccount(bob);
  const fill = { price: 300_000, quantity: 1, fee: 0n, reached: 901 };
  applyFill(state.futures, account, market, { ...fill, side: 'sell' });
}

function end({ state }: Scene, end: FuturesOrderEnd | null, count: number): void {
  const { commandWork } = state.futures;
  commandWork.begin();
  for (let at = 0; at < count; at += 1) commandWork.countOrder('canceled', end);
  checkWork(state.futures);
}

/** Trades of one order, or of one settled market. */
function trade({ state }: Scene, run: 'book' | 'fok' | 'forced' | 'settled', count: number): void {
  const { futures } = state;
  const maker = futures.openOrder(7, bob, futuresMarketId);
  const taker = futures.openOrder(8, alice, futuresMarketId);
  if (run === 'fok') taker.timeInForce = 'fok';
  if (run === 'forced' || run === 'settled') maker.origin = 'auto_deleveraging';
  if (run === 'settled') taker.origin = 'auto_deleveraging';
  futures.commandWork.begin();
  for (let at = 0; at < count; at += 1) countTrade(futures, maker, taker);
}

/** Each rule with what breaks it, and what just keeps it. */
const cases: readonly (readonly [string, (scene: Scene) => void, (scene: Scene) => void])[] = [
  [
    'gate-holds: account 2 withdraws while the gate is shut',
    (scene) => {
      holdWithdrawals(scene.state.futures, { type: 'holdWithdrawals', isHeld: true, reason: '' });
      out(scene, bob, unit);
    },
    (scene) => out(scene, bob, unit),
  ],
  [
    'gate-holds: account 1 withdraws 1 more than is free',
    (scene) => out(scene, alice, scene.futures.wallet(alice).withdrawable + 1n),
    (scene) => out(scene, alice, scene.futures.wallet(alice).withdrawable),
  ],
  [
    'price-state-allows: account 2 grows in BTCUSDT',
    (scene) => {
      scene.state.timestamp = (scene.futures.now + 60_001) as never;
      grow(scene);
    },
    grow,
  ],
  [
    'work-bounded: 257 orders in one command: canceled',
    (scene) => end(scene, null, 257),
    (scene) => end(scene, null, 256),
  ],
  [
    'work-bounded: 257 orders in one command: delisting',
    (scene) => end(scene, 'market_delisted', 257),
    (scene) => end(scene, 'market_delisted', 256),
  ],
  ...(
    [
      ['book', 10_000],
      ['fok', 20_000],
      ['forced', 256],
      ['settled', 1_000],
    ] as const
  ).map(
    ([run, most]) =>
      [
        `work-bounded: ${most + 1} trades of one order: ${run}`,
        (scene: Scene) => trade(scene, run, most + 1),
        (scene: Scene) => trade(scene, run, most),
      ] as const,
  ),
  [
    // Settled at 30,000; the price is 20,000, and 0.4 % of 30,000 are 120.
    'deleveraging-bounded: BTCUSDT closes positions of others at 301202 ticks',
    ({ state, market }) => {
      market.markPrice = 20_000n * unit;
      checkDeleveraging(state.futures, market, 'sell', 301_202);
    },
    ({ state, market }) => {
      market.markPrice = 20_000n * unit;
      checkDeleveraging(state.futures, market, 'sell', 301_201);
      checkDeleveraging(state.futures, market, 'sell', 200_000);
    },
  ],
  [
    'deleveraging-bounded: BTCUSDT closes positions of others at 199999 ticks',
    ({ state, market }) => {
      market.markPrice = 20_000n * unit;
      checkDeleveraging(state.futures, market, 'sell', 199_999);
    },
    () => undefined,
  ],
  [
    'deleveraging-bounded: BTCUSDT closes positions of others at 298798 ticks',
    ({ state, market }) => {
      market.markPrice = 40_000n * unit;
      checkDeleveraging(state.futures, market, 'buy', 298_798);
    },
    ({ state, market }) => {
      market.markPrice = 40_000n * unit;
      checkDeleveraging(state.futures, market, 'buy', 298_799);
      checkDeleveraging(state.futures, market, 'buy', 400_000);
    },
  ],
];

/**
 * Alice's position is closed against Bob's at 20,000, where it stood before the move, though its
 * bankruptcy price was fixed at 30,000 while the mark was there.
 */
function closeAfterReturn(rules: Rules) {
  const { state, market } = begin(rules);
  market.markPrice = 20_000n * unit;
  market.settledPrice = 20_000n * unit;
  const account = state.futures.openAccount(alice);
  const leg = { bankruptcy: 300_000, deleverageAt: null };
  const legs = new Map([[0, leg]]);
  const closeOut = { accountId: alice, number: 1, stage: 'final', legs, closedNotional: 0n };
  closeLeg(state.futures, { closeOut: closeOut as unknown as CloseOut, account, market, leg });
  return { price: leg.deleverageAt, broken: state.broken.take() };
}

describe('rules of single commands', () => {
  it('deleveraging-bounded: kept where marks have come back since the price was fixed', () => {
    // 20,000 and 0.4 % of it.
    expect(closeAfterReturn(rulesVersion)).toEqual({ price: 200_800, broken: [] });
    const rule = 'deleveraging-bounded: BTCUSDT closes positions of others at 300000 ticks';
    expect(closeAfterReturn(12)).toEqual({ price: 300_000, broken: [rule] });
  });

  it.each(cases)('%s', (rule, breakIt, keepIt) => {
    const sound = begin();
    keepIt(sound);
    expect(sound.state.broken.take()).toEqual([]);
    const broken = begin();
    breakIt(broken);
    expect(broken.state.broken.take()).toEqual([rule]);
    const earlier = begin(11);
    breakIt(earlier);
    expect(earlier.state.broken.take()).toEqual([]);
  });

  it('no-unjudged-fill: a party without equity that is not being closed', () => {
    const { state } = begin();
    const { commandWork } = state.futures;
    const account = state.futures.openAccount(alice);
    checkParty(state.futures, account);
    expect(state.broken.take()).toEqual([]);
    state.ledger.post(
      state.futures.cells.wallet(account),
      state.futures.cells.insurance(),
      1_500n * unit,
      postingCodes.liquidationFee,
    );
    checkParty(state.futures, account);
    expect(state.broken.take()).toEqual(['no-unjudged-fill: account 1 traded and has no equity']);
    commandWork.addDeleveraged(alice);
    checkParty(state.futures, account);
    expect(state.broken.take()).toEqual([]);
  });
});
