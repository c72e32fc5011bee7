import type { NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { failingSubscriptions, NatsConnections } from '../../test/support/nats-connections.ts';
import { hasNatsServer } from '../../test/support/nats-server.ts';
import { watchRequests } from '../../test/support/watch-requests.ts';
import type { OrderReply } from '../application/ports/exchange.ts';
import { NatsBroadcast } from './broadcast.ts';
import type { ClusterNames } from './cluster-names.ts';
import { type JournalReport, NatsJournalReportLink } from './journal-report.ts';
import { NatsOperatorLink, type OperatorAnswer, type OperatorQuestion } from './operator.ts';
import { NatsOrderReplies } from './order-replies.ts';

if (!hasNatsServer) console.log('skipped: there is no nats-server on PATH for links of processes');

const unreadable = new Error('not permitted');

describe.skipIf(!hasNatsServer)('between the processes of an exchange', () => {
  let nats: NatsConnections;
  let names: ClusterNames;
  let one: NatsConnection;
  let other: NatsConnection;

  beforeAll(async () => {
    nats = await NatsConnections.start();
  });
  afterAll(() => nats.close());
  beforeEach(async () => {
    names = await nats.next();
    [one, other] = [await nats.connect(), await nats.connect()];
  });

  describe('a broadcast', () => {
    it('arrives at all of them, and at the one that sends it', async () => {
      const [first, second] = [one, other].map((each) => new NatsBroadcast<object>(each, 'told'));
      const told: object[] = [];
      first!.onTold((message) => void told.push({ first: message }));
      second!.onTold((message) => void told.push({ second: message }));
      await nats.settle();
      first!.tell({ count: 1 });
      await vi.waitUntil(() => told.length === 2);
      expect(told).toContainEqual({ first: { count: 1 } });
      expect(told).toContainEqual({ second: { count: 1 } });
    });

    it('that cannot be read tells nothing, and a closed connection sends nothing', async () => {
      const fail = failingSubscriptions(one);
      const broadcast = new NatsBroadcast<object>(one, 'told');
      const told: object[] = [];
      broadcast.onTold((message) => void told.push(message));
      fail(unreadable);
      await one.close();
      broadcast.tell({ count: 1 });
      expect(told).toEqual([]);
    });
  });

  describe('a report of a journal', () => {
    const report: JournalReport = { member: 'a', epoch: 2, sequence: 7, chain: 'c', promised: 3 };

    it('arrives as it was sent', async () => {
      const reports: JournalReport[] = [];
      new NatsJournalReportLink(other, names).onReport((each) => void reports.push(each));
      await nats.settle();
      new NatsJournalReportLink(one, names).announce(report);
      await vi.waitUntil(() => reports.length > 0);
      expect(reports).toEqual([report]);
    });

    it('that cannot be read says nothing, and a closed connection sends nothing', async () => {
      const fail = failingSubscriptions(one);
      const link = new NatsJournalReportLink(one, names);
      const reports: JournalReport[] = [];
      link.onReport((each) => void reports.push(each));
      fail(unreadable);
      await one.close();
      link.announce(report);
      expect(reports).toEqual([]);
    });
  });

  describe('an operator', () => {
    const question: OperatorQuestion = { type: 'begin', without: ['b'] };

    async function ask(): Promise<OperatorAnswer> {
      await nats.settle();
      const text = JSON.stringify(question);
      const answer = await other.request(names.operatorSubject, text, { timeout: 10_000 });
      return answer.json<OperatorAnswer>();
    }

    it('gets the answer of the process that the question concerns', async () => {
      const asked: OperatorQuestion[] = [];
      new NatsOperatorLink(one, names).answer(async (each) => {
        asked.push(each);
        return null;
      });
      new NatsOperatorLink(other, names).answer(async () => {
        await vi.waitUntil(() => asked.length > 0);
        return { isDone: true, text: 'it is done' };
      });
      expect(await ask()).toEqual({ isDone: true, text: 'it is done' });
      expect(asked).toEqual([question]);
    });

    it('is told why a process could not do it', async () => {
      const fail = failingSubscriptions(one);
      new NatsOperatorLink(one, names).answer(() => Promise.reject(new Error('the disk is full')));
      fail(unreadable);
      expect(await ask()).toEqual({ isDone: false, text: 'Error: the disk is full' });
    });
  });

  describe('the reply to a signed order', () => {
    const reply = { status: 200, body: '{}' } as unknown as OrderReply;

    it('comes from the process that gave it', async () => {
      const asked: string[] = [];
      const asking = new NatsOrderReplies(one, names, 'one');
      asking.share(async () => {
        asked.push('the asking process');
        return null;
      });
      new NatsOrderReplies(other, names, 'other').share(async (signature) => {
        asked.push(signature);
        return reply;
      });
      await nats.settle();
      const requests = watchRequests(one);
      expect(await asking.find('f00d')).toEqual(reply);
      expect(asked).toEqual(['f00d']);
      expect(requests).toEqual([{ subject: names.repliesSubject, timeoutMs: 1_000 }]);
    });

    it('is unknown if no process answers', async () => {
      expect(await new NatsOrderReplies(one, names, 'one').find('f00d')).toBeNull();
    });

    it('is not given by a process that does not know it or cannot find it', async () => {
      const fail = failingSubscriptions(other);
      const finders = [
        async () => null,
        () => Promise.reject(new Error('no memory')),
        async () => reply,
      ];
      for (const [index, find] of finders.entries()) {
        new NatsOrderReplies(other, names, `other ${index}`).share(find);
      }
      fail(unreadable);
      await nats.settle();
      expect(await new NatsOrderReplies(one, names, 'one').find('f00d')).toEqual(reply);
    });
  });
});
