import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { DatabaseProxy } from '../../../test/support/database-proxy.ts';
import { silentLog } from '../../../test/support/database-url.ts';
import { flowAddress } from '../../../test/support/spot-flow.ts';
import { DatabaseError } from '../../application/ports/database.ts';
import { NotificationListener } from '../notifications/notification-listener.ts';
import { connectDatabase } from '../open-database.ts';
import { DatabaseEndedSessions } from './ended-session-store.ts';

const address = flowAddress(1);
const hourMs = 3_600_000;

let test: TestDatabase;
let time: number;
const listeners: NotificationListener[] = [];

beforeEach(async () => {
  test = await openTestDatabase();
  time = Date.parse('2026-01-05T12:00:00Z');
});
afterEach(async () => {
  await Promise.all(listeners.splice(0).map((listener) => listener.stop()));
  await test.close();
});

const session = (id: string, lifetimeMs = hourMs) => ({
  id,
  address,
  expiresAt: new Date(time + lifetimeMs),
});

/** Stands for the store of another process. */
function openStore(pool = test.database.accounts): DatabaseEndedSessions {
  return new DatabaseEndedSessions(pool, () => time, silentLog);
}

async function listen(store: DatabaseEndedSessions, target = test.database.target) {
  const listener = new NotificationListener(target, silentLog);
  listener.add(store);
  listener.start();
  listeners.push(listener);
  await vi.waitFor(() => expect(store.recall('never ended')).toBe(false));
}

describe('DatabaseEndedSessions', () => {
  it('ended sessions: known to every process, also to one that starts later', async () => {
    const [here, there] = [openStore(), openStore()];
    await listen(here);
    await listen(there);
    await here.end(session('a'));
    expect(here.recall('a')).toBe(true);
    await vi.waitFor(() => expect(there.recall('a')).toBe(true));
    const later = openStore();
    await listen(later);
    expect([later.recall('a'), later.recall('b')]).toEqual([true, false]);
  });

  it('ended sessions: looked up one by one until all are read', async () => {
    const [here, there] = [openStore(), openStore()];
    await here.end(session('a'));
    expect(there.recall('a')).toBeNull();
    expect(await there.has('a')).toBe(true);
    expect(await there.has('b')).toBe(false);
  });

  it('ended sessions: ending one again changes nothing', async () => {
    const store = openStore();
    await store.end(session('a'));
    await store.end(session('a', 2 * hourMs));
    expect(await openStore().has('a')).toBe(true);
  });

  it('ended sessions: what was ended while notifications were lost is read afterwards', async () => {
    const proxy = await DatabaseProxy.open(test.url);
    const [here, there] = [openStore(), openStore()];
    await listen(there, proxy.target);
    proxy.judge = () => 'cut';
    proxy.cutAll();
    await here.end(session('a'));
    expect(there.recall('a')).toBe(false);
    proxy.judge = () => 'forward';
    await vi.waitFor(() => expect(there.recall('a')).toBe(true));
    await Promise.all(listeners.splice(0).map((listener) => listener.stop()));
    await proxy.close();
  });

  it('ended sessions: with no database, what is in memory counts and the rest is an error', async () => {
    const proxy = await DatabaseProxy.open(test.url);
    const database = connectDatabase(proxy.target, silentLog);
    const store = openStore(database.accounts);
    await store.end(session('a'));
    proxy.judge = () => 'cut';
    proxy.cutAll();
    expect(await store.has('a')).toBe(true);
    await expect(store.has('b')).rejects.toThrow(DatabaseError);
    await expect(store.end(session('b'))).rejects.toThrow(DatabaseError);
    expect(store.recall('b')).toBeNull();
    await database.stop();
    await proxy.close();
  });

  it('ended sessions: forgotten once none of their tokens can be valid', async () => {
    const store = openStore();
    await listen(store);
    await store.end(session('a'));
    time += hourMs;
    await store.end(session('b'));
    expect([store.recall('a'), store.recall('b')]).toEqual([false, true]);
  });
});
