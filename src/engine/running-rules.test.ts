import { describe, expect, it } from 'vitest';
import { btcTerms, FuturesFixture, futuresMarketId } from '../../test/support/futures-fixture.ts';
import { overdraw, overdrawSpot } from '../../test/support/post-bad-debt.ts';
import { toAmount } from '../domain/amount.ts';
import type { AccountId, Address, TokenId } from '../domain/identifiers.ts';
import type { Command } from './commands.ts';
import { Engine, engineFactory, exchangeEngines } from './engine.ts';
import { EngineState } from './engine-state.ts';
import { postingCodes } from './ledger/postings.ts';
import type { OnBrokenRule } from './running-rules.ts';

const unit = 10n ** 8n;
const alice = 1 as AccountId;
const usdt = 0 as TokenId;

interface Scene {
  readonly futures: FuturesFixture;
  readonly state: EngineState;
}

/** Two accounts with 2,000 USDT in their perp wallets and 5 in their spot wallets. */
function begin(onBroken: OnBrokenRule): Scene {
  const state = new EngineState();
  const futures = new FuturesFixture();
  futures.engine = new Engine(state, onBroken);
  futures.done({ type: 'createFuturesMarket', terms: btcTerms });
  for (const number of [1, 2]) {
    futures.fund(number, 2_000);
    futures.done(credit(number));
  }
  futures.setIndex(30_000);
  return { futures, state };
}

function credit(number: number): Command {
  return {
    type: 'creditBalance',
    address: `0x${number.toString(16).padStart(40, '0')}` as Address,
    token: 'USDT',
    amount: toAmount(5n * unit),
    actor: 'test',
    reason: null,
    reference: null,
  };
}

/** Each rule with what breaks it, and a command that touches the broken part. */
const faults: readonly [string, (scene: Scene) => void, Command][] = [
  [
    'no-negative-cell: record 0:1:0 holds -9500000000 and 0',
    ({ futures }) =>
      overdrawSpot(futures.engine, { accountId: 1, tokenId: usdt, amount: 105n * unit }),
    credit(1),
  ],
  [
    'flat-wallet-not-negative: account 1 has -99900000000',
    ({ futures }) => overdraw(futures.engine, alice, 3_000n * unit),
    {
      type: 'transferFunds',
      accountId: alice,
      direction: 'spot_to_perp',
      amount: toAmount(unit),
      clientTransferId: null,
    },
  ],
  [
    'postings-sum-zero: the ledger does not balance',
    ({ state }) => {
      const { ledger } = state;
      const other = ledger.open(1, state.tokens.add('BTC'));
      ledger.post(ledger.open(1, usdt), other, 1n, postingCodes.spotTrade);
    },
    credit(2),
  ],
];

/** Each fault of the code itself, which breaks its rule while the command runs. */
const bugs: readonly [string, (scene: Scene) => void, (scene: Scene) => Command][] = [
  [
    'posting-positive: a posting of -100000000',
    ({ state: { futures, ledger } }) => {
      futures.cells.postToWallet = (account, cell, change, code) => {
        ledger.post(cell, futures.cells.wallet(account), change, code);
      };
    },
    () => ({
      type: 'transferFunds',
      accountId: alice,
      direction: 'perp_to_spot',
      amount: toAmount(unit),
      clientTransferId: null,
    }),
  ],
  [
    'work-bounded: 257 spot orders ended in one command',
    ({ state: { orders, outcome } }) => {
      outcome.mergeLevels = () => {
        orders.count -= 257;
      };
    },
    () => ({ type: 'cancelAllSpotOrders', accountId: alice, marketId: null }),
  ],
  [
    'no-unjudged-fill: account 1 traded and has no equity',
    ({ futures, state: { futures: side } }) => {
      futures.place(2 as AccountId, 'sell', { price: 30_000, quantity: 0.1 });
      const post = side.postToWallet.bind(side);
      side.postToWallet = (account, cell, change, code) => {
        const isFee = code === postingCodes.futuresFee && account.accountId === alice;
        post(account, cell, isFee ? change * 2_000n : change, code);
      };
    },
    ({ futures }) => futures.order(alice, 'buy', { quantity: 0.1 }),
  ],
];

/** What the overdraw itself has reported is not what the test is about. */
function plant(scene: Scene, fault: (scene: Scene) => void): void {
  fault(scene);
  scene.state.broken.take();
}

describe('broken rules of a running engine', () => {
  it.each(faults)('stop: %s', (rule, fault, command) => {
    const scene = begin('stop');
    plant(scene, fault);
    expect(() => scene.futures.apply(command)).toThrow(rule);
    expect(() => scene.futures.apply(credit(2))).toThrow('in the middle of an earlier command');
  });

  it.each(faults)('hold: %s', (rule, fault, command) => {
    const scene = begin('hold');
    const { futures } = scene;
    plant(scene, fault);
    const before = futures.engine.encodeState();
    const { rejection, events, sequence } = futures.apply(command);
    expect(rejection).toBe(null);
    expect(events.slice(-2)).toEqual([
      { type: 'withdrawalsHeld', isHeld: true, reason: `command ${sequence}: ${rule}` },
      { type: 'rulesBroken', rules: [rule] },
    ]);
    expect(futures.engine.futures.isWithdrawalGateShut).toBe(true);
    expect(futures.wallet(2 as AccountId).withdrawable).toBe(0n);
    expect(
      futures.refusal({
        type: 'reservePerpFunds',
        accountId: 2 as AccountId,
        amount: toAmount(unit),
        step: 'reserve',
        reference: 'w1',
      }),
    ).toBe('withdrawals_gated');
    // An engine restored from the bytes continues in the same way, with the gate shut.
    if (!rule.startsWith('postings')) {
      const replica = exchangeEngines.restore(before);
      replica.replay(command, { sequence, timestamp: futures.now as never });
      expect(replica.futures.areWithdrawalsHeld).toBe(true);
    }
    const restored = exchangeEngines.restore(futures.engine.encodeState());
    expect(restored.stateHash()).toBe(futures.engine.stateHash());
    expect(restored.futures.areWithdrawalsHeld).toBe(true);
    expect(restored.findBroken().length).toBeGreaterThan(0);
    // Others continue to trade, and a minute after a person ends the hold, money leaves again.
    const bob = 2 as AccountId;
    futures.place(bob, 'buy', { price: 29_000, quantity: 0.01 });
    futures.done({ type: 'holdWithdrawals', isHeld: false, reason: 'looked at' });
    expect(futures.wallet(bob).withdrawable).toBe(0n);
    futures.advance(60_000);
    expect(futures.wallet(bob).withdrawable).toBeGreaterThan(0n);
  });

  it.each(bugs)('stop and hold: %s', (rule, plantIn, commandOf) => {
    const stopped = begin('stop');
    plantIn(stopped);
    const refused = commandOf(stopped);
    expect(() => stopped.futures.apply(refused)).toThrow(rule);
    const held = begin('hold');
    plantIn(held);
    const { events } = held.futures.apply(commandOf(held));
    const last = events.at(-1);
    expect(last?.type === 'rulesBroken' ? last.rules[0] : null).toBe(rule);
    expect(held.futures.engine.futures.areWithdrawalsHeld).toBe(true);
    expect(held.futures.engine.findBroken().join()).not.toContain('M1');
  });

  it('market-lots-zero: a position without an opposite one', () => {
    const { futures, state } = begin('hold');
    futures.place(alice, 'sell', { price: 30_000, quantity: 0.1 });
    const market = state.futures.getMarket(futuresMarketId);
    market.netLots += 1;
    const { events } = futures.apply(futures.order(2 as AccountId, 'buy', { quantity: 0.1 }));
    expect(events.at(-1)).toEqual({
      type: 'rulesBroken',
      rules: Array.from({ length: 2 }, () => 'market-lots-zero: positions of BTCUSDT sum to 1'),
    });
  });

  it('a state with a broken cell is read by a running exchange only', () => {
    const { futures } = begin('hold');
    overdrawSpot(futures.engine, { accountId: 1, tokenId: usdt, amount: 105n * unit });
    const bytes = futures.engine.encodeState();
    expect(() => engineFactory.restore(bytes)).toThrow('no-negative-cell');
    expect(exchangeEngines.restore(bytes).encodeState()).toEqual(bytes);
  });
});
