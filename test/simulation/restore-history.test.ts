import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/engine/commands.ts';
import { type Engine, engineFactory } from '../../src/engine/engine.ts';
import type { Stamp } from '../../src/engine/state-machine.ts';
import { flowCommands } from '../support/recorded-flow.ts';
import { runAll } from './adversaries/run-all.ts';
import { futuresAction, stressAction } from './futures/futures-actions.ts';
import { FuturesSimulation } from './futures/futures-simulation.ts';

// The state hash depends on the commands alone. An engine that is restored from its own bytes at
// any places of a stream, however often, gives the same outcomes and the same hash at every place.

const usdt = 100_000_000n;
const runs = 25;

interface Step {
  readonly command: Command;
  readonly stamp: Stamp;
}

/** Places of a stream, in thousandths of it. */
const places = fc.uniqueArray(fc.nat({ max: 999 }), { minLength: 1, maxLength: 12 });

function compare(steps: readonly Step[], thousandths: readonly number[]): void {
  const restoreAt = new Set(thousandths.map((at) => Math.floor((at * steps.length) / 1_000)));
  const straight = engineFactory.create();
  let restored: Engine = engineFactory.create();
  for (const [at, { command, stamp }] of steps.entries()) {
    if (restoreAt.has(at)) {
      const bytes = restored.encodeState();
      expect(engineFactory.hashState(bytes)).toBe(straight.stateHash());
      restored = engineFactory.restore(bytes);
    }
    const [expected, found] = [straight.apply(command, stamp), restored.apply(command, stamp)];
    if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected);
  }
  expect(restored.encodeState()).toEqual(straight.encodeState());
  const replayed = engineFactory.create();
  for (const { command, stamp } of steps) replayed.replay(command, stamp);
  expect(replayed.stateHash()).toBe(straight.stateHash());
}

function stamped(commands: readonly Command[]): readonly Step[] {
  return commands.map((command, at) => ({
    command,
    stamp: { sequence: at + 1, timestamp: 1_700_000_000_000 + at * 7 } as Stamp,
  }));
}

describe('restore history', () => {
  it('restored at random positions, a spot stream gives the same outcomes and hashes', () => {
    fc.assert(
      fc.property(fc.nat({ max: 10_000 }), places, (seed, restoredAt) => {
        compare(stamped(flowCommands(seed, 400)), restoredAt);
      }),
      { numRuns: runs },
    );
  });

  it.each([
    ['calm', futuresAction, 200n],
    ['stressed', stressAction, 10n],
  ] as const)(
    'restored at random positions, a %s stream of perpetuals does too',
    (_name, action, funds) => {
      fc.assert(
        fc.property(fc.array(action, { minLength: 50, maxLength: 300 }), places, (actions, at) => {
          const simulation = new FuturesSimulation({
            isAlone: true,
            auditEvery: 1_000,
            funds: funds * usdt,
          });
          for (const each of actions) simulation.step(each);
          compare(simulation.commands, at);
        }),
        { numRuns: runs },
      );
    },
  );

  it('restored at random positions, adversaries among many accounts do too', () => {
    const { commands } = runAll({ seed: 7, steps: 1_500, accounts: 300 });
    fc.assert(
      fc.property(places, (restoredAt) => {
        compare(commands, restoredAt);
      }),
      { numRuns: 3 },
    );
  });
});
