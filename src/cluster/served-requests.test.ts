import { describe, expect, it } from 'vitest';
import type { Sequence } from '../domain/identifiers.ts';
import type { ClusterStatus } from './cluster-options.ts';
import { ForkedError } from './fork-errors.ts';
import { servedRequestsOf } from './served-requests.ts';

const standby: ClusterStatus = {
  role: 'standby',
  epoch: 3,
  sequence: 7 as Sequence,
  position: 5,
  lagEntries: 0,
  isBehind: false,
  agreementAgeMs: 10,
  isConnected: true,
  hasOwner: true,
  takesOnlyCancels: false,
  isEnding: false,
  failure: null,
  unfitness: null,
  logUsedRatio: null,
};

const all = { canRead: true, canWrite: true, reason: null, isCertain: false };
const onlyReads = { canRead: true, canWrite: false };
const none = { canRead: false, canWrite: false };

describe('the requests that a process serves', () => {
  it.each(['standby', 'owner'] as const)('are all, as a %s in place', (role) => {
    expect(servedRequestsOf({ ...standby, role }, 0)).toEqual({ state: role, ...all });
  });

  it.each([
    ['joining', { role: 'starting' }, 'the process has not joined yet'],
    ['leaving', { role: 'leaving' }, 'the process is handing over'],
    ['retired', { role: 'retired' }, 'the process is stopping'],
    ['retired', { role: 'stopped' }, 'the process is stopping'],
    ['leaving', { isEnding: true }, 'the process is stopping'],
    ['leaving', { failure: new Error('the disk fails') }, 'the process is leaving the exchange'],
    ['forked', { failure: new ForkedError('another history') }, 'another history'],
    ['ahead', { role: 'ahead' }, 'the shared log has fewer entries than this process'],
    ['lost', { isConnected: false }, 'the connection to NATS is lost'],
  ] as const)('are none while it is %s: %o', (state, changed, reason) => {
    const served = servedRequestsOf({ ...standby, ...changed }, 0);
    expect(served).toEqual({ state, ...none, reason, isCertain: true });
  });

  it.each([
    ['standby', null],
    ['standby', 1_001],
    ['owner', 2_001],
  ] as const)('are none if, as a %s, its place was confirmed %o ms ago', (role, agreementAgeMs) => {
    expect(servedRequestsOf({ ...standby, role, agreementAgeMs }, 0)).toEqual({
      state: 'lost',
      ...none,
      reason: 'the shared log does not confirm the place of this process',
      isCertain: false,
    });
  });

  it.each([
    ['standby', 1_000],
    ['owner', 2_000],
  ] as const)('are all if, as a %s, its place was confirmed %o ms ago', (role, agreementAgeMs) => {
    expect(servedRequestsOf({ ...standby, role, agreementAgeMs }, 0)).toMatchObject(all);
  });

  it('are none while it is behind, if that lasts', () => {
    expect(servedRequestsOf({ ...standby, isBehind: true }, 0)).toEqual({
      state: 'behind',
      ...none,
      reason: 'more than 2 s of the shared log are missing',
      isCertain: false,
    });
  });

  it.each(['disk full', 'disk slow', 'clock'] as const)(
    'are reads where it is unfit to be the owner (%s), unless it is the owner',
    (unfitness) => {
      const reason = `unfit to own the exchange: ${unfitness}`;
      const unfit = { ...standby, unfitness };
      const served = servedRequestsOf(unfit, 0);
      expect(served).toEqual({ state: 'unfit', ...onlyReads, reason, isCertain: true });
      expect(servedRequestsOf({ ...unfit, role: 'owner' }, 0)).toMatchObject(all);
    },
  );

  it.each(['disk low', 'loop slow'] as const)(
    'are all in spite of a weakness (%s)',
    (unfitness) => {
      expect(servedRequestsOf({ ...standby, unfitness }, 0)).toMatchObject(all);
    },
  );

  it('are all for three seconds without an owner, and then reads', () => {
    expect(servedRequestsOf(standby, 2_999)).toMatchObject(all);
    for (const ownerlessMs of [3_000, null]) {
      const reason = 'no process owns the exchange';
      const served = servedRequestsOf(standby, ownerlessMs);
      expect(served).toEqual({ state: 'standby', ...onlyReads, reason, isCertain: false });
    }
  });

  it('are reads and cancels where the owner takes nothing else', () => {
    const limited = { ...standby, takesOnlyCancels: true };
    const served = servedRequestsOf(limited, 0);
    expect(served).toEqual({ state: 'standby', ...all, reason: 'cancels_only' });
    expect(servedRequestsOf(limited, null).reason).toBe('no process owns the exchange');
  });
});
