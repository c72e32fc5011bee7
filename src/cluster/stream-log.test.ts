import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection, nanos } from '@nats-io/transport-node';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasNatsServer, NatsServer } from '../../test/support/nats-server.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { systemTime } from '../system/system-time.ts';
import { BucketLeaseStore } from './bucket-lease-store.ts';
import { clusterNames } from './cluster-names.ts';
import { encodeHeaders, type LogEntry, type PlacedEntry } from './log-entry.ts';
import { findPositionAfter } from './shared-log.ts';
import { StreamLog } from './stream-log.ts';

if (!hasNatsServer) console.log('skipped: there is no nats-server on PATH for the stream log');

const names = clusterNames('0123456789abcdef');
const logger = pino({ level: 'silent' });

describe.skipIf(!hasNatsServer)('StreamLog', () => {
  let server: NatsServer;
  const connections: NatsConnection[] = [];

  beforeEach(async () => {
    server = await NatsServer.start();
  });
  afterEach(async () => {
    await Promise.all(connections.splice(0).map((connection) => connection.close()));
    await server.close();
  });

  async function link(): Promise<NatsConnection> {
    const reconnect = { maxReconnectAttempts: -1, reconnectTimeWait: 50 };
    const connection = await connect({ servers: server.url, ...reconnect });
    connections.push(connection);
    return connection;
  }

  async function open(process: string): Promise<StreamLog> {
    const connection = await link();
    const options = { connection, names, process, time: systemTime, logger };
    return StreamLog.open(options, new AbortController().signal);
  }

  function entry(lastSequence: number, epoch = 1): LogEntry {
    return {
      epoch,
      rulesVersion: 2,
      lastSequence: lastSequence as Sequence,
      origins: [{ process: 'a1', request: lastSequence, place: 0 }],
      group: new Uint8Array([lastSequence, 0, 255]),
      logStart: 'a start',
      isRestoring: false,
    };
  }

  it('stream log: entries come back in their places as they were written', async () => {
    const log = await open('a');
    for (const [index, last] of [3, 3, 7].entries()) {
      expect(await log.append(entry(last), index)).toBe(index + 1);
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
      { ...entry(3), position: 2 },
      { ...entry(7), position: 3 },
    ]);
    expect(await findPositionAfter(reader, 0 as Sequence)).toBe(1);
    expect(await findPositionAfter(reader, 3 as Sequence)).toBe(3);
    expect(await findPositionAfter(reader, 7 as Sequence)).toBe(4);
  });

  it('stream log: of two that append behind the same entry one is refused', async () => {
    const [first, second] = [await open('a'), await open('b')];
    await first.append(entry(1), 0);
    await expect(second.append(entry(1), 0)).rejects.toMatchObject({ name: 'FencedError' });
    expect(await second.append(entry(2), 1)).toBe(2);
    await expect(first.append(entry(2), 1)).rejects.toMatchObject({ name: 'FencedError' });
    expect(await first.loadEnd()).toBe(2);
  });

  it('stream log: what was stored though nobody said so is not stored again', async () => {
    const manager = await jetstreamManager(await link());
    // The server forgets ids while it is started again.
    await manager.streams.add({
      name: names.stream,
      subjects: [names.logSubject],
      duplicate_window: nanos(100),
      allow_direct: true,
    });
    const log = await open('a');
    await manager.jetstream().publish(names.logSubject, entry(1).group, {
      headers: encodeHeaders(entry(1)),
      msgID: 'a-0',
    });
    await server.kill();
    await server.startAgain();
    expect(await log.append(entry(1), 0)).toBe(1);
    expect(await log.loadEnd()).toBe(1);
  });

  it('stream log: an append waits for a server that is away, and counts once', async () => {
    const log = await open('a');
    await log.append(entry(1), 0);
    await server.kill();
    const appended = log.append(entry(2), 1);
    await server.startAgain();
    expect(await appended).toBe(2);
    expect(await log.loadEnd()).toBe(2);
  });

  it('lease store: a record is written only over the revision that was read', async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(async () => BucketLeaseStore.open(await link(), names)),
    );
    expect(await first!.load()).toBeNull();
    const revision = await first!.write({ holder: 'a', epoch: 1 }, null);
    expect(await second!.write({ holder: 'b', epoch: 1 }, null)).toBeNull();
    expect(await second!.load()).toEqual({ record: { holder: 'a', epoch: 1 }, revision });
    const next = await second!.write({ holder: 'b', epoch: 2 }, revision);
    expect(next).toBeGreaterThan(revision!);
    expect(await first!.write({ holder: 'a', epoch: 1 }, revision)).toBeNull();
  });
});
