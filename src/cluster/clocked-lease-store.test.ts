import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClockCheck, ServerStamp } from './clock-check.ts';
import { ClockedLeaseStore } from './clocked-lease-store.ts';
import type { LeaseRecord, StoredLease } from './owner-lease.ts';

const record: LeaseRecord = { holder: 'a', epoch: 1 };

describe('the clock of the server of the lease', () => {
  let wallMs: number;
  let stored: StoredLease | null;
  let isAway: boolean;
  let written: number | null;
  let stamps: ServerStamp[];
  let store: ClockedLeaseStore;

  beforeEach(() => {
    wallMs = 1_000;
    stored = null;
    isAway = false;
    written = null;
    stamps = [];
    const inner = {
      load: async () => {
        wallMs += 10;
        if (isAway) throw new Error('the server is away');
        return stored;
      },
      write: async () => {
        wallMs += 10;
        return written;
      },
    };
    const clock = { noteServer: (stamp: ServerStamp) => void stamps.push(stamp) };
    const time = { wallMs: () => wallMs };
    store = new ClockedLeaseStore(inner, clock as unknown as ClockCheck, time);
  });

  it('is read from a record that was stored between two reads', async () => {
    expect(await store.load()).toBeNull();
    stored = { record, revision: 1, storedAt: 900 };
    expect(await store.load()).toBe(stored);
    expect(stamps).toEqual([]);
    stored = { record, revision: 2, storedAt: 1_015 };
    await store.load();
    expect(stamps).toEqual([{ storedAt: 1_015, wallBefore: 1_010, wallAfter: 1_030 }]);
    await store.load();
    expect(stamps).toHaveLength(1);
    stored = { record, revision: 3 };
    await store.load();
    expect(stamps).toHaveLength(1);
  });

  it('is read after a write of its own', async () => {
    written = 4;
    stored = { record, revision: 4, storedAt: 1_005 };
    expect(await store.write(record, 3)).toBe(4);
    await vi.waitUntil(() => stamps.length > 0);
    expect(stamps).toEqual([{ storedAt: 1_005, wallBefore: 1_000, wallAfter: 1_010 }]);
  });

  it.each([
    ['the write was refused', null, { record, revision: 4, storedAt: 1_005 }, false],
    ['it was replaced since', 4, { record, revision: 5, storedAt: 1_005 }, false],
    ['the server keeps no time', 4, { record, revision: 4 }, false],
    ['there is none', 4, null, false],
    ['the server is away', 4, { record, revision: 4, storedAt: 1_005 }, true],
  ])('is not read after a write if %s', async (_why, revision, then, away) => {
    written = revision;
    stored = then;
    isAway = away;
    expect(await store.write(record, 3)).toBe(revision);
    await new Promise((resolve) => setImmediate(resolve));
    expect(stamps).toEqual([]);
  });
});
