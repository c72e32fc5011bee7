import { describe, expect, it } from 'vitest';
import type { Sequence } from '../domain/identifiers.ts';
import type { Command } from '../engine/commands.ts';
import { findMissingRules, hasRules, RulesVersionError, requireRules } from './rules-version.ts';
import type { SegmentHeader } from './segment.ts';

const known = { oldestRules: 11, newestRules: 13 };
const plain: Command = { type: 'advanceTime' };

function upgradeTo(rules: number): Command {
  return { type: 'upgradeRules', rules: rules };
}

function segmentWith(rulesVersion: number): SegmentHeader {
  return { rulesVersion } as SegmentHeader;
}

describe('the rules that a record needs', () => {
  it('a program has its oldest rules, its newest, and all between', () => {
    expect([10, 11, 12, 13, 14].map((version) => hasRules(known, version))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
  });

  it('every record needs the rules of its segment', () => {
    expect(findMissingRules(known, plain, segmentWith(10))).toBe(10);
    expect(findMissingRules(known, plain, segmentWith(14))).toBe(14);
    expect(findMissingRules(known, plain, segmentWith(12))).toBeNull();
  });

  it('only a record that raises the rules needs more than those of its segment', () => {
    expect(findMissingRules(known, upgradeTo(14), segmentWith(13))).toBe(14);
    expect(findMissingRules(known, upgradeTo(13), segmentWith(12))).toBeNull();
    expect(findMissingRules(known, upgradeTo(12), segmentWith(11))).toBeNull();
    const other = { ...upgradeTo(14), type: 'advanceTime' } as Command;
    expect(findMissingRules(known, other, segmentWith(13))).toBeNull();
  });

  it('a record that the program cannot apply is refused with both versions', () => {
    const require = (rules: number): void =>
      requireRules(known, upgradeTo(rules), 7 as Sequence, segmentWith(13));
    expect(() => require(13)).not.toThrow();
    expect(() => require(14)).toThrow(RulesVersionError);
    expect(() => require(14)).toThrow(
      'record 7 was applied by version 14 of the rules and this program has versions 11 to 13',
    );
  });
});
