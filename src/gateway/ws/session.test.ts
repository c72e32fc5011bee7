import { expect, test } from 'vitest';
import { FakeClient } from '../../../test/support/fake-connection.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import type { VerifiedToken } from '../auth/access-tokens.ts';
import type { PublicChannel } from './channels/channel.ts';
import { ConnectionCounts } from './connection-counts.ts';
import { encodeMessage } from './frame.ts';
import { Hub } from './hub.ts';
import { closeCodes } from './protocol/stream-error.ts';
import { Session } from './session.ts';
import { defaultStreamLimits } from './stream-limits.ts';
import { noStreamMetrics } from './stream-metrics.ts';
import { type FramedMessages, Topic } from './topic.ts';

class StillTopic extends Topic {
  override snapshot(): Buffer {
    return encodeMessage({ type: 'snapshot', ...this.target });
  }

  override takeUpdates(): FramedMessages | null {
    return null;
  }
}

test('Session: what waited for a token joins nothing once the client is gone', async () => {
  const clock = new ManualClock();
  const limits = defaultStreamLimits;
  const client = new FakeClient(limits);
  const topic = new StillTopic({ channel: 'markets' }, 0);
  const channel: PublicChannel = { kind: 'public', findTopic: () => topic };
  let verify: (account: VerifiedToken | null) => void = () => {};
  const verified = new Promise<VerifiedToken | null>((resolve) => (verify = resolve));
  const session = new Session(client.connection, {
    channels: new Map([['markets', channel]]),
    hub: new Hub({ clock, limits, metrics: noStreamMetrics }),
    clock,
    limits,
    log: { warn: () => {}, error: () => {} },
    verifyToken: () => verified,
    isSessionEnded: () => false,
    listenKeys: null,
    accountConnections: new ConnectionCounts(1),
  });
  const send = (message: object) =>
    session.takeMessage(Buffer.from(JSON.stringify(message)), false);
  send({ type: 'auth', token: 'one' });
  send({ type: 'subscribe', channel: 'markets' });
  client.connection.close(closeCodes.goingAway, 'gone');
  session.end();
  verify(null);
  await new Promise((resolve) => setImmediate(resolve));
  expect(topic.hasAudience).toBe(false);
  expect(client.connection.subscriptions.size).toBe(0);
});
