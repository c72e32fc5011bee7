import { afterEach, beforeEach, expect, test } from 'vitest';
import { toAmount } from '../../src/domain/amount.ts';
import { ManualExchange, testAddress } from '../support/manual-exchange.ts';
import { type StreamServer, startStreamServer } from '../support/stream-server.ts';

let running: StreamServer;
let exchange: ManualExchange;

beforeEach(async () => {
  exchange = new ManualExchange();
  running = await startStreamServer({ exchange });
});

afterEach(async () => {
  await running.stop();
});

test("ws: vip_tier begins with the account's tier, then sends each change once", async () => {
  exchange.addTrader(1);
  const client = await running.connect();
  await client.ask({ type: 'auth', token: 'token-1' });
  const { vipFeed } = running;
  vipFeed.record = {
    standing: { tier: 2, pending: { tier: 1, at: 1_700_006_400_000 as never }, override: null },
    volume14Days: toAmount(4_500_000n * 10n ** 8n),
    volume30Days: toAmount(0n),
    lastChangeId: 7,
  };
  await client.ask({ type: 'subscribe', channel: 'vip_tier' });
  expect((await client.nextOf('snapshot'))['data']).toEqual({
    tier: 2,
    volume_14d: '4500000',
    pending_downgrade: { tier: 1, effective_at: 1_700_006_400_000 },
  });
  const change = { address: testAddress(1), fromTier: 2, toTier: 1, volume14Days: '4500000' };
  const at = { effectiveAt: 1_700_006_400_000 as never };
  vipFeed.notify({ id: 7, kind: 'downgrade_scheduled', ...change, ...at });
  vipFeed.notify({ id: 8, kind: 'downgrade_applied', ...change, ...at });
  const update = await client.nextOf('update');
  expect(update).toMatchObject({
    channel: 'vip_tier',
    seq: 2,
    data: {
      event: 'vip_tier_changed',
      kind: 'downgrade_applied',
      from_tier: 2,
      to_tier: 1,
      volume_14d: '4500000',
      effective_at: 1_700_006_400_000,
    },
  });
});

test.each(['upgrade_immediate', 'downgrade_scheduled', 'downgrade_applied'] as const)(
  'ws: vip_tier sends vip_tier_changed of kind %s',
  async (kind) => {
    exchange.addTrader(1);
    const client = await running.connect();
    await client.ask({ type: 'auth', token: 'token-1' });
    await client.ask({ type: 'subscribe', channel: 'vip_tier' });
    await client.nextOf('snapshot');
    const change = { address: testAddress(1), fromTier: 1, toTier: 2, volume14Days: '5000000' };
    running.vipFeed.notify({ id: 1, kind, ...change, effectiveAt: 1_700_006_400_000 as never });
    expect(await client.next()).toEqual({
      type: 'update',
      channel: 'vip_tier',
      seq: 2,
      ts: running.clock.now(),
      data: {
        event: 'vip_tier_changed',
        kind,
        from_tier: 1,
        to_tier: 2,
        volume_14d: '5000000',
        effective_at: 1_700_006_400_000,
      },
    });
  },
);
