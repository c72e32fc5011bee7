import { describe, expect, it } from 'vitest';
import { credit } from '../../test/support/memory-cluster.ts';
import { recordGroup } from '../../test/support/record-group.ts';
import { findRecord, moveRecord } from '../journal/journal-record.ts';
import { ChainHash } from './chain.ts';

const commands = Array.from({ length: 6 }, () => credit());

/** A group of records of these commands, with their places from 0. */
const groupOf = (first: number, last: number): Uint8Array =>
  recordGroup(commands.slice(first - 1, last), first);

describe('chains', () => {
  const hash = new ChainHash('0123456789abcdef');
  const beginning = { sequence: 0, chain: hash.first };

  it('chain: a history has the same chain however its records are grouped', () => {
    const whole = hash.extendBy(beginning, groupOf(1, 6));
    const half = hash.extendBy(beginning, groupOf(1, 4));
    expect(half).toEqual(whole.slice(0, 4));
    const rest = hash.extendBy({ sequence: 4, chain: half.at(-1)! }, groupOf(3, 6));
    expect(rest).toEqual(whole.slice(4));
    expect(new Set(whole).size).toBe(6);
  });

  it('chain: it ends at the given entry, and includes nothing out of sequence', () => {
    expect(hash.extendBy(beginning, groupOf(1, 6), 2)).toHaveLength(2);
    expect(hash.extendBy(beginning, groupOf(3, 6))).toEqual([]);
  });

  it('chain: one different command changes the chain from there on, as does a different exchange', () => {
    const [first, second] = hash.extendBy(beginning, groupOf(1, 2));
    const [other] = hash.extendBy({ sequence: 1, chain: second! }, groupOf(2, 2));
    expect(other).not.toBe(second);
    expect(new ChainHash('fedcba9876543210').extendBy(beginning, groupOf(1, 1))).not.toEqual([
      first,
    ]);
  });

  it('chain: a record moved within its group stays valid', () => {
    const record = groupOf(1, 1);
    const chain = hash.extendBy(beginning, record);
    moveRecord(record, 0, record.length, 300);
    expect(findRecord(record, 0, record.length)).toBe(record.length);
    expect(hash.extendBy(beginning, record)).toEqual(chain);
  });
});
