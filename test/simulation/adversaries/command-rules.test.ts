import { describe, expect, it } from 'vitest';
import type { AccountId } from '../../../src/domain/identifiers.ts';
import type { AppliedCommand, EngineEvent } from '../../../src/engine/events.ts';
import { CommandRules } from './command-rules.ts';

type View = Parameters<CommandRules['follow']>[1];

const sound = {
  isShut: false,
  priceState: 'fresh',
  equity: 1n,
  withdrawable: 100n,
  isClosing: false,
};

/** What the rules read of the engine. */
function viewOf(change: Partial<typeof sound>): View {
  const { isShut, priceState, equity, withdrawable, isClosing } = { ...sound, ...change };
  return {
    isWithdrawalGateShut: isShut,
    getFuturesPrices: () => ({ priceState }),
    getPerpAccount: () => ({ equity, withdrawable }),
    findCloseOut: () => (isClosing ? { stage: 'final' } : null),
  } as unknown as View;
}

function brokenBy(command: object, events: readonly object[], change: Partial<typeof sound>) {
  const rules = new CommandRules();
  const view = viewOf(change);
  rules.prepare(command as AppliedCommand['command'], view);
  const applied = { command, rejection: null, events } as unknown as AppliedCommand;
  return rules.follow(applied, view).map((words) => words.split(':')[0]);
}

const place = { type: 'placeFuturesOrder', accountId: 1 as AccountId };
const party = { accountId: 1 as AccountId };
const trade = {
  type: 'futuresTradeExecuted',
  trade: {
    marketId: 0,
    quantity: 1,
    takerSide: 'buy',
    isOffBook: false,
    maker: party,
    taker: party,
  },
};

function orders(count: number, change: Partial<EngineEvent>): readonly object[] {
  return Array.from({ length: count }, () => ({
    type: 'futuresOrderUpdated',
    cause: 'canceled',
    end: null,
    ...change,
  }));
}

describe('rules of single commands', () => {
  const out = { type: 'transferFunds', accountId: 1, direction: 'perp_to_spot', amount: 100n };

  it('finds nothing in a sound run', () => {
    expect(brokenBy(place, [trade], {})).toEqual([]);
    expect(brokenBy(out, [], {})).toEqual([]);
    expect(brokenBy(place, orders(256, {}), {})).toEqual([]);
  });

  it('no-unjudged-fill: a party continues below zero, unless it is being closed', () => {
    const found = brokenBy(place, [trade], { equity: -1n });
    expect(new Set(found)).toEqual(new Set(['no-unjudged-fill']));
    expect(brokenBy(place, [trade], { equity: -1n, isClosing: true })).toEqual([]);
  });

  it.each(['stale', 'held'])('price-state-allows: a position grows at a %s price', (priceState) => {
    expect(brokenBy(place, [trade], { priceState })).toContain('price-state-allows');
  });

  it('gate-holds: money leaves while the gate is shut, or more than is withdrawable', () => {
    expect(brokenBy(out, [], { isShut: true })).toEqual(['gate-holds']);
    expect(brokenBy(out, [], { withdrawable: 99n })).toEqual(['gate-holds']);
  });

  it('work-bounded: a command ends 257 orders, or fires 65', () => {
    expect(brokenBy(place, orders(257, {}), {})).toEqual(['work-bounded']);
    const fired = orders(65, { cause: 'triggered' });
    expect(brokenBy(place, fired, {})).toEqual(['work-bounded']);
  });
});
