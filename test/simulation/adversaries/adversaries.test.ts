import { describe, expect, it } from 'vitest';
import { engineFactory } from '../../../src/engine/engine.ts';
import { type Rules, rulesVersion } from '../../../src/engine/rules.ts';
import { runAll, runAlone, schemes } from './run-all.ts';

const seed = 20_261_122;
const earlierRules: readonly Rules[] = [11, 12];
const stepsOfAll = 4_000;
/** About 20 s of computing, and more while other suites run. */
const timeoutMs = 240_000;

describe('adversaries', () => {
  it.each(Object.entries(schemes))('adversaries: %s, alone', (_name, scheme) => {
    expect(() => {
      runAlone(scheme);
    }).not.toThrow();
  });

  it(
    'adversaries: among thousands, no more is taken out than was paid in',
    () => {
      const world = runAll({ seed, steps: stepsOfAll });
      const unmet = Object.keys(schemes).filter((name) => !world.counts.has(name));
      expect(unmet).toEqual([]);
      for (const each of ['final deleveraged', 'final insurance_used', 'book closing', 'out']) {
        expect([...world.counts.keys()]).toContain(each);
      }
      const replayed = engineFactory.create();
      for (const { command, stamp } of world.commands) replayed.replay(command, stamp);
      expect(replayed.stateHash()).toBe(world.engine.stateHash());
    },
    timeoutMs,
  );

  it.each(earlierRules)('adversaries: nor under rules %i, nor across an upgrade', (rules) => {
    const steps = 1_200;
    const options = { seed, steps, accounts: 200, rules } as const;
    expect(runAll(options).engine.rules).toBe(rules);
    const world = runAll({ ...options, upgradeAt: steps / 2 });
    expect(world.engine.rules).toBe(rulesVersion);
    const replayed = engineFactory.create(rules);
    for (const { command, stamp } of world.commands) replayed.replay(command, stamp);
    expect(replayed.stateHash()).toBe(world.engine.stateHash());
  });
});
