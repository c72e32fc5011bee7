import type { NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { failingSubscriptions, NatsConnections } from '../../test/support/nats-connections.ts';
import { hasNatsServer } from '../../test/support/nats-server.ts';
import { watchRequests } from '../../test/support/watch-requests.ts';
import { systemTime } from '../system/system-time.ts';
import { NatsProcessLiveness } from './process-liveness.ts';

if (!hasNatsServer) console.log('skipped: there is no nats-server on PATH for the liveness');

describe.skipIf(!hasNatsServer)('a process', () => {
  let nats: NatsConnections;
  let asking: NatsConnection;
  let liveness: NatsProcessLiveness;
  let now = 0;
  let slept: number[];
  let whileAsleep: () => Promise<unknown>;

  const time = {
    ...systemTime,
    monotonicMs: () => now,
    sleep: async (delayMs: number) => {
      slept.push(delayMs);
      await whileAsleep();
    },
  };

  beforeAll(async () => {
    nats = await NatsConnections.start();
  });
  afterAll(() => nats.close());
  beforeEach(async () => {
    const names = await nats.next();
    now = 0.5;
    slept = [];
    whileAsleep = async () => undefined;
    asking = await nats.connect();
    liveness = new NatsProcessLiveness(asking, names, 'asking', time);
  });

  async function join(process: string): Promise<NatsConnection> {
    const connection = await nats.connect();
    new NatsProcessLiveness(connection, nats.names, process, time);
    await nats.settle();
    return connection;
  }

  it('that is connected is not gone', async () => {
    await join('other');
    const requests = watchRequests(asking);
    expect(await liveness.isGone('other')).toBe(false);
    expect(slept).toEqual([]);
    expect(requests).toEqual([{ subject: nats.names.aliveSubject('other'), timeoutMs: 100 }]);
  });

  it('that has closed its connection is gone, asked twice 200 ms apart', async () => {
    const connection = await join('other');
    await connection.close();
    // The server notices it a moment later.
    await vi.waitUntil(() => liveness.isGone('other'));
    slept = [];
    const requests = watchRequests(asking);
    expect(await liveness.isGone('other')).toBe(true);
    expect(slept).toEqual([200]);
    expect(requests).toHaveLength(2);
  });

  it('that connects again meanwhile is not gone', async () => {
    whileAsleep = () => join('other');
    expect(await liveness.isGone('other')).toBe(false);
    expect(slept).toEqual([200]);
  });

  it('that does not answer in time may be paused, so it is not known to be gone', async () => {
    const connection = await nats.connect();
    connection.subscribe(nats.names.aliveSubject('other'), { callback: () => undefined });
    await nats.settle();
    expect(await liveness.isGone('other')).toBe(false);
  });

  it('whose question cannot be read does not answer it', async () => {
    const connection = await nats.connect();
    const fail = failingSubscriptions(connection);
    const alive = new NatsProcessLiveness(connection, nats.names, 'other', time);
    fail(new Error('not permitted'));
    await nats.settle();
    expect(await alive.isGone('asking')).toBe(false);
    expect(await liveness.isGone('other')).toBe(false);
  });

  it('is not known to be gone over a connection that is closed', async () => {
    await asking.close();
    expect(await liveness.isGone('other')).toBe(false);
  });

  it('has a second to connect again after the asking one has', async () => {
    now = 70_000;
    expect(await liveness.isGone('other')).toBe(true);
    const statuses = asking.status()[Symbol.asyncIterator]();
    const again = (async () => {
      for (;;) {
        const { value } = (await statuses.next()) as { value: { type: string } };
        if (value.type === 'reconnect') return;
      }
    })();
    void asking.reconnect();
    await again;
    await vi.waitUntil(async () => !(await liveness.isGone('other')));
    now += 1_000;
    expect(await liveness.isGone('other')).toBe(false);
    now += 1;
    expect(await liveness.isGone('other')).toBe(true);
  });
});
