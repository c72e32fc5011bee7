import { expect, it } from 'vitest';
import type { Sequence } from '../domain/identifiers.ts';
import { describeStatus, type StatusParts } from './cluster-status.ts';
import type { JoinedCluster } from './joined-cluster.ts';

const own = {
  role: 'standby',
  epoch: 3,
  sequence: 7 as Sequence,
  isEnding: false,
  failure: null,
  unfitness: null,
  hasOwner: true,
} as const;

function joinedAt(place: object, rest: object = {}): JoinedCluster {
  const parts = {
    place: { isAhead: false, isBehind: false, lagEntries: 0, agreementAgeMs: 5, ...place },
    link: { isConnected: true },
    lease: { takesOnlyCancels: false },
    replica: { position: 9 },
    log: { usedRatio: 0.5 },
    ...rest,
  };
  return parts as unknown as JoinedCluster;
}

function statusOf(parts: Partial<StatusParts>) {
  return describeStatus({ ...own, joined: null, ...parts });
}

it('a process that has not joined has no place and no connection', () => {
  expect(statusOf({ role: 'starting' })).toEqual({
    ...own,
    role: 'starting',
    isConnected: false,
    takesOnlyCancels: false,
    isBehind: false,
    position: 0,
    lagEntries: 0,
    logUsedRatio: null,
    agreementAgeMs: null,
  });
});

it('a standby reports its place and what it lacks of the log', () => {
  const joined = joinedAt({ isBehind: true, lagEntries: 4 }, { lease: { takesOnlyCancels: true } });
  expect(statusOf({ joined })).toEqual({
    ...own,
    isConnected: true,
    takesOnlyCancels: true,
    isBehind: true,
    position: 9,
    lagEntries: 4,
    logUsedRatio: 0.5,
    agreementAgeMs: 5,
  });
});

it('only a standby is ahead of the log, and an owner lacks nothing of it', () => {
  const joined = joinedAt({ isAhead: true, isBehind: true, lagEntries: 4 });
  expect(statusOf({ joined }).role).toBe('ahead');
  expect(statusOf({ joined, role: 'retired' }).role).toBe('retired');
  expect(statusOf({ joined, role: 'owner' })).toMatchObject({
    role: 'owner',
    isBehind: false,
    lagEntries: 0,
  });
});

it('a lost connection and an unknown use of the log are reported as such', () => {
  const joined = joinedAt({}, { link: { isConnected: false }, log: {} });
  expect(statusOf({ joined })).toMatchObject({ isConnected: false, logUsedRatio: null });
});
