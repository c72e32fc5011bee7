import { describe, expect, it } from 'vitest';
import { FuturesStateFixture } from '../../../../test/support/futures-state-fixture.ts';
import type { AccountMargin } from '../margin/account-margin.ts';
import { closesFinally, isBroken, isCarriedAgain, isClosable } from './close-out-stage.ts';

const staleAfterMs = 60_001;

function marginOf(equity: bigint, maintenance: bigint): AccountMargin {
  return { equity, maintenance } as AccountMargin;
}

/** An account long that many BTC at 20,000. */
function holding(quantity: number) {
  const fixture = new FuturesStateFixture();
  const [long, other] = [fixture.fund(1, 100_000), fixture.fund(2, 100_000)];
  fixture.setIndex(20_000);
  fixture.place(other, 'sell', { price: 20_000, quantity });
  fixture.place(long, 'buy', { price: 20_000, quantity });
  const account = fixture.state.openAccount(long);
  return {
    fixture,
    account,
    closes: (equity: bigint, maintenance: bigint): boolean =>
      closesFinally(fixture.state, account, { equity, maintenance }),
  };
}

describe('stages of a close-out', () => {
  it('an account is carried again from 5/4 of its maintenance margin on', () => {
    expect(isCarriedAgain(marginOf(5n, 4n))).toBe(true);
    expect(isCarriedAgain(marginOf(4n, 4n))).toBe(false);
    expect(isCarriedAgain(marginOf(0n, 0n))).toBe(true);
    expect(isCarriedAgain(marginOf(-1n, 0n))).toBe(false);
    expect(isCarriedAgain(marginOf(-1n, -1n))).toBe(false);
  });

  it('an account breaks at its maintenance margin, or below zero without one', () => {
    expect(isBroken(marginOf(4n, 4n))).toBe(true);
    expect(isBroken(marginOf(5n, 4n))).toBe(false);
    expect(isBroken(marginOf(0n, 0n))).toBe(false);
    expect(isBroken(marginOf(-1n, 0n))).toBe(true);
  });

  it('an account with large positions is closed entirely from 2/3 of its maintenance margin down', () => {
    const { closes } = holding(1);
    expect([closes(2n, 3n), closes(67n, 100n), closes(66n, 100n)]).toEqual([true, false, true]);
  });

  it('an account with positions of 10,000 USDT or less is closed entirely at once', () => {
    expect(holding(0.5).closes(9n, 10n)).toBe(true);
    expect(holding(0.501).closes(9n, 10n)).toBe(false);
  });

  it('at an old price only an account below zero is closed', () => {
    const { fixture, closes } = holding(0.5);
    fixture.advance(staleAfterMs);
    expect([closes(-1n, 10n), closes(0n, 10n), closes(9n, 10n)]).toEqual([true, false, false]);
  });

  it('a position can be closed while it is open and its price is fresh', () => {
    const { fixture, account } = holding(0.5);
    const { state } = fixture;
    const [position] = account.positions;
    expect(isClosable(state, undefined)).toBe(false);
    expect(isClosable(state, position)).toBe(true);
    position!.quantity = 0;
    expect(isClosable(state, position)).toBe(false);
    position!.quantity = 500;
    fixture.advance(staleAfterMs);
    expect(isClosable(state, position)).toBe(false);
  });
});
