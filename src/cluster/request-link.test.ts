import { connect, headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasNatsServer, NatsServer } from '../../test/support/nats-server.ts';
import { systemTime } from '../system/system-time.ts';
import { clusterNames } from './cluster-names.ts';
import { NatsRequestLink, type ReceivedRequest } from './request-link.ts';
import { encodePack } from './request-pack.ts';

if (!hasNatsServer) console.log('skipped: there is no nats-server on PATH for the request link');

const names = clusterNames('0123456789abcdef');
const logger = pino({ level: 'silent' });
const soon = { interval: 2, timeout: 10_000 };

function recordOf(request: number): Uint8Array {
  return new Uint8Array(8).fill(request % 256);
}

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

/** A connection whose messages arrive when the test says so, and the turns and time of a process. */
class HeldConnection {
  readonly published: { subject: string; data: Uint8Array; reply: string }[] = [];
  readonly receivers = new Map<string, (error: Error | null, message: Msg) => void>();
  readonly warnings: string[] = [];
  isClosed = false;
  now = 0;
  #turn: (() => void)[] = [];
  readonly link: NatsRequestLink;

  constructor() {
    const connection = {
      subscribe: (subject: string, { callback }: { callback: () => void }) => {
        this.receivers.set(subject, callback);
        return { unsubscribe: () => this.receivers.delete(subject) };
      },
      publish: (subject: string, data: Uint8Array, { reply }: { reply: string }) => {
        if (this.isClosed) throw new Error('the connection is closed');
        this.published.push({ subject, data, reply });
      },
      isClosed: () => this.isClosed,
    };
    const write = (line: string): void => {
      this.warnings.push((JSON.parse(line) as { msg: string }).msg);
    };
    this.link = new NatsRequestLink({
      connection: connection as unknown as NatsConnection,
      names,
      process: 'sender',
      time: {
        monotonicMs: () => this.now,
        afterTurn: (callback) => void this.#turn.push(callback),
      },
      logger: pino({ base: null }, { write }),
      isConnected: () => !this.isClosed,
    });
  }

  endTurn(): void {
    for (const callback of this.#turn.splice(0)) callback();
  }

  /** Returns how often it was answered. */
  receive(subject: string, message: object, receiver = subject): readonly string[] {
    const answers: string[] = [];
    const respond = (text: string): void => {
      if (this.isClosed) throw new Error('the connection is closed');
      answers.push(text);
    };
    this.receivers.get(receiver)!(null, { subject, respond, ...message } as unknown as Msg);
    return answers;
  }

  answer(token: string, text: string | null): void {
    const absent = headers(503, 'No Responders');
    const message = text === null ? { headers: absent, string: () => '' } : { string: () => text };
    const subject = names.replySubject('sender');
    this.receive(`${subject}.${token}`, message, `${subject}.*`);
  }

  /** The tokens by which the messages since are answered. */
  sent(): readonly string[] {
    const start = names.replySubject('sender').length + 1;
    return this.published.splice(0).map(({ reply }) => reply.slice(start));
  }
}

describe('a link whose messages go wrong', () => {
  let held: HeldConnection;
  let refused: unknown[];

  beforeEach(() => {
    held = new HeldConnection();
    refused = [];
    held.link.onRefusal((request, refusal) => refused.push([request, refusal]));
  });

  function send(...requests: readonly number[]): readonly string[] {
    for (const request of requests) held.link.send(7, request, recordOf(request));
    held.endTurn();
    return held.sent();
  }

  it('tells whether its connection is open', () => {
    expect(held.link.isConnected).toBe(true);
    held.isClosed = true;
    expect(held.link.isConnected).toBe(false);
  });

  it('sends once per turn, and each request once', () => {
    expect(send(1, 2)).toEqual(['p1']);
    expect(send()).toEqual([]);
    expect(send(3)).toEqual(['p2']);
  });

  it('sends and answers nothing over a closed connection', () => {
    held.link.listen(7, (request) => request.refuse('busy'));
    const data = encodePack([{ request: 1, record: recordOf(1) }]);
    const answers = held.receive(names.packSubject(7), { reply: 'x.other.p1', data });
    held.link.send(7, 1, recordOf(1));
    held.isClosed = true;
    held.endTurn();
    held.answer('p1', null);
    expect([answers, held.published]).toEqual([[], []]);
  });

  it('sends nothing of a pack again once its connection is closed', () => {
    expect(send(1)).toEqual(['p1']);
    held.isClosed = true;
    held.answer('p1', null);
    expect(held.published).toEqual([]);
  });

  it('sends single requests for one second to an owner that takes no packs', () => {
    held.now = 5;
    expect(send(1, 2)).toEqual(['p1']);
    held.answer('p1', null);
    expect(held.sent()).toEqual(['1', '2']);
    held.now += 999;
    expect(send(3)).toEqual(['3']);
    held.now += 1;
    expect(send(4)).toEqual(['p2']);
  });

  it('sends the requests of a pack again only once', () => {
    send(1);
    held.answer('p1', null);
    expect(held.sent()).toEqual(['1']);
    held.answer('p1', null);
    expect(held.sent()).toEqual([]);
    expect(refused).toEqual([]);
  });

  it('keeps the newest 256 packs for that', () => {
    for (let request = 1; request <= 257; request += 1) send(request);
    held.answer('p1', null);
    expect(held.sent()).toEqual([]);
    held.answer('p2', null);
    expect(held.sent()).toEqual(['2']);
  });

  it.each(['busy', 'restarting', 'invalid', 'repeated', 'expired', 'absent'])(
    'passes on that a request is %s, alone or in a pack',
    (refusal) => {
      held.answer('5', refusal);
      held.answer('p1', `6 ${refusal}\n7 ${refusal}`);
      expect(refused).toEqual([5, 6, 7].map((request) => [request, refusal]));
    },
  );

  it('passes on that a single request has no listener', () => {
    held.answer('5', null);
    expect(refused).toEqual([[5, 'absent']]);
  });

  it('ignores answers that it does not know', () => {
    held.answer('5', 'later');
    held.answer('p1', '6 later\n7\n8 busy');
    expect(refused).toEqual([[8, 'busy']]);
  });

  it('answers the refusals of a turn in one message, and those of the next in another', () => {
    const taken: ReceivedRequest[] = [];
    held.link.listen(7, (request) => taken.push(request));
    const requests = [1, 2, 3].map((request) => ({ request, record: recordOf(request) }));
    const pack = { reply: 'x.other.p1', data: encodePack(requests) };
    const answers = held.receive(names.packSubject(7), pack);
    expect(taken.map(({ process }) => process)).toEqual(['other', 'other', 'other']);
    taken[0]!.refuse('busy');
    taken[1]!.refuse('expired');
    expect(answers).toEqual([]);
    held.endTurn();
    taken[2]!.refuse('busy');
    held.endTurn();
    held.endTurn();
    expect(answers).toEqual(['1 busy\n2 expired', '3 busy']);
  });

  it('takes single requests by the number and the process in their reply subject', () => {
    const taken: ReceivedRequest[] = [];
    held.link.listen(7, (request) => taken.push(request));
    const data = recordOf(5);
    const answers = held.receive(names.submitSubject(7), { reply: 'x.other.5', data });
    expect(taken).toMatchObject([{ process: 'other', request: 5, record: data }]);
    taken[0]!.refuse('busy');
    expect(answers).toEqual(['busy']);
  });

  it('takes no request without the number and process that it would answer', () => {
    const taken: ReceivedRequest[] = [];
    held.link.listen(7, (request) => taken.push(request));
    const data = encodePack([{ request: 1, record: recordOf(1) }]);
    for (const reply of [undefined, '', 'p1']) {
      held.receive(names.packSubject(7), { reply, data });
    }
    for (const reply of [undefined, '', '5', 'x.other.p5', 'x.other.5p', 'x.other.']) {
      held.receive(names.submitSubject(7), { reply, data });
    }
    expect(taken).toEqual([]);
    expect(held.warnings).toEqual([]);
  });

  it('warns of what cannot be read, and goes on', () => {
    const taken: number[] = [];
    held.link.listen(7, ({ request }) => void taken.push(request));
    const failure = new Error('not permitted');
    for (const receive of held.receivers.values()) receive(failure, {} as Msg);
    held.receive(names.packSubject(7), { reply: 'x.other.p1', data: new Uint8Array(3) });
    expect(held.warnings).toEqual([
      'a reply of the owner cannot be read',
      'a request cannot be read',
      'a request cannot be read',
      'a request cannot be read',
    ]);
    held.receive(names.submitSubject(7), { reply: 'x.other.5', data: recordOf(5) });
    expect(taken).toEqual([5]);
  });

  it('receives no requests any more once that has ended', () => {
    const end = held.link.listen(7, () => undefined);
    expect(held.receivers.size).toBe(3);
    end();
    expect([...held.receivers.keys()]).toEqual([`${names.replySubject('sender')}.*`]);
  });
});
