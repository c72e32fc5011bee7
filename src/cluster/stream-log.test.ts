import { DiscardPolicy, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection, nanos } from '@nats-io/transport-node';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasNatsServer, NatsServer } from '../../test/support/nats-server.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { systemTime } from '../system/system-time.ts';
import { BucketLeaseStore } from './bucket-lease-store.ts';
import { clusterNames } from './cluster-names.ts';
import { encodeHeaders, entryId, type LogPosition, type PlacedEntry } from './log-entry.ts';
import {
  type AppendableEntry,
  findPositionAfter,
  IdForgottenError,
  LogBehindError,
} from './shared-log.ts';
import { StreamLog } from './stream-log.ts';

if (!hasNatsServer) console.log('skipped: there is no nats-server on PATH for the stream log');

const names = clusterNames('0123456789abcdef');
const logger = pino({ level: 'silent' });

describe.skipIf(!hasNatsServer)('StreamLog', () => {
  let server: NatsServer;
  const connections: NatsConnection[] = [];
  const logs: StreamLog[] = [];
  let start = '';

  beforeEach(async () => {
    server = await NatsServer.start();
  });
  afterEach(async () => {
    await Promise.all(logs.splice(0).map((log) => log.close()));
    await Promise.all(connections.splice(0).map((connection) => connection.close()));
    await server.close();
  });

  async function link(): Promise<NatsConnection> {
    const reconnect = { maxReconnectAttempts: -1, reconnectTimeWait: 50 };
    const connection = await connect({ servers: server.url, ...reconnect });
    connections.push(connection);
    return connection;
  }

  async function open(process: string, spareEntries = 0): Promise<StreamLog> {
    const connection = await link();
    const connectOnce = (): Promise<NatsConnection> =>
      connect({ servers: server.url, reconnect: false });
    const options = {
      connection,
      connectOnce,
      names,
      process,
      time: systemTime,
      logger,
      spareEntries,
    };
    const log = await StreamLog.open(options, new AbortController().signal);
    logs.push(log);
    start = (await log.loadEndAndStart()).start;
    return log;
  }

  function at(process: string, position: number): LogPosition {
    return { position, id: position === 0 ? null : entryId(process, 1, position) };
  }

  function entry(lastSequence: number, epoch = 1): AppendableEntry {
    return {
      epoch,
      rulesVersion: 2,
      lastSequence: lastSequence as Sequence,
      origins: [{ process: 'a1', request: lastSequence, place: 0 }],
      group: new Uint8Array([lastSequence, 0, 255]),
      logStart: start,
      isRestoring: false,
      mark: null,
      chain: { before: '0'.repeat(16), after: 'f'.repeat(16) },
    };
  }

  it('stream log: the used part of its space, once the stream has a limit', async () => {
    const log = await open('a');
    expect(log.usedRatio).toBeNull();
    const { streams } = await jetstreamManager(await link());
    for (const last of [1, 2, 3, 4]) await log.append(entry(last), at('a', last - 1));
    const { bytes } = (await streams.info(names.stream)).state;
    await streams.update(names.stream, { max_bytes: Math.ceil(bytes / 0.8) });
    await log.loadEnd();
    expect(log.usedRatio).toBeCloseTo(0.8, 2);
  });

  it('stream log: a full log drops nothing, even if its stream was configured to', async () => {
    const { streams } = await jetstreamManager(await link());
    await streams.add({ name: names.stream, subjects: [names.logSubject], allow_direct: true });
    const before = await streams.info(names.stream);
    expect(before.config.discard).toBe(DiscardPolicy.Old);
    const log = await open('a');
    await log.append(entry(1), at('a', 0));
    await streams.update(names.stream, { max_msgs: 1 });
    const waiting = log.append(entry(2), at('a', 1));
    await vi.waitUntil(() => log.isFull);
    expect(await log.loadBeginning()).toBe(1);
    await streams.update(names.stream, { max_msgs: -1 });
    expect(await waiting).toEqual(at('a', 2));
    await streams.delete(names.stream);
    await open('b');
    expect((await streams.info(names.stream)).config.discard).toBe(DiscardPolicy.New);
  });

  it('stream log: a stream that refuses to be purged is trimmed by a limit, which is gone afterwards', async () => {
    const { streams } = await jetstreamManager(await link());
    const config = { subjects: [names.logSubject], allow_direct: true, deny_purge: true };
    await streams.add({ name: names.stream, ...config });
    const log = await open('a');
    for (const last of [1, 2, 3, 4]) await log.append(entry(last), at('a', last - 1));
    await log.trimBelow(3);
    expect([await log.loadBeginning(), await log.loadEnd()]).toEqual([3, 4]);
    const after = await streams.info(names.stream);
    expect(after.config).toMatchObject({ max_msgs: -1, discard: DiscardPolicy.New });
    expect(await log.append(entry(5), at('a', 4))).toEqual(at('a', 5));
    const spared = await open('b', 2);
    await spared.trimBelow(5);
    expect(await spared.loadBeginning()).toBe(3);
    await streams.update(names.stream, { max_msgs: 3, discard: DiscardPolicy.Old });
    await open('c');
    expect((await streams.info(names.stream)).config).toMatchObject({
      max_msgs: -1,
      discard: DiscardPolicy.New,
    });
  });

  it('stream log: its beginning is removed, and the entries after it keep their positions', async () => {
    const log = await open('a');
    for (const last of [1, 2, 3, 4]) await log.append(entry(last), at('a', last - 1));
    const storedAt = await log.loadTime(4);
    expect(Math.abs(storedAt! - Date.now())).toBeLessThan(600_000);
    expect(await log.loadTime(5)).toBeNull();
    await log.trimBelow(3);
    expect([await log.loadBeginning(), await log.loadEnd()]).toEqual([3, 4]);
    expect(await log.load(2)).toBeNull();
    expect((await log.load(3))?.lastSequence).toBe(3);
    expect(await log.append(entry(5), at('a', 4))).toEqual(at('a', 5));
    expect(await findPositionAfter(log, 4 as Sequence)).toBe(5);
    const followed = log.follow(2, async () => undefined, new AbortController().signal);
    await expect(followed).rejects.toThrow('the shared log begins with entry 3');
  });

  it('stream log: entries are read back at their positions as they were written', async () => {
    const log = await open('a');
    for (const [index, last] of [3, 3, 7].entries()) {
      expect(await log.append(entry(last), at('a', index))).toEqual(at('a', index + 1));
    }
    const seen: PlacedEntry[] = [];
    const end = new AbortController();
    const reader = await open('b');
    await reader.follow(
      2,
      async (each) => {
        seen.push({ ...each, group: Uint8Array.from(each.group) });
        if (each.position === 3) end.abort();
      },
      end.signal,
    );
    expect(seen).toEqual([
      { ...entry(3), ...at('a', 2), after: at('a', 1).id },
      { ...entry(7), ...at('a', 3), after: at('a', 2).id },
    ]);
    expect(await findPositionAfter(reader, 0 as Sequence)).toBe(1);
    expect(await findPositionAfter(reader, 3 as Sequence)).toBe(3);
    expect(await findPositionAfter(reader, 7 as Sequence)).toBe(4);
  });

  it('stream log: an entry that was received is not asked for, and one that was refused is not received', async () => {
    const [first, second, reader] = [await open('a'), await open('b'), await open('c')];
    await first.append(entry(1), at('a', 0));
    const asked: string[] = [];
    const watcher = await link();
    watcher.subscribe(`$JS.API.DIRECT.GET.${names.stream}`, {
      callback: (_error, message) => void asked.push(message.string()),
    });
    await watcher.flush();
    const seen: PlacedEntry[] = [];
    const end = new AbortController();
    const followed = reader.follow(1, async (each) => void seen.push(each), end.signal);
    await vi.waitUntil(() => seen.length === 1);
    expect(asked).toEqual(['{"seq":1}']);
    const refused = second.append({ ...entry(2), group: new Uint8Array([9]) }, at('b', 0));
    await expect(refused).rejects.toMatchObject({ name: 'FencedError' });
    for (const last of [2, 3, 4]) {
      await first.append(entry(last), at('a', last - 1));
      await vi.waitUntil(() => seen.length === last);
    }
    end.abort();
    await followed;
    expect(asked).toEqual(['{"seq":1}']);
    expect(seen.map((each) => ({ ...each, group: Uint8Array.from(each.group) }))).toEqual(
      [1, 2, 3, 4].map((last) => ({
        ...entry(last),
        ...at('a', last),
        after: at('a', last - 1).id,
      })),
    );
  });

  it('stream log: one of two appends after the same entry is refused', async () => {
    const [first, second] = [await open('a'), await open('b')];
    await first.append(entry(1), at('a', 0));
    const refused = { name: 'FencedError' };
    await expect(second.append(entry(1), at('b', 0))).rejects.toMatchObject(refused);
    expect(await second.append(entry(2), at('a', 1))).toEqual(at('b', 2));
    await expect(first.append(entry(2), at('a', 1))).rejects.toMatchObject(refused);
    expect(await first.loadEnd()).toBe(2);
  });

  it('stream log: row 11: the right position after another entry is refused, also after kill -9 of the server', async () => {
    const log = await open('a');
    await log.append(entry(1), at('a', 0));
    const refused = { name: 'FencedError' };
    await expect(log.append(entry(2), at('b', 1))).rejects.toMatchObject(refused);
    await server.kill();
    await server.startAgain();
    const later = await open('c');
    await expect(later.append(entry(2), at('b', 1))).rejects.toMatchObject(refused);
    expect(await later.append(entry(2), at('a', 1))).toEqual(at('c', 2));
  });

  it('stream log: row 17: an append waits while the store is full, says so, and counts once', async () => {
    const manager = await jetstreamManager(await link());
    const config = {
      name: names.stream,
      subjects: [names.logSubject],
      allow_direct: true,
      discard: DiscardPolicy.New,
      max_msgs: 1,
    };
    await manager.streams.add(config);
    const log = await open('a');
    await log.append(entry(1), at('a', 0));
    const waiting = log.append(entry(2), at('a', 1));
    await vi.waitUntil(() => log.isFull);
    expect(await log.loadEnd()).toBe(1);
    await manager.streams.update(names.stream, { ...config, max_msgs: 10 });
    expect(await waiting).toEqual(at('a', 2));
    expect(log.isFull).toBe(false);
    expect(await log.loadEnd()).toBe(2);
  });

  /** A log of several servers, whose leader lacks all entries but the first. */
  async function openBehind(steppedDown: () => void): Promise<StreamLog> {
    const log = await open('a');
    await log.append(entry(1), at('a', 0));
    const watcher = await link();
    watcher.subscribe('$JS.API.STREAM.LEADER.STEPDOWN.*', { callback: () => steppedDown() });
    await watcher.flush();
    const connectOnce = async (): Promise<NatsConnection> => {
      const connection = await connect({ servers: server.url, reconnect: false });
      Object.assign(connection.info!, { cluster: 'of three' });
      return connection;
    };
    const time = { ...systemTime, sleep: () => systemTime.sleep(1) };
    const options = { connection: await link(), connectOnce, names, process: 'a', time, logger };
    const several = await StreamLog.open(options, new AbortController().signal);
    logs.push(several);
    return several;
  }

  it('stream log: an append waits for a leader that has what was appended, asks for one, and counts once', async () => {
    let asked = 0;
    const others = await open('a');
    const log = await openBehind(() => {
      asked += 1;
      void others.append(entry(2), at('a', 1)).then(() => others.append(entry(3), at('a', 2)));
    });
    expect(await log.append(entry(4), at('a', 3))).toEqual(at('a', 4));
    expect([asked, await log.loadEnd()]).toEqual([1, 4]);
  });

  it('stream log: an append to servers that all lack what was appended says so, and stores nothing', async () => {
    let asked = 0;
    const log = await openBehind(() => {
      asked += 1;
    });
    await expect(log.append(entry(4), at('a', 3))).rejects.toBeInstanceOf(LogBehindError);
    expect(asked).toBeGreaterThan(1);
    expect(await log.loadEnd()).toBe(1);
  });

  it('stream log: row 16: if the server has forgotten the last id, the position alone is accepted', async () => {
    const manager = await jetstreamManager(await link());
    await manager.streams.add({
      name: names.stream,
      subjects: [names.logSubject],
      duplicate_window: nanos(100),
      allow_direct: true,
    });
    const log = await open('a');
    await log.append(entry(1), at('a', 0));
    const stored = performance.now();
    await vi.waitUntil(() => performance.now() - stored > 200);
    await server.kill();
    await server.startAgain();
    const later = await open('b');
    await expect(later.append(entry(2), at('a', 1))).rejects.toBeInstanceOf(IdForgottenError);
    expect(await later.append(entry(2), at('a', 1), 'position')).toEqual(at('b', 2));
  });

  it('stream log: an entry stored without an acknowledgement is not stored again', async () => {
    const manager = await jetstreamManager(await link());
    // The server forgets ids while it is started again.
    await manager.streams.add({
      name: names.stream,
      subjects: [names.logSubject],
      duplicate_window: nanos(100),
      allow_direct: true,
    });
    await manager.jetstream().publish(names.logSubject, entry(1).group, {
      headers: encodeHeaders(entry(1), null),
      msgID: entryId('a', 1, 1),
    });
    await server.kill();
    await server.startAgain();
    const again = await open('a');
    expect(await again.append(entry(1), at('a', 0))).toEqual(at('a', 1));
    expect(await again.loadEnd()).toBe(1);
  });

  it('stream log: an append waits for an unreachable server, and does not reach a restarted one', async () => {
    const log = await open('a');
    await log.append(entry(1), at('a', 0));
    await server.kill();
    const appended = log.append(entry(2), at('a', 1));
    const refused = expect(appended).rejects.toMatchObject({ name: 'LogRestartedError' });
    await server.startAgain();
    await refused;
    const again = await open('a');
    expect(await again.loadEnd()).toBe(1);
    expect(await again.append(entry(2), at('a', 1))).toEqual(at('a', 2));
  });

  it('lease store: a record only replaces the revision that was read', async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(async () => BucketLeaseStore.open(await link(), names)),
    );
    expect(await first!.load()).toBeNull();
    const revision = await first!.write({ holder: 'a', epoch: 1 }, null);
    expect(await second!.write({ holder: 'b', epoch: 1 }, null)).toBeNull();
    const stored = await second!.load();
    expect(stored).toMatchObject({ record: { holder: 'a', epoch: 1 }, revision });
    expect(Math.abs(stored!.storedAt! - Date.now())).toBeLessThan(600_000);
    const next = await second!.write({ holder: 'b', epoch: 2 }, revision);
    expect(next).toBeGreaterThan(revision!);
    expect(await first!.write({ holder: 'a', epoch: 1 }, revision)).toBeNull();
  });
});
