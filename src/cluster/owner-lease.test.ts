import { beforeEach, describe, expect, it } from 'vitest';
import {
  defaultLeaseTiming,
  type LeaseStore,
  OwnerLease,
  type StoredLease,
} from './owner-lease.ts';

let now: number;
let stored: StoredLease | null;
let isAway: boolean;

/** A record that is written by compare and set, as several processes see it. */
const store: LeaseStore = {
  load: async () => {
    if (isAway) throw new Error('away');
    return stored;
  },
  write: async (record, expected) => {
    if (isAway) throw new Error('away');
    if ((stored?.revision ?? null) !== expected) return null;
    stored = { record, revision: (expected ?? 0) + 1 };
    return stored.revision;
  },
};

let gone: string | null = null;

function lease(holder: string, takesOnlyCancels = () => false): OwnerLease {
  return new OwnerLease({
    store,
    holder,
    timing: defaultLeaseTiming,
    time: { monotonicMs: () => now },
    takesOnlyCancels,
    liveness: { isGone: async (process) => process === gone },
  });
}

beforeEach(() => {
  now = 1_000_000;
  stored = null;
  isAway = false;
  gone = null;
});

describe('OwnerLease', () => {
  it('lease: only one of the processes that find it free gets it', async () => {
    const leases = ['a', 'b', 'c'].map((holder) => lease(holder));
    const epochs = await Promise.all(leases.map((each) => each.tryTake(async () => 0)));
    expect(epochs.filter((epoch) => epoch !== null)).toEqual([1]);
    expect(leases.filter((each) => each.isHeld)).toHaveLength(1);
  });

  it('lease: its epoch is above every earlier one, including those that only the log knows', async () => {
    expect(await lease('a').tryTake(async () => 41)).toBe(42);
    stored = { record: { holder: null, epoch: 50 }, revision: 7 };
    expect(await lease('b').tryTake(async () => 42)).toBe(51);
  });

  it('lease: an owner that takes only cancels says so as it renews, and the others see it', async () => {
    let isShort = false;
    const owner = lease('a', () => isShort);
    const other = lease('b', () => true);
    await owner.tryTake(async () => 0);
    await other.watch();
    expect([owner.takesOnlyCancels, other.takesOnlyCancels]).toEqual([false, false]);
    isShort = true;
    expect(await owner.renew()).toBe(true);
    await other.watch();
    expect([owner.takesOnlyCancels, other.takesOnlyCancels]).toEqual([true, true]);
    isShort = false;
    expect(await owner.renew()).toBe(true);
    await other.watch();
    expect([owner.takesOnlyCancels, other.takesOnlyCancels]).toEqual([false, false]);
  });

  it('lease: while it is renewed no other process takes it', async () => {
    const owner = lease('a');
    const standby = lease('b');
    await owner.tryTake(async () => 0);
    for (let second = 0; second < 30; second += 1) {
      now += 1_000;
      expect(await owner.renew()).toBe(true);
      expect(await standby.tryTake(async () => 1)).toBeNull();
      expect(standby.hasLiveOwner).toBe(true);
    }
  });

  it('lease: a former holder that asks for it again sees the owner that has taken it since', async () => {
    const former = lease('a');
    await former.tryTake(async () => 0);
    const owner = lease('b');
    expect(await owner.tryTake(async () => 0)).toBeNull();
    now += defaultLeaseTiming.expireMs;
    expect(await owner.tryTake(async () => 0)).not.toBeNull();
    expect(await former.tryTake(async () => 0)).toBeNull();
    expect(former.hasLiveOwner).toBe(true);
  });

  it('lease: once its holder has ended, another process takes it at once', async () => {
    const owner = lease('a');
    const standby = lease('b');
    await owner.tryTake(async () => 0);
    await standby.watch();
    expect(standby.hasLiveOwner).toBe(true);
    gone = 'a';
    await standby.watch();
    expect(standby.hasLiveOwner).toBe(false);
    expect(await standby.tryTake(async () => 1)).toBe(2);
    expect(await owner.renew()).toBe(false);
  });

  it('lease: an owner that cannot renew stops before another may begin', async () => {
    const owner = lease('a');
    const standby = lease('b');
    await owner.tryTake(async () => 0);
    await standby.tryTake(async () => 1);
    const begun = now;
    let stoppedAt = 0;
    let takenAt = 0;
    while (takenAt === 0) {
      now += 50;
      if (stoppedAt === 0 && !owner.isHeld) stoppedAt = now;
      if ((await standby.tryTake(async () => 1)) !== null) takenAt = now;
    }
    expect(stoppedAt).toBeGreaterThan(0);
    expect(stoppedAt).toBeLessThan(takenAt);
    expect(takenAt - begun).toBe(5_000);
    expect(await owner.renew()).toBe(false);
    expect(owner.isHeld).toBe(false);
  });

  it('lease: an owner that recovers in time continues, although it took no orders in the meantime', async () => {
    const owner = lease('a');
    await owner.tryTake(async () => 0);
    now += 4_500;
    expect(owner.isHeld).toBe(false);
    expect(await owner.renew()).toBe(true);
    expect(owner.isHeld).toBe(true);
  });

  it('lease: a renewal whose answer was lost is recognized', async () => {
    const owner = lease('a');
    await owner.tryTake(async () => 0);
    stored = { record: stored!.record, revision: stored!.revision + 1 };
    expect(await owner.renew()).toBe(true);
    expect(await owner.renew()).toBe(true);
  });

  it('lease: an owner keeps it if the store has lost its newest records', async () => {
    stored = { record: { holder: null, epoch: 4 }, revision: 3 };
    const before = stored;
    const owner = lease('a');
    expect(await owner.tryTake(async () => 0)).toBe(5);
    await owner.renew();
    stored = before;
    expect(await owner.renew()).toBe(true);
    expect(stored).toMatchObject({ record: { holder: 'a', epoch: 5 } });
    stored = null;
    expect(await owner.renew()).toBe(true);
    stored = { record: { holder: 'b', epoch: 6 }, revision: 9 };
    expect(await owner.renew()).toBe(false);
  });

  it("lease: a record of the same epoch is another process's, and one of another epoch is older or newer", async () => {
    const owner = lease('a');
    for (const record of [
      { holder: 'b', epoch: 1 },
      { holder: 'a', epoch: 2 },
    ]) {
      stored = null;
      expect(await owner.tryTake(async () => 0)).toBe(1);
      stored = { record, revision: 9 };
      expect(await owner.renew()).toBe(false);
      expect(stored.record).toEqual(record);
      expect(owner.isHeld).toBe(false);
    }
    stored = { record: { holder: null, epoch: 3 }, revision: 9 };
    expect(await owner.tryTake(async () => 0)).toBe(4);
    stored = { record: { holder: 'a', epoch: 3 }, revision: 20 };
    expect(await owner.renew()).toBe(true);
    expect(stored.record).toEqual({ holder: 'a', epoch: 4 });
  });

  it('lease: released before its epoch began, the number of the epoch is free again', async () => {
    const owner = lease('a');
    expect(await owner.tryTake(async () => 7)).toBe(8);
    await owner.giveBack();
    expect(await lease('b').tryTake(async () => 7)).toBe(8);
  });

  it('lease: a restarted process does not mistake its earlier lease for its own', async () => {
    await lease('first start').tryTake(async () => 0);
    const again = lease('second start');
    expect(await again.tryTake(async () => 1)).toBeNull();
    expect(await again.renew()).toBe(false);
  });

  it('lease: an unreadable store counts against no process', async () => {
    const owner = lease('a');
    const standby = lease('b');
    await owner.tryTake(async () => 0);
    expect(await standby.tryTake(async () => 1)).toBeNull();
    isAway = true;
    now += 60_000;
    await expect(standby.tryTake(async () => 1)).rejects.toThrow('away');
    isAway = false;
    expect(await standby.tryTake(async () => 1)).toBeNull();
    now += 4_999;
    expect(await standby.tryTake(async () => 1)).toBeNull();
    now += 1;
    expect(await standby.tryTake(async () => 1)).toBe(2);
  });

  it('lease: once released, it is free at once and keeps its epoch', async () => {
    const owner = lease('a');
    const standby = lease('b');
    await owner.tryTake(async () => 0);
    await standby.tryTake(async () => 1);
    await owner.release();
    expect(owner.isHeld).toBe(false);
    expect(await standby.tryTake(async () => 1)).toBe(2);
  });

  it('lease: a lease that another process has taken is not released', async () => {
    const owner = lease('a');
    const standby = lease('b');
    await owner.tryTake(async () => 0);
    await standby.tryTake(async () => 1);
    now += 5_000;
    expect(await standby.tryTake(async () => 1)).toBe(2);
    await owner.release();
    expect(stored?.record).toEqual({ holder: 'b', epoch: 2 });
  });

  it('lease: an owner that is silent for a long time counts as absent', async () => {
    const standby = lease('b');
    await lease('a').tryTake(async () => 0);
    await standby.watch();
    expect(standby.hasLiveOwner).toBe(true);
    now += 2_500;
    await standby.watch();
    expect(standby.hasLiveOwner).toBe(false);
  });
});
