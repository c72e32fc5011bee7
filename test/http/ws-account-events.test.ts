import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AccountEvent } from '../../src/application/account-events.ts';
import { ManualExchange, testAddress } from '../support/manual-exchange.ts';
import { type StreamServer, startStreamServer } from '../support/stream-server.ts';

// The channels `wallet` and `referral`: what happened, then what happens.

let running: StreamServer;
beforeEach(async () => {
  const exchange = new ManualExchange();
  exchange.addTrader(1);
  running = await startStreamServer({ exchange });
});
afterEach(() => running.stop());

const deposit = { event: 'deposit', id: '0', tx_hash: `0x${'ab'.repeat(32)}`, token: 'USDT' };
const claim = { event: 'claim', id: 'CLM-1', amount: '13.97', status: 'processing' };

function eventOf(change: Partial<AccountEvent>): AccountEvent {
  return {
    id: 1,
    address: testAddress(1),
    channel: 'wallet',
    createdAt: 1_700_000_000_000,
    data: { ...deposit, amount: '25.5', status: 'pending' },
    ...change,
  };
}

async function signIn(number = 1) {
  const client = await running.connect();
  await client.ask({ type: 'auth', token: `token-${number}` });
  return client;
}

test.each(['wallet', 'referral'])('ws: %s is private', async (channel) => {
  const client = await running.connect();
  const reply = await client.ask({ type: 'subscribe', channel });
  expect(reply).toMatchObject({ type: 'error', code: 'UNAUTHORIZED' });
});

test('ws: wallet begins with the newest events, then sends each new one', async () => {
  running.eventFeed.newest.push(eventOf({}));
  const client = await signIn();
  await client.ask({ type: 'subscribe', channel: 'wallet' });
  const first = { event_id: 1, created_at: 1_700_000_000_000, ...deposit, amount: '25.5' };
  expect(await client.nextOf('snapshot')).toMatchObject({
    channel: 'wallet',
    seq: 1,
    data: [{ ...first, status: 'pending' }],
  });
  const credited = { ...deposit, amount: '25.5', status: 'credited' };
  running.eventFeed.notify(eventOf({ id: 2, data: credited }));
  expect(await client.nextOf('update')).toMatchObject({
    channel: 'wallet',
    seq: 2,
    data: [{ event_id: 2, ...credited }],
  });
});

test('ws: referral sends claims, commission and relations, and nothing of the wallet', async () => {
  const client = await signIn();
  await client.ask({ type: 'subscribe', channel: 'referral' });
  expect((await client.nextOf('snapshot'))['data']).toEqual([]);
  const commission = { event: 'commission', claimable: '13.97', claimed: '0', failed: '0' };
  const relation = { event: 'relation', id: '7', kind: 'bind', counterparty: null, code: 'ABCD' };
  running.eventFeed.notify(eventOf({ id: 1 }));
  for (const [index, data] of [claim, commission, relation].entries()) {
    running.eventFeed.notify(eventOf({ id: index + 2, channel: 'referral', data }));
    expect((await client.nextOf('update'))['data']).toMatchObject([data]);
  }
});

test('ws: an account gets only its own events, and no listener remains after it disconnects', async () => {
  const client = await signIn(2);
  await client.ask({ type: 'subscribe', channel: 'wallet' });
  await client.nextOf('snapshot');
  running.eventFeed.notify(eventOf({}));
  await client.ask({ type: 'unsubscribe', channel: 'wallet' });
  expect(client.unreadCount).toBe(0);
  expect(running.eventFeed.listenerCount).toBe(0);
});
