import { beforeEach, describe, expect, it } from 'vitest';
import type { AppliedCommand } from '../engine/events.ts';
import { CommandGroup } from './command-group.ts';

const applied = (sequence: number): AppliedCommand => ({ sequence }) as AppliedCommand;
const failure = new Error('the disk is gone');

let heard: unknown[];

/** Two commands and a read in it, whose callers note what they hear. */
function filledGroup(): CommandGroup<string> {
  const group = new CommandGroup<string>(64);
  for (const sequence of [7, 8]) {
    group.add(
      applied(sequence),
      (outcome) => heard.push(outcome.sequence),
      (error) => heard.push([sequence, error]),
    );
  }
  group.addRead(
    () => heard.push('read'),
    (error) => heard.push(['read', error]),
  );
  group.used = 40;
  group.place = 'segment 1';
  return group;
}

const allHeard = [7, 8, 'read'];
const allRejected = [
  [7, failure],
  [8, failure],
  ['read', failure],
];

function expectEmpty(group: CommandGroup<string>): void {
  const { waiting, used, place, outcomes, bytes } = group;
  expect({ waiting, used, place, outcomes, room: bytes.length }).toEqual({
    waiting: 0,
    used: 0,
    place: null,
    outcomes: [],
    room: 64,
  });
}

beforeEach(() => {
  heard = [];
});

describe('a group of commands', () => {
  it('begins empty, with room for its bytes', () => {
    expectEmpty(new CommandGroup<string>(64));
  });

  it('counts the commands and reads that wait for it', () => {
    expect(filledGroup().waiting).toBe(3);
  });

  it('tells each caller its own outcome', () => {
    filledGroup().resolveAll();
    expect(heard).toEqual(allHeard);
  });

  it('tells all callers of a failure', () => {
    filledGroup().rejectAll(failure);
    expect(heard).toEqual(allRejected);
  });

  it('is empty after a reset, and those who still read its outcomes keep them', () => {
    const group = filledGroup();
    const { outcomes } = group;
    group.reset();
    expectEmpty(group);
    expect(outcomes).toEqual([applied(7), applied(8)]);
    group.resolveAll();
    group.rejectAll(failure);
    expect(heard).toEqual([]);
  });
});

describe('a group that is detached', () => {
  it('is empty, and its outcomes and callers go on without it', () => {
    const group = filledGroup();
    const written = group.detach(12);
    expectEmpty(group);
    expect(written).toMatchObject({ bytes: 40, writeMs: 12, waiting: 3 });
    expect(written.outcomes).toEqual([applied(7), applied(8)]);
    group.add(
      applied(9),
      () => heard.push('next'),
      () => heard.push('next'),
    );
    written.resolveAll();
    expect(heard).toEqual(allHeard);
  });

  it('can still fail', () => {
    const written = filledGroup().detach(12);
    written.rejectAll(failure);
    expect(heard).toEqual(allRejected);
  });
});
