import type { NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { failingSubscriptions, NatsConnections } from '../../test/support/nats-connections.ts';
import { hasNatsServer } from '../../test/support/nats-server.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { noMembers } from './member-list.ts';
import { isBeyond, NatsRollCall, type RollAnswer, type RollQuestion } from './roll-call.ts';

if (!hasNatsServer) console.log('skipped: there is no nats-server on PATH for the roll call');

describe('a history', () => {
  const at = (epoch: number, sequence: number) => ({ epoch, sequence: sequence as Sequence });

  it('goes beyond one of an earlier epoch, and beyond a shorter one of the same epoch', () => {
    expect(isBeyond(at(2, 1), at(1, 9))).toBe(true);
    expect(isBeyond(at(1, 9), at(2, 1))).toBe(false);
    expect(isBeyond(at(2, 9), at(2, 8))).toBe(true);
    expect(isBeyond(at(2, 8), at(2, 9))).toBe(false);
    expect(isBeyond(at(2, 8), at(2, 8))).toBe(false);
  });
});

describe.skipIf(!hasNatsServer)('a roll call', () => {
  let nats: NatsConnections;
  let asking: NatsRollCall;
  let connection: NatsConnection;
  let asked: { readonly by: string; readonly question: RollQuestion }[];

  beforeAll(async () => {
    nats = await NatsConnections.start();
  });
  afterAll(() => nats.close());
  beforeEach(async () => {
    await nats.next();
    asked = [];
    connection = await nats.connect();
    asking = new NatsRollCall(connection, nats.names, 'asking');
  });

  function answerOf(process: string): RollAnswer {
    const place = { epoch: 1, sequence: 7 as Sequence };
    const own = { process, member: `member of ${process}`, label: 'here', list: noMembers };
    return { ...place, ...own, isFit: true, hasPromised: false };
  }

  async function open(process: string): Promise<void> {
    const rollCall = new NatsRollCall(await nats.connect(), nats.names, process);
    rollCall.answer(async (question) => {
      asked.push({ by: process, question });
      return answerOf(process);
    });
    await nats.settle();
  }

  const never = (): boolean => false;

  it('brings the answer of each process but the one that asks', async () => {
    asking.answer(async () => answerOf('asking'));
    await open('b');
    await open('c');
    const answers = await asking.ask(never, 5);
    expect([...answers].sort((x, y) => (x.process < y.process ? -1 : 1))).toEqual([
      answerOf('b'),
      answerOf('c'),
    ]);
    expect(asked.map(({ question }) => question)).toEqual([
      { process: 'asking', epoch: 5 },
      { process: 'asking', epoch: 5 },
    ]);
  });

  it('is over as soon as there are enough answers', async () => {
    for (const process of ['b', 'c', 'd']) await open(process);
    const answers = await asking.ask((found) => found.length === 2, null);
    expect(answers).toHaveLength(2);
  });

  it('asks nobody if no answer is needed', async () => {
    await open('b');
    const requestMany = vi.spyOn(connection, 'requestMany');
    expect(await asking.ask(() => true, 5)).toEqual([]);
    expect(requestMany).not.toHaveBeenCalled();
  });

  it('waits for answers for at most 300 ms, and has none if no process listens', async () => {
    const requestMany = vi.spyOn(connection, 'requestMany');
    expect(await asking.ask(never, 5)).toEqual([]);
    expect(requestMany.mock.calls).toMatchObject([
      [
        nats.names.rollSubject,
        '{"process":"asking","epoch":5}',
        { strategy: 'timer', maxWait: 300 },
      ],
    ]);
  });

  it('has no answer of a process that fails or that cannot read the question', async () => {
    const other = await nats.connect();
    const fail = failingSubscriptions(other);
    new NatsRollCall(other, nats.names, 'b').answer(() => Promise.reject(new Error('disk full')));
    fail(new Error('not permitted'));
    await open('c');
    expect(await asking.ask(never, 5)).toEqual([answerOf('c')]);
  });

  it('cannot be held over a closed connection', async () => {
    await connection.close();
    await expect(asking.ask(never, 5)).rejects.toThrow('closed');
  });
});
