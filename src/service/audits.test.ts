import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { FuturesFixture } from '../../test/support/futures-fixture.ts';
import { overdraw } from '../../test/support/post-bad-debt.ts';
import type { Sequence } from '../domain/identifiers.ts';
import type { Command } from '../engine/commands.ts';
import { auditState } from './audit-thread.ts';
import { followAudits } from './audits.ts';

const sequence = 7 as Sequence;

function scene() {
  const metrics = new Registry();
  const submitted: Command[] = [];
  const lines: string[] = [];
  const follow = followAudits({
    metrics,
    exchange: {
      submit: async (command: Command) => {
        submitted.push(command);
        return { rejection: null } as never;
      },
    },
    log: { error: (_fields: unknown, text: string) => void lines.push(text) } as never,
  });
  const broken = async () => (await metrics.getSingleMetric('engine_broken_rules')?.get())?.values;
  return { follow, submitted, lines, broken };
}

test('audit: a sound snapshot only updates the metric', async () => {
  const { follow, submitted, lines, broken } = scene();
  const futures = new FuturesFixture();
  futures.fund(1, 1_000);
  const found = await auditState(futures.engine.encodeState());
  await follow({ sequence, broken: found });
  expect([found, submitted, lines]).toEqual([[], [], []]);
  expect(await broken()).toEqual([expect.objectContaining({ value: 0 })]);
});

test('audit: a snapshot with a planted fault holds withdrawals back, is reported and counted', async () => {
  const { follow, submitted, lines, broken } = scene();
  const futures = new FuturesFixture();
  overdraw(futures.engine, futures.fund(1, 1_000), 2_000n * 10n ** 8n);
  const found = await auditState(futures.engine.encodeState());
  expect(found.length).toBeGreaterThan(0);
  await follow({ sequence, broken: found });
  expect(submitted).toEqual([
    { type: 'holdWithdrawals', isHeld: true, reason: `audit of command 7: ${found[0]}` },
  ]);
  expect(lines).toEqual(['the audit of a snapshot found broken rules']);
  expect(await broken()).toEqual([expect.objectContaining({ value: found.length })]);
});

test('audit: a state that cannot be read is a broken rule too', async () => {
  const futures = new FuturesFixture();
  const bytes = futures.engine.encodeState();
  expect(await auditState(bytes.slice(0, bytes.length - 1))).toEqual([
    expect.stringContaining('state-readable: '),
  ]);
});
