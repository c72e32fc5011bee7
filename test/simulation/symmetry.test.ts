import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addCommand,
  cancelCommand,
  generateWorkload,
} from '../../bench/workload/generate-workload.ts';
import type { AccountId, Address, OrderNumber, Sequence } from '../../src/domain/identifiers.ts';
import { NumberedBook } from '../../src/engine/book/numbered-book.ts';
import { buySide, sellSide } from '../../src/engine/book/order-book.ts';
import type { Command } from '../../src/engine/commands.ts';
import { type Engine, engineFactory } from '../../src/engine/engine.ts';
import type { AppliedCommand } from '../../src/engine/events.ts';
import type { Stamp } from '../../src/engine/state-machine.ts';
import { flowAddress, SpotFlow } from '../support/spot-flow.ts';
import { futuresAction } from './futures/futures-actions.ts';
import { FuturesSimulation } from './futures/futures-simulation.ts';

// The outcome must not depend on what the rules do not mention: the numbers of accounts, the order
// of commands that have nothing to do with each other, and the side of the book that is called buy.

interface Stamped {
  readonly command: Command;
  readonly timestamp: Stamp['timestamp'];
}

const accountFields = new Set(['accountId', 'makerAccountId', 'takerAccountId']);

/** A copy in which each account number is the one that `rename` gives. */
function renamed<T>(value: T, rename: (account: AccountId) => number): T {
  const copy = (each: unknown, name: string): unknown => {
    if (accountFields.has(name) && typeof each === 'number') return rename(each as AccountId);
    if (Array.isArray(each)) return each.map((item) => copy(item, ''));
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([key, item]) => [key, copy(item, key)]));
  };
  return copy(value, '') as T;
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'bigint' ? `${each}n` : (each as string),
  );
}

/** What a command did, whatever the order in which it reports the accounts that it touched. */
function effectOf({ rejection, events }: AppliedCommand): readonly string[] {
  return [textOf(rejection), ...events.map(textOf).sort()];
}

function play(engine: Engine, { command, timestamp }: Stamped): AppliedCommand {
  return engine.apply(command, { sequence: (engine.sequence + 1) as Sequence, timestamp });
}

/** Plays the commands with accounts that were opened in the order of these addresses. */
function effects(
  steps: readonly Stamped[],
  addresses: readonly Address[],
  opened: readonly Address[],
): readonly (readonly string[])[] {
  const engine = engineFactory.create();
  const first = steps[0];
  if (first === undefined) return [];
  for (const address of opened)
    play(engine, { ...first, command: { type: 'openAccount', address } });
  const there = (account: AccountId): number => {
    const address = addresses[account - 1];
    return address === undefined ? account : (engine.findAccount(address) ?? 0);
  };
  const back = new Map(addresses.map((_, index) => [there((index + 1) as AccountId), index + 1]));
  return steps.map(({ command, timestamp }) => {
    const applied = play(engine, { command: renamed(command, there), timestamp });
    return effectOf(renamed(applied, (account) => back.get(account) ?? account));
  });
}

function expectSameUnderNames(steps: readonly Stamped[], addresses: readonly Address[]): void {
  const plain = effects(steps, addresses, addresses);
  const turned = [...addresses.slice(2), ...addresses.slice(0, 2)].reverse();
  effects(steps, addresses, turned).forEach((effect, index) => {
    expect(effect, textOf(steps[index])).toEqual(plain[index]);
  });
}

function stepsOf(outcomes: readonly AppliedCommand[]): readonly Stamped[] {
  return outcomes.map(({ command, timestamp }) => ({ command, timestamp }));
}

describe('symmetry', () => {
  it.each([1, 2, 3])(
    'symmetry: spot trading is the same with other account numbers (%i)',
    (seed) => {
      const flow = new SpotFlow({ seed });
      const steps = stepsOf([...flow.open(), ...flow.trade(1_500)]);
      const addresses = Array.from({ length: flow.accounts }, (_, index) => flowAddress(index + 1));
      expectSameUnderNames(steps, addresses);
    },
  );

  it('symmetry: perpetuals are the same with other account numbers', () => {
    const actions = fc.array(futuresAction, { minLength: 100, maxLength: 120 });
    let traded = 0;
    for (const drawn of fc.sample(actions, { seed: 11, numRuns: 12 })) {
      const simulation = new FuturesSimulation({ isAlone: true, auditEvery: 1_000 });
      simulation.run(drawn);
      traded += simulation.counts.get('order traded null') ?? 0;
      const steps = simulation.commands.map(({ command, stamp }) => ({
        command,
        timestamp: stamp.timestamp,
      }));
      const addresses = steps.flatMap(({ command }) =>
        command.type === 'creditBalance' ? [command.address] : [],
      );
      expectSameUnderNames(steps, [...new Set(addresses)]);
    }
    expect(traded).toBeGreaterThan(50);
  });

  it.each([4, 5, 6])('symmetry: two markets of different accounts in any order (%i)', (seed) => {
    const flow = new SpotFlow({ seed });
    const opening = stepsOf(flow.open());
    const groups = [0, 1].map((market) => ordersOf(flow.trade(1_200), market));
    const [one, other] = groups as [readonly Stamped[], readonly Stamped[]];
    const inTurn = one.flatMap((step, index) => [step, ...other.slice(index, index + 1)]);
    const rest = other.slice(one.length);
    const states = [
      [...one, ...other],
      [...other, ...one],
      [...inTurn, ...rest],
    ].map((steps) => stateAfter([...opening, ...steps], flow.accounts));
    expect(states[0]).toContain('"available"');
    expect(states[1]).toBe(states[0]);
    expect(states[2]).toBe(states[0]);
  });

  it('symmetry: a book with its sides exchanged makes the mirrored trades', () => {
    const plain = tradesOf((price) => price, [buySide, sellSide]);
    const mirrored = tradesOf((price) => mirror - price, [sellSide, buySide]);
    expect(plain.length).toBeGreaterThan(1_000);
    expect(mirrored.map(([maker, price, lots]) => [maker, mirror - price, lots])).toEqual(plain);
  });
});

/** The orders of the first half of the accounts in market 0, or of the others in market 1. */
function ordersOf(outcomes: readonly AppliedCommand[], market: number): readonly Stamped[] {
  return stepsOf(outcomes).flatMap(({ command, timestamp }) => {
    const isTrading = command.type === 'placeSpotOrder' || command.type === 'cancelAllSpotOrders';
    if (!isTrading || command.marketId !== market) return [];
    const accountId = ((command.accountId % 3) + 1 + market * 3) as AccountId;
    return [{ command: { ...command, accountId }, timestamp }];
  });
}

/** All balances, books and open orders, without the numbers that commands are given in turn. */
function stateAfter(steps: readonly Stamped[], accounts: number): string {
  const engine = engineFactory.create();
  const latest = steps.reduce((time, { timestamp }) => Math.max(time, timestamp), 0);
  for (const { command } of steps) {
    play(engine, { command, timestamp: latest as Stamp['timestamp'] });
  }
  const all = Array.from({ length: accounts }, (_, index) => (index + 1) as AccountId);
  return textOf({
    balances: all.map((account) => engine.listBalances(account)),
    orders: all.map((account) =>
      engine
        .listOpenOrders(account, null)
        .map((order) => ({ ...order, orderNumber: 0 as OrderNumber })),
    ),
    books: engine.listSpotMarkets().map(({ marketId }) => engine.getDepth(marketId, 1_000)),
  });
}

const mirror = 4_000_000;
const workload = generateWorkload({ commands: 20_000, liveOrders: 1_000, seed: 42 });

type Trade = readonly [maker: number, price: number, lots: number];

function tradesOf(
  priceOf: (price: number) => number,
  [buy, sell]: readonly [typeof buySide | typeof sellSide, typeof buySide | typeof sellSide],
): readonly Trade[] {
  const trades: Trade[] = [];
  const book = new NumberedBook({
    onTrade: (maker, price, quantity) => void trades.push([maker, price, quantity]),
    onLevelChanged: () => undefined,
  });
  const { types, sides, prices, quantities, orderNumbers } = workload;
  types.forEach((type, index) => {
    const orderNumber = orderNumbers[index] ?? 0;
    if (type === cancelCommand) return void book.cancel(orderNumber);
    book.add({
      orderNumber,
      account: type === addCommand ? 1 : 2,
      side: sides[index] === 0 ? buy : sell,
      price: priceOf(prices[index] ?? 0),
      quantity: quantities[index] ?? 0,
      policy: 'rest',
    });
  });
  return trades;
}
