import { describe, expect, it } from 'vitest';
import {
  digestOf,
  type GoldenState,
  hasGoldenState,
  readGoldenState,
} from '../../../test/golden/golden-state.ts';
import { listFacts } from '../../../test/golden/state-facts.ts';
import { type Engine, engineFactory } from '../engine.ts';
import { findFuturesViolations } from '../futures/futures-invariants.ts';
import { findViolations } from '../invariants.ts';
import { rulesVersionMin } from '../rules.ts';
import { hashBytes } from './hash-bytes.ts';
import { stateVersion, stateVersionMin } from './state-format.ts';

function applyAll(engine: Engine, { commands }: GoldenState): unknown[] {
  const events: unknown[] = [];
  for (const { command, stamp } of commands) {
    const applied = engine.apply(command, stamp);
    events.push(applied.rejection, applied.events);
  }
  return events;
}

const olderVersions = Array.from(
  { length: stateVersion - stateVersionMin },
  (_, at) => stateVersionMin + at,
);

describe.each(olderVersions)('golden state of version %i, one below', (version) => {
  const golden = readGoldenState(version);

  it('it decodes to the same money, positions, orders and books', () => {
    expect(hashBytes(golden.bytes)).toBe(golden.hash);
    expect(listFacts(engineFactory.restore(golden.bytes))).toEqual(golden.facts);
  });

  it('what it decodes to is a sound state of this version, always the same one', () => {
    const upgraded = engineFactory.restore(golden.bytes);
    expect(findViolations(upgraded)).toEqual([]);
    expect(findFuturesViolations(upgraded.futures)).toEqual([]);
    expect(engineFactory.restore(golden.bytes).stateHash()).toBe(upgraded.stateHash());
    const again = engineFactory.restore(upgraded.encodeState());
    expect(again.stateHash()).toBe(upgraded.stateHash());
  });

  it('it continues: the following commands break no rule, restored again or not', () => {
    const upgraded = engineFactory.restore(golden.bytes);
    const again = engineFactory.restore(upgraded.encodeState());
    expect(digestOf(applyAll(upgraded, golden))).toBe(digestOf(applyAll(again, golden)));
    expect(upgraded.stateHash()).toBe(again.stateHash());
    expect(findViolations(upgraded)).toEqual([]);
    expect(findFuturesViolations(upgraded.futures)).toEqual([]);
  });
});

describe(`golden state of version ${stateVersion - 1}, whose rules this program still has`, () => {
  it('the following commands give the recorded events', () => {
    const golden = readGoldenState(stateVersion - 1);
    const engine = engineFactory.restore(golden.bytes);
    expect(engine.rules).toBe(rulesVersionMin);
    expect(digestOf(applyAll(engine, golden))).toBe(golden.after.events);
  });
});

const isWritten = hasGoldenState(stateVersion);
if (!isWritten) {
  console.log(
    `skipped: test/golden/state/v${stateVersion} is written once the format is settled, by ` +
      'test/golden/make-golden-state.ts',
  );
}

describe.skipIf(!isWritten)(`golden state of version ${stateVersion}, the present one`, () => {
  it('it decodes to the same money, positions, orders and books, and to the same bytes', () => {
    const golden = readGoldenState(stateVersion);
    const engine = engineFactory.restore(golden.bytes);
    expect(engine.stateHash()).toBe(golden.hash);
    expect(engine.encodeState()).toEqual(golden.bytes);
    expect(listFacts(engine)).toEqual(golden.facts);
  });

  it('the following commands give the same events and the same state', () => {
    const golden = readGoldenState(stateVersion);
    const engine = engineFactory.restore(golden.bytes);
    const events = digestOf(applyAll(engine, golden));
    expect({ events, hash: engine.stateHash() }).toEqual(golden.after);
  });
});

describe('states of other versions', () => {
  it.each([stateVersionMin - 1, stateVersion + 1])(
    'version %i is refused in one sentence',
    (version) => {
      const bytes = engineFactory.create().encodeState();
      new DataView(bytes.buffer, bytes.byteOffset).setUint32(4, version, true);
      expect(() => engineFactory.restore(bytes)).toThrow(
        `the state has version ${version}, none of ${stateVersionMin} to ${stateVersion}`,
      );
    },
  );
});
