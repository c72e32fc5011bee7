import { connect, type NatsConnection } from '@nats-io/transport-node';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasNatsServer, NatsServer } from '../../test/support/nats-server.ts';
import { systemTime } from '../system/system-time.ts';
import { clusterNames } from './cluster-names.ts';
import { NatsRequestLink, type ReceivedRequest } from './request-link.ts';
import { decodePack, encodePack, splitIntoPacks } from './request-pack.ts';

if (!hasNatsServer) console.log('skipped: there is no nats-server on PATH for the request link');

const names = clusterNames('0123456789abcdef');
const logger = pino({ level: 'silent' });
const soon = { interval: 2, timeout: 10_000 };

function recordOf(request: number, length = 8): Uint8Array {
  return new Uint8Array(length).fill(request % 256);
}

describe('packs of requests', () => {
  it('what is packed is what arrives, in its order', () => {
    const requests = [1, 2 ** 40, 3].map((request) => ({ request, record: recordOf(request) }));
    const found = decodePack(encodePack(requests));
    expect(found.map(({ request }) => request)).toEqual([1, 2 ** 40, 3]);
    expect(found.map(({ record }) => [...record])).toEqual(
      requests.map(({ record }) => [...record]),
    );
  });

  it('long records go in several packs', () => {
    const lengths = [100_000, 20_000, 20_000, 500_000, 10];
    const requests = lengths.map((length, request) => ({
      request,
      record: recordOf(request, length),
    }));
    const packs = splitIntoPacks(requests).map((pack) => pack.map(({ request }) => request));
    expect(packs).toEqual([[0, 1], [2], [3], [4]]);
  });

  it('bytes that are not a pack are refused', () => {
    const whole = encodePack([{ request: 1, record: recordOf(1) }]);
    for (let length = 1; length < whole.length; length += 1) {
      expect(() => decodePack(whole.subarray(0, length))).toThrow('a pack of requests ends');
    }
  });
});

describe.skipIf(!hasNatsServer)('NatsRequestLink', () => {
  let server: NatsServer;
  const connections: NatsConnection[] = [];

  beforeEach(async () => {
    server = await NatsServer.start();
  });
  afterEach(async () => {
    await Promise.all(connections.splice(0).map((connection) => connection.close()));
    await server.close();
  });

  async function connected(): Promise<NatsConnection> {
    const connection = await connect({ servers: server.url });
    connections.push(connection);
    return connection;
  }

  async function open(process: string): Promise<NatsRequestLink> {
    const connection = await connected();
    const isConnected = (): boolean => true;
    const time = systemTime;
    const link = new NatsRequestLink({ connection, names, process, time, logger, isConnected });
    await connection.flush();
    return link;
  }

  async function messagesOf(subject: string): Promise<readonly string[]> {
    const seen: string[] = [];
    const connection = await connected();
    connection.subscribe(subject, {
      callback: (_error, message) => void seen.push(message.string()),
    });
    await connection.flush();
    return seen;
  }

  it('the requests of one turn are one message, and so are their refusals', async () => {
    const owner = await open('owner');
    const sender = await open('sender');
    const taken: ReceivedRequest[] = [];
    owner.listen(7, (request) => {
      taken.push(request);
      if (request.request % 2 === 0) request.refuse('busy');
    });
    const refused: unknown[] = [];
    sender.onRefusal((request, refusal) => refused.push([request, refusal]));
    const packs = await messagesOf(names.packSubject(7));
    const replies = await messagesOf(`${names.replySubject('sender')}.*`);
    await connections[0]!.flush();
    for (let request = 1; request <= 5; request += 1) sender.send(7, request, recordOf(request));
    await vi.waitUntil(() => refused.length === 2, soon);
    expect(taken.map(({ process, request }) => [process, request])).toEqual(
      [1, 2, 3, 4, 5].map((request) => ['sender', request]),
    );
    expect(taken.map(({ record }) => [...record])).toEqual(
      [1, 2, 3, 4, 5].map((request) => [...recordOf(request)]),
    );
    expect(refused).toEqual([
      [2, 'busy'],
      [4, 'busy'],
    ]);
    await vi.waitUntil(() => replies.length > 0, soon);
    expect(packs).toHaveLength(1);
    expect(replies).toEqual(['2 busy\n4 busy']);
  });

  it('requests of two epochs go to the owner of each', async () => {
    const owner = await open('owner');
    const sender = await open('sender');
    const taken: string[] = [];
    for (const epoch of [1, 2]) {
      owner.listen(epoch, ({ request }) => void taken.push(`${epoch} ${request}`));
    }
    await connections[0]!.flush();
    for (const [epoch, request] of [
      [1, 1],
      [2, 2],
      [1, 3],
    ] as const) {
      sender.send(epoch, request, recordOf(request));
    }
    await vi.waitUntil(() => taken.length === 3, soon);
    expect([...taken].sort()).toEqual(['1 1', '1 3', '2 2']);
  });

  it('an owner of the previous version gets them one by one', async () => {
    const sender = await open('sender');
    const owner = await connected();
    const taken: string[] = [];
    owner.subscribe(names.submitSubject(7), {
      callback: (_error, message) => {
        taken.push(message.reply!.slice(names.replySubject('sender').length + 1));
        message.respond('restarting');
      },
    });
    await owner.flush();
    const refused: unknown[] = [];
    sender.onRefusal((request, refusal) => refused.push([request, refusal]));
    sender.send(7, 1, recordOf(1));
    sender.send(7, 2, recordOf(2));
    await vi.waitUntil(() => refused.length === 2, soon);
    sender.send(7, 3, recordOf(3));
    await vi.waitUntil(() => refused.length === 3, soon);
    expect(taken).toEqual(['1', '2', '3']);
    expect(refused).toEqual([1, 2, 3].map((request) => [request, 'restarting']));
  });

  it('an owner accepts single requests from the previous version', async () => {
    const owner = await open('owner');
    owner.listen(7, (taken) => taken.refuse(taken.request === 5 ? 'busy' : 'invalid'));
    await connections[0]!.flush();
    const before = await connected();
    const reply = `${names.replySubject('sender')}.5`;
    const replies = await messagesOf(reply);
    before.publish(names.submitSubject(7), recordOf(5), { reply });
    await vi.waitUntil(() => replies.length > 0, soon);
    expect(replies).toEqual(['busy']);
  });

  it('without a listener, each request is reported as absent', async () => {
    const sender = await open('sender');
    const refused: unknown[] = [];
    sender.onRefusal((request, refusal) => refused.push([request, refusal]));
    for (const request of [1, 2, 3]) sender.send(7, request, recordOf(request));
    await vi.waitUntil(() => refused.length === 3, soon);
    expect(refused).toEqual([1, 2, 3].map((request) => [request, 'absent']));
  });
});
