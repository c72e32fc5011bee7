import {
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  type StreamInfo,
} from '@nats-io/jetstream';
import { connect, type NatsConnection, nanos } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasNatsServer, NatsServer } from '../../test/support/nats-server.ts';
import { type WatchedRequest, watchRequests } from '../../test/support/watch-requests.ts';
import type { Sequence } from '../domain/identifiers.ts';
import {
  AppendConnection,
  isApiError,
  isOneServer,
  isOutOfSpace,
  replicasOn,
  startOf,
} from './append-connection.ts';
import { type ClusterNames, clusterNames } from './cluster-names.ts';
import { decodeEntry, entryId, type LogEntry, type LogPosition } from './log-entry.ts';
import { FencedError, IdForgottenError, LogBehindError, LogRestartedError } from './shared-log.ts';

if (!hasNatsServer) console.log('skipped: there is no nats-server on PATH for appends');

const first: LogPosition = { position: 0, id: null };
const soon = { interval: 2 };

function at(process: string, position: number): LogPosition {
  return { position, id: entryId(process, 1, position) };
}

function refusalOf(code: number): JetStreamApiError {
  return new JetStreamApiError({ code: 400, err_code: code, description: 'refused' });
}

describe('a refusal of the server', () => {
  it.each([10_077, 10_047, 10_023])('%i says that there is no space', (code) => {
    expect(isOutOfSpace(refusalOf(code))).toBe(true);
  });

  it('for another reason does not say so, and neither does another error', () => {
    expect(isOutOfSpace(refusalOf(10_071))).toBe(false);
    expect(isOutOfSpace(Object.assign(new Error('full'), { code: 10_077 }))).toBe(false);
  });

  it('is known by its code', () => {
    expect(isApiError(refusalOf(10_071), 10_071)).toBe(true);
    expect(isApiError(refusalOf(10_071), 10_070)).toBe(false);
    expect(isApiError(new Error('10071'), 10_071)).toBe(false);
  });
});

describe('the servers that a connection leads to', () => {
  const connectionTo = (info: object | undefined): NatsConnection => ({ info }) as NatsConnection;
  const stream = { created: '2030-01-01T00:00:00Z' } as StreamInfo;

  it('are one, which stores everything once, unless they name their cluster', () => {
    const one = connectionTo({ server_id: 'a' });
    expect([isOneServer(one), replicasOn(one)]).toEqual([true, 1]);
    const several = connectionTo({ server_id: 'a', cluster: 'replicas' });
    expect([isOneServer(several), replicasOn(several)]).toEqual([false, 3]);
  });

  it('have another start after each restart, and for each stream', () => {
    const start = startOf(connectionTo({ server_id: 'a' }), stream);
    expect(startOf(connectionTo({ server_id: 'a' }), stream)).toBe(start);
    expect(startOf(connectionTo({ server_id: 'b' }), stream)).not.toBe(start);
    const later = { created: '2030-01-02T00:00:00Z' } as StreamInfo;
    expect(startOf(connectionTo({ server_id: 'a' }), later)).not.toBe(start);
    expect(startOf(connectionTo(undefined), stream)).toBe('unknown 2030-01-01T00:00:00Z');
  });
});

describe.skipIf(!hasNatsServer)('an append', () => {
  let server: NatsServer;
  let names: ClusterNames;
  let outside: NatsConnection;
  let manager: JetStreamManager;
  let start: string;
  let exchange = 0;
  /** Of the connections for appending, in the order of their opening. */
  let opened: NatsConnection[];
  let requests: (readonly WatchedRequest[])[];
  const appends: AppendConnection[] = [];

  beforeAll(async () => {
    server = await NatsServer.start();
  });
  afterAll(() => server.close());

  beforeEach(async () => {
    exchange += 1;
    names = clusterNames(String(exchange).padStart(16, '0'));
    opened = [];
    requests = [];
    await reach();
    const info = await manager.streams.add({ name: names.stream, subjects: [names.logSubject] });
    start = startOf(outside, info);
  });
  afterEach(async () => {
    await Promise.all(appends.splice(0).map((each) => each.close()));
    await outside.close();
  });

  async function reach(): Promise<void> {
    outside = await connect({ servers: server.url });
    manager = await jetstreamManager(outside);
  }

  /** What the processes see of the server is changed by `info`. */
  function open(process: string, info: object = {}): AppendConnection {
    const append = new AppendConnection({
      connect: async () => {
        const connection = await connect({ servers: server.url, reconnect: false });
        Object.assign(connection.info!, info);
        opened.push(connection);
        requests.push(watchRequests(connection));
        return connection;
      },
      names,
      process,
    });
    appends.push(append);
    return append;
  }

  function entry(lastSequence: number): LogEntry {
    return {
      epoch: 1,
      rulesVersion: 2,
      lastSequence: lastSequence as Sequence,
      origins: [],
      group: new Uint8Array([lastSequence]),
      logStart: start,
      isRestoring: false,
      mark: null,
      chain: null,
    };
  }

  async function storedIds(): Promise<readonly (string | null)[]> {
    const { last_seq: last } = (await manager.streams.info(names.stream)).state;
    const positions = Array.from({ length: last }, (_, index) => index + 1);
    return Promise.all(
      positions.map(async (seq) => {
        const message = (await manager.streams.getMessage(names.stream, { seq }))!;
        return decodeEntry({ seq, headers: message.header, data: message.data }).id;
      }),
    );
  }

  const several = { cluster: 'replicas' };

  it('ends at the place after the one that it follows', async () => {
    const append = open('a');
    expect(await append.append(entry(1), first, 'id')).toEqual(at('a', 1));
    expect(await append.append(entry(2), at('a', 1), 'id')).toEqual(at('a', 2));
    expect(await storedIds()).toEqual([at('a', 1).id, at('a', 2).id]);
    expect(opened).toHaveLength(1);
  });

  it('waits two seconds for each answer', async () => {
    await open('b').append(entry(1), first, 'id');
    const append = open('a', several);
    await append.append(entry(2), at('b', 1), 'id');
    await append.changeLeader().catch(() => undefined);
    const [, own] = requests as [unknown, readonly WatchedRequest[]];
    expect(own.map(({ subject }) => subject)).toContain(names.logSubject);
    expect(own.map(({ subject }) => subject)).toContain(
      `$JS.API.STREAM.LEADER.STEPDOWN.${names.stream}`,
    );
    expect(new Set(own.map(({ timeoutMs }) => timeoutMs))).toEqual(new Set([2_000]));
  });

  it('that is repeated ends at the same place, and is stored once', async () => {
    await open('a').append(entry(1), first, 'id');
    expect(await open('a').append(entry(1), first, 'id')).toEqual(at('a', 1));
    expect(await storedIds()).toEqual([at('a', 1).id]);
  });

  it('is fenced if its entry is stored at another place', async () => {
    const client = manager.jetstream();
    await client.publish(names.logSubject, 'other', { msgID: 'other' });
    await client.publish(names.logSubject, 'same', { msgID: entryId('a', 1, 1) });
    const refused = open('a').append(entry(1), first, 'id');
    await expect(refused).rejects.toBeInstanceOf(FencedError);
    await expect(refused).rejects.toThrow('the entry after 0 is at 2');
  });

  it.each([{}, several])('is fenced if another entry is stored in its place (%o)', async (info) => {
    await open('b').append(entry(1), first, 'id');
    const refused = open('a', info).append(entry(1), first, 'id');
    await expect(refused).rejects.toBeInstanceOf(FencedError);
    await expect(refused).rejects.not.toBeInstanceOf(IdForgottenError);
    await expect(refused).rejects.toMatchObject({
      message: 'another process has appended after 0',
      cause: { code: 10_071 },
    });
    expect(await storedIds()).toEqual([at('b', 1).id]);
  });

  it('is fenced at one server that has lost what it follows', async () => {
    await open('b').append(entry(1), first, 'id');
    const refused = open('a').append(entry(4), at('a', 3), 'id');
    await expect(refused).rejects.toBeInstanceOf(FencedError);
    await expect(refused).rejects.toThrow('another process has appended after 3');
  });

  it('may be stored if the leader of several servers lacks what it follows', async () => {
    await open('b').append(entry(1), first, 'id');
    const refused = open('a', several).append(entry(4), at('a', 3), 'id');
    await expect(refused).rejects.toMatchObject({
      message: "the log's leader lacks entry 3",
      cause: { code: 10_071 },
    });
    await expect(refused).rejects.toBeInstanceOf(LogBehindError);
  });

  it.each([{}, several])(
    'is fenced if it follows another entry than it knows (%o)',
    async (info) => {
      await open('b').append(entry(1), first, 'id');
      const refused = open('a', info).append(entry(2), at('a', 1), 'id');
      await expect(refused).rejects.toBeInstanceOf(FencedError);
      await expect(refused).rejects.not.toBeInstanceOf(IdForgottenError);
      expect(await open('a', info).append(entry(2), at('a', 1), 'position')).toEqual(at('a', 2));
    },
  );

  describe('after the server has forgotten ids', () => {
    beforeEach(async () => {
      await manager.streams.update(names.stream, { duplicate_window: nanos(100) });
    });

    async function forget(): Promise<void> {
      const since = performance.now();
      await vi.waitUntil(() => performance.now() - since > 150, soon);
      await outside.close();
      await server.kill();
      await server.startAgain();
      await reach();
      start = startOf(outside, await manager.streams.info(names.stream));
    }

    it('can only compare the position of the last entry', async () => {
      await open('b').append(entry(1), first, 'id');
      await forget();
      const append = open('a');
      const refused = append.append(entry(2), at('b', 1), 'id');
      await expect(refused).rejects.toBeInstanceOf(IdForgottenError);
      await expect(refused).rejects.toThrow('only the position of the last entry is known');
      expect(await append.append(entry(2), at('b', 1), 'position')).toEqual(at('a', 2));
    });

    it('finds its own entry by the id in the stream', async () => {
      await open('a').append(entry(1), first, 'id');
      await forget();
      expect(await open('a').append(entry(1), first, 'id')).toEqual(at('a', 1));
      expect(await storedIds()).toEqual([at('a', 1).id]);
    });

    it('reaches no later start of the server, unless it had reached the start before', async () => {
      await open('a').append(entry(1), first, 'id');
      const before = start;
      await forget();
      expect(start).not.toBe(before);
      const append = open('a');
      expect(await append.append({ ...entry(1), logStart: before }, first, 'id')).toEqual(
        at('a', 1),
      );
      const refused = append.append({ ...entry(2), logStart: before }, at('a', 1), 'id');
      await expect(refused).rejects.toBeInstanceOf(LogRestartedError);
      await expect(refused).rejects.toThrow('the server of the shared log has restarted');
      expect(await storedIds()).toEqual([at('a', 1).id]);
      const other = open('a', several).append(
        { ...entry(2), logStart: before },
        at('a', 1),
        'position',
      );
      expect(await other).toEqual(at('a', 2));
    });
  });

  it('that fails in another way tells the failure', async () => {
    const append = open('a');
    await append.append(entry(1), first, 'id');
    await manager.streams.update(names.stream, { max_msg_size: 200 });
    const large = { ...entry(2), group: new Uint8Array(1_000) };
    const refused = append.append(large, at('a', 1), 'id');
    await expect(refused).rejects.toMatchObject({ code: 10_054 });
  });

  it('opens another connection after the one before has ended', async () => {
    const append = open('a');
    await append.append(entry(1), first, 'id');
    await opened[0]!.close();
    expect(await append.append(entry(2), at('a', 1), 'id')).toEqual(at('a', 2));
    expect(opened).toHaveLength(2);
    await append.append(entry(3), at('a', 2), 'id');
    expect(opened).toHaveLength(2);
  });

  it('leaves no connection open that found no stream, and tries another', async () => {
    await manager.streams.delete(names.stream);
    const append = open('a');
    await expect(append.append(entry(1), first, 'id')).rejects.toMatchObject({ code: 10_059 });
    expect(opened.map((each) => each.isClosed())).toEqual([true]);
    const info = await manager.streams.add({ name: names.stream, subjects: [names.logSubject] });
    start = startOf(outside, info);
    expect(await append.append(entry(1), first, 'id')).toEqual(at('a', 1));
  });

  it('fails if no connection can be opened', async () => {
    let failures = 1;
    const append = new AppendConnection({
      connect: () => {
        failures -= 1;
        if (failures >= 0) return Promise.reject(new Error('no server'));
        return connect({ servers: server.url, reconnect: false });
      },
      names,
      process: 'a',
    });
    appends.push(append);
    await expect(append.append(entry(1), first, 'id')).rejects.toThrow('no server');
    expect(await append.append(entry(1), first, 'id')).toEqual(at('a', 1));
  });

  it('closing ends its connection, also before there is one', async () => {
    const append = open('a');
    await append.append(entry(1), first, 'id');
    await append.close();
    expect(opened[0]!.isClosed()).toBe(true);
    await append.close();
    const failing = new AppendConnection({
      connect: () => Promise.reject(new Error('no server')),
      names,
      process: 'a',
    });
    const refused = expect(failing.append(entry(1), first, 'id')).rejects.toThrow('no server');
    await failing.close();
    await refused;
  });

  describe('asks for another leader', () => {
    const isAsked = (): boolean =>
      requests.flat().some(({ subject }) => subject.includes('LEADER.STEPDOWN'));

    /** The answer of several servers, which one server never gives. */
    async function showReplicas(append: AppendConnection, cluster: object | null): Promise<void> {
      await append.append(entry(1), first, 'id');
      const connection = opened.at(-1)!;
      const request = connection.request.bind(connection);
      connection.request = async (subject, payload, options) => {
        const answer = await request(subject, payload, options);
        if (!subject.includes('STREAM.INFO')) return answer;
        const info = { ...answer.json<object>(), ...(cluster === null ? {} : { cluster }) };
        const data = Buffer.from(JSON.stringify(info));
        return Object.create(answer, {
          json: { value: () => info },
          data: { value: data },
        }) as typeof answer;
      };
    }

    it.each([null, { name: 'replicas' }, { replicas: [{ current: true }, { current: true }] }])(
      'if every server is up to date (%o)',
      async (cluster) => {
        const append = open('a');
        await showReplicas(append, cluster);
        expect(await append.changeLeader()).toBe(true);
        expect(isAsked()).toBe(true);
      },
    );

    it('not while one is away, as an election could take long', async () => {
      const append = open('a');
      await showReplicas(append, { replicas: [{ current: true }, { current: false }] });
      expect(await append.changeLeader()).toBe(false);
      expect(isAsked()).toBe(false);
    });
  });
});
