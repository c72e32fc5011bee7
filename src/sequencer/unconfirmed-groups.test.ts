import { beforeEach, describe, expect, it } from 'vitest';
import type { Sequence } from '../domain/identifiers.ts';
import type { AppliedCommand } from '../engine/events.ts';
import { UnconfirmedGroups, type WrittenGroup } from './unconfirmed-groups.ts';

const failure = new Error('too few copies');

let heard: string[];
let groups: UnconfirmedGroups;

/** A group with the commands of these sequences, each of which has a waiting caller. */
function add(...sequences: readonly number[]): void {
  const name = sequences.join('+');
  const outcomes = sequences.map((sequence) => ({ sequence }) as AppliedCommand);
  groups.add({
    outcomes,
    bytes: 10,
    writeMs: 1,
    waiting: sequences.length,
    resolveAll: () => undefined,
    rejectAll: (error) => void heard.push(`rejected ${name}: ${String(error)}`),
  });
}

function read(name: string): void {
  groups.afterLast(
    () => heard.push(name),
    (error) => heard.push(`rejected ${name}: ${String(error)}`),
  );
}

function confirm(through: number): void {
  groups.confirm(through as Sequence);
}

beforeEach(() => {
  heard = [];
  groups = new UnconfirmedGroups((group: WrittenGroup) => {
    heard.push(`finished ${group.outcomes.map(({ sequence }) => sequence).join('+')}`);
  });
});

describe('groups that too few journals hold', () => {
  it('finish in their order, as far as they are confirmed', () => {
    expect(groups.isEmpty).toBe(true);
    add(1, 2);
    add(3);
    add(4, 5);
    expect([groups.isEmpty, groups.waiting]).toEqual([false, 5]);
    confirm(1);
    expect(heard).toEqual([]);
    confirm(3);
    expect(heard).toEqual(['finished 1+2', 'finished 3']);
    expect([groups.isEmpty, groups.waiting]).toEqual([false, 2]);
    confirm(9);
    expect(heard.slice(2)).toEqual(['finished 4+5']);
    expect([groups.isEmpty, groups.waiting]).toEqual([true, 0]);
  });

  it('let a read end with the last group that it may have seen', () => {
    add(1);
    read('first');
    add(2);
    read('second');
    confirm(1);
    expect(heard).toEqual(['finished 1', 'first']);
    confirm(2);
    expect(heard.slice(2)).toEqual(['finished 2', 'second']);
  });

  it('are given up once: their callers are rejected, and they still finish', () => {
    add(1);
    add(2, 3);
    read('read');
    groups.giveUp(failure);
    const rejections = ['1', '2+3', 'read'].map((name) => `rejected ${name}: ${String(failure)}`);
    expect(heard).toEqual(rejections);
    expect([groups.isEmpty, groups.waiting]).toEqual([false, 0]);
    groups.giveUp(failure);
    expect([heard.length, groups.waiting]).toEqual([3, 0]);
    confirm(3);
    expect(heard.slice(3)).toEqual(['finished 1', 'finished 2+3']);
    expect([groups.isEmpty, groups.waiting]).toEqual([true, 0]);
  });

  it('that come after others were given up are counted and finished as ever', () => {
    add(1);
    groups.giveUp(failure);
    add(2, 3);
    read('read');
    expect(groups.waiting).toBe(2);
    confirm(1);
    expect(groups.waiting).toBe(2);
    confirm(3);
    expect(groups.waiting).toBe(0);
    expect(heard.slice(1)).toEqual(['finished 1', 'finished 2+3', 'read']);
  });
});
