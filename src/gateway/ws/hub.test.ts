import { expect, test } from 'vitest';
import { FakeClient } from '../../../test/support/fake-connection.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { encodeMessage } from './frame.ts';
import { Hub } from './hub.ts';
import { defaultStreamLimits } from './stream-limits.ts';
import { noStreamMetrics } from './stream-metrics.ts';
import { type FramedMessages, Topic } from './topic.ts';

const limits = { ...defaultStreamLimits, flushIntervalMs: 20, flushPauseRatio: 1 };

class CountingTopic extends Topic {
  value = 0;
  #published = 0;
  size = 0;

  override snapshot(): Buffer {
    return encodeMessage({ type: 'snapshot', ...this.target, value: this.#published });
  }

  override takeUpdates(): FramedMessages | null {
    if (this.value === this.#published) return null;
    this.#published = this.value;
    const filling = 'x'.repeat(this.size);
    const message = { type: 'update', ...this.target, value: this.value, filling };
    return { bytes: encodeMessage(message), count: 1 };
  }
}

function setUp() {
  const clock = new ManualClock();
  clock.holdTurns();
  const sent = { messages: 0, behind: 0 };
  const hub = new Hub({
    clock,
    limits,
    metrics: {
      ...noStreamMetrics,
      messagesSent: (count) => (sent.messages += count),
      clientFellBehind: () => (sent.behind += 1),
    },
  });
  const change = (topic: CountingTopic): void => {
    topic.value += 1;
    hub.markDirty(topic);
  };
  return { clock, hub, sent, change };
}

const topicOf = (channel: string, intervalMs = 0) => new CountingTopic({ channel }, intervalMs);
const valuesOf = (client: FakeClient) =>
  client.take().map(({ type, channel, value }) => [type, channel, value].join(' '));

test('Hub: changes of one turn are sent together, as one write per socket', () => {
  const { clock, hub, sent, change } = setUp();
  const topics = [topicOf('a'), topicOf('b')];
  const clients = [new FakeClient(limits), new FakeClient(limits)];
  for (const { connection } of clients) for (const topic of topics) hub.join(connection, topic);
  for (const client of clients) client.take();
  const writesBefore = clients.map(({ writes }) => writes);
  for (const topic of topics) for (let i = 0; i < 3; i += 1) change(topic);
  clock.endTurn();
  for (const client of clients) expect(valuesOf(client)).toEqual(['update a 3', 'update b 3']);
  expect(clients.map(({ writes }) => writes)).toEqual(writesBefore.map((writes) => writes + 1));
  expect(sent.messages).toBe(4);
});

test('Hub: rounds keep their interval, with at most one timer', () => {
  const { clock, hub, change } = setUp();
  const topic = topicOf('a');
  const client = new FakeClient(limits);
  hub.join(client.connection, topic);
  change(topic);
  clock.endTurn();
  client.take();
  for (let i = 0; i < 100; i += 1) {
    change(topic);
    clock.endTurn();
  }
  expect(client.take()).toEqual([]);
  expect(clock.timerCount).toBe(1);
  clock.advance(19);
  expect(client.take()).toEqual([]);
  clock.advance(1);
  expect(valuesOf(client)).toEqual(['update a 101']);
});

test('Hub: a throttled topic waits for its own interval while others continue', () => {
  const { clock, hub, change } = setUp();
  const slow = topicOf('slow', 1_000);
  const fast = topicOf('fast');
  const client = new FakeClient(limits);
  hub.join(client.connection, slow);
  hub.join(client.connection, fast);
  change(slow);
  clock.endTurn();
  client.take();
  change(slow);
  change(fast);
  clock.advance(20);
  expect(valuesOf(client)).toEqual(['update fast 1']);
  change(fast);
  clock.advance(20);
  expect(valuesOf(client)).toEqual(['update fast 2']);
  clock.advance(960);
  expect(valuesOf(client)).toEqual(['update slow 2']);
});

test('Hub: a late listener gets a snapshot that the next update follows', () => {
  const { clock, hub, change } = setUp();
  const topic = topicOf('a');
  const first = new FakeClient(limits);
  const late = new FakeClient(limits);
  change(topic);
  hub.join(first.connection, topic);
  expect(valuesOf(first)).toEqual(['snapshot a 1']);
  change(topic);
  hub.join(late.connection, topic);
  expect(valuesOf(late)).toEqual(['snapshot a 1']);
  clock.endTurn();
  clock.advance(20);
  expect(valuesOf(first)).toEqual(['update a 2']);
  expect(valuesOf(late)).toEqual(['update a 2']);
});

test('Hub: a client that unsubscribed or closed gets nothing more', () => {
  const { clock, hub, change } = setUp();
  const [a, b] = [topicOf('a'), topicOf('b')];
  const [left, gone] = [new FakeClient(limits), new FakeClient(limits)];
  for (const { connection } of [left, gone]) {
    hub.join(connection, a);
    hub.join(connection, b);
  }
  hub.leave(left.connection, a);
  hub.forget(gone.connection);
  left.take();
  gone.take();
  change(a);
  change(b);
  clock.endTurn();
  expect(valuesOf(left)).toEqual(['update b 1']);
  expect(gone.take()).toEqual([]);
  expect(a.hasAudience).toBe(false);
});

test('Hub: a slow client is sent resync, misses updates, and starts over once it has read', () => {
  const { clock, hub, sent, change } = setUp();
  const topic = topicOf('a');
  const [slow, fast] = [new FakeClient(limits), new FakeClient(limits)];
  hub.join(slow.connection, topic);
  hub.join(fast.connection, topic);
  topic.size = 100_000;
  slow.stopReading();
  slow.take();
  fast.take();
  for (let round = 0; round < 10; round += 1) {
    change(topic);
    clock.endTurn();
    clock.advance(20);
  }
  // Three messages pass the backlog of 256 KiB; the fourth round finds it.
  expect(valuesOf(slow)).toEqual(['update a 1', 'update a 2', 'update a 3', 'resync a ']);
  expect(valuesOf(fast)).toHaveLength(10);
  expect(sent.behind).toBe(1);
  slow.readPartly(1_000);
  change(topic);
  clock.endTurn();
  expect(valuesOf(slow)).toEqual([]);
  slow.readOn();
  expect(valuesOf(slow)).toEqual(['snapshot a 11']);
  change(topic);
  clock.advance(20);
  expect(valuesOf(slow)).toEqual(['update a 12']);
  expect(slow.closed).toBeNull();
});

test('Hub: a client that stays slow is closed with 1013', () => {
  const { clock, hub, change } = setUp();
  const topic = topicOf('a');
  const slow = new FakeClient(limits);
  hub.join(slow.connection, topic);
  topic.size = limits.backlogResyncBytes;
  slow.stopReading();
  for (let round = 0; round < 3; round += 1) {
    change(topic);
    clock.endTurn();
    clock.advance(20);
  }
  expect(slow.take().at(-1)).toMatchObject({ type: 'resync' });
  clock.advance(limits.behindMaxMs - 100);
  hub.closeStragglers();
  expect(slow.closed).toBeNull();
  clock.advance(100);
  hub.closeStragglers();
  expect(slow.closed).toMatchObject({ code: 1013 });
});

test('Hub: nothing is sent after it is closed', () => {
  const { clock, hub, change } = setUp();
  const topic = topicOf('a');
  const client = new FakeClient(limits);
  hub.join(client.connection, topic);
  client.take();
  change(topic);
  hub.close();
  clock.endTurn();
  clock.advance(1_000);
  expect(client.take()).toEqual([]);
});

test('Hub: joining and leaving many topics at once regroups them once', () => {
  const { clock, hub, change } = setUp();
  const before = Array.from({ length: 300 }, (_, index) => topicOf(`before ${index}`));
  const after = Array.from({ length: 300 }, (_, index) => topicOf(`after ${index}`));
  const client = new FakeClient(limits);
  let regroupings = 0;
  for (const { groups } of [before.at(0), after.at(0)].flatMap((topic) => topic ?? [])) {
    const add = groups.add.bind(groups);
    groups.add = (group) => {
      regroupings += 1;
      return add(group);
    };
  }
  hub.change(client.connection, { left: [], joined: before });
  hub.change(client.connection, { left: before, joined: after });
  expect(regroupings).toBe(2);
  client.take();
  for (const topic of [...before, ...after]) change(topic);
  clock.endTurn();
  expect(valuesOf(client)).toEqual(after.map(({ target }) => `update ${target.channel} 1`));
});

test('Hub: a topic that is joined late sends what has happened since', () => {
  const { clock, hub, change } = setUp();
  const topic = topicOf('a');
  const client = new FakeClient(limits);
  change(topic);
  hub.change(client.connection, { left: [], joined: [topic], isLate: true });
  clock.endTurn();
  expect(valuesOf(client)).toEqual(['update a 1']);
});
