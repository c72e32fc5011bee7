import { describe, expect, it } from 'vitest';
import { GoldenFlow } from '../../test/golden/golden-flow.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { type Engine, engineFactory } from './engine.ts';
import type { AppliedCommand } from './events.ts';
import { rulesVersion, rulesVersionMin } from './rules.ts';

function upgrade(engine: Engine, rules: number, timestamp: AppliedCommand['timestamp']) {
  const sequence = (engine.sequence + 1) as Sequence;
  return engine.apply({ type: 'upgradeRules', rules }, { sequence, timestamp });
}

/** A state of the older rules in the middle of trading, and its time. */
function tradedUnderOlder(): { engine: Engine; timestamp: AppliedCommand['timestamp'] } {
  const flow = new GoldenFlow(3_000);
  const engine = engineFactory.create(rulesVersionMin);
  const outcomes = [...flow.begin(), ...flow.run(400)];
  for (const { command, sequence, timestamp } of outcomes) {
    engine.apply(command, { sequence, timestamp });
  }
  return { engine, timestamp: outcomes.at(-1)!.timestamp };
}

describe('upgradeRules', () => {
  it('a new exchange begins with the newest rules; a state names its own', () => {
    expect(engineFactory.create().rules).toBe(rulesVersion);
    const older = engineFactory.create(rulesVersionMin);
    expect(engineFactory.restore(older.encodeState()).rules).toBe(rulesVersionMin);
    expect(older.stateHash()).not.toBe(engineFactory.create().stateHash());
  });

  it('sets the rules, reports it, and leaves a sound state that restores to the same', () => {
    const { engine, timestamp } = tradedUnderOlder();
    const { rejection, events } = upgrade(engine, rulesVersion, timestamp);
    expect(rejection).toBeNull();
    expect(events).toEqual([{ type: 'rulesUpgraded', from: rulesVersionMin, to: rulesVersion }]);
    expect(engine.rules).toBe(rulesVersion);
    expect(engine.findBroken()).toEqual([]);
    const restored = engineFactory.restore(engine.encodeState());
    expect(restored.rules).toBe(rulesVersion);
    expect(restored.stateHash()).toBe(engine.stateHash());
  });

  it('to the same or to older rules changes nothing and reports nothing', () => {
    const { engine, timestamp } = tradedUnderOlder();
    upgrade(engine, rulesVersion, timestamp);
    expect(upgrade(engine, rulesVersion, timestamp).events).toEqual([]);
    expect(upgrade(engine, rulesVersionMin, timestamp).events).toEqual([]);
    expect(engine.rules).toBe(rulesVersion);
  });

  it('to rules that this program does not have stops it', () => {
    const { engine, timestamp } = tradedUnderOlder();
    expect(() => upgrade(engine, rulesVersion + 1, timestamp)).toThrow(
      `the rules ${rulesVersion + 1} are none of ${rulesVersionMin} to ${rulesVersion}`,
    );
    expect(() => engineFactory.create(rulesVersionMin - 1)).toThrow();
  });
});
