import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  startTestService,
  type TestService,
  testServiceAdminKey,
} from '../support/test-service.ts';

// The whole service: a credit, the jobs that refresh the leaderboards, and what an operator sees.

const weekMs = 7 * 86_400_000;
const firstMonday = 345_600_000;
const soon = { interval: 50 };
const account = `0x${'ab'.repeat(20)}`;
const thisMonday = Date.now() - ((Date.now() - firstMonday) % weekMs);

let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    LEADERBOARD_REFRESH_MS: '1000',
    POINTS_EPOCH_START: String((thisMonday - weekMs) / 1000),
  });
});
afterAll(() => service.close());

async function get(path: string): Promise<Record<string, unknown>> {
  const reply = await fetch(`${service.url}${path}`);
  return (await reply.json()) as Record<string, unknown>;
}

test('points: credits are in both leaderboards after the next refresh', async () => {
  const credited = await vi.waitFor(async () => {
    const reply = await fetch(`${service.url}/api/v1/admin/points/credits`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': testServiceAdminKey },
      body: JSON.stringify({
        reference: 'first',
        user_address: account,
        type: 'staking',
        points: '12.5',
      }),
    });
    expect(reply.status).toBe(200);
    return reply.json();
  }, soon);
  expect(credited).toEqual({ ok: true });
  const entry = { rank: 1, user_address: account, tier: 'T1' };
  await vi.waitFor(async () => {
    // The start is a week before this one, so this is the second epoch.
    expect(await get('/api/v1/points/leaderboard?epoch=2&type_=staking')).toMatchObject({
      data: { entries: [{ ...entry, points: '12.5', username: null }], total: 1 },
    });
    expect(await get('/api/v1/points/leaderboard/daily')).toMatchObject({
      data: { epoch_number: 2, entries: [{ ...entry, points_today: '12.5' }], total: 1 },
    });
  }, soon);
});

function isAgeOrNull(age: unknown): boolean {
  return age === null || typeof age === 'number';
}

test('/readyz and /metrics: the age of the last success of each job', async () => {
  await vi.waitFor(async () => {
    const { jobs } = await get('/readyz');
    expect(jobs).toEqual({
      state: 'ready',
      since: expect.any(String) as string,
      last_success_age_s: {
        'advance-futures': expect.any(Number) as number,
        'update-vip-tiers': expect.any(Number) as number,
        'settle-wallet': expect.any(Number) as number,
        'refresh-epoch-leaderboards': expect.any(Number) as number,
        'refresh-daily-leaderboard': expect.any(Number) as number,
        'advance-seasons': expect.any(Number) as number,
        'make-downloads': expect.any(Number) as number,
        'prune-records': expect.any(Number) as number,
        // These need a chain, which is not everywhere.
        'poll-chain-events': expect.toSatisfy(isAgeOrNull) as number,
        'check-solvency': expect.toSatisfy(isAgeOrNull) as number,
        'settle-rewards': expect.toSatisfy(isAgeOrNull) as number,
      },
    });
  }, soon);
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  expect(metrics).toMatch(/job_last_success_age_seconds\{job="refresh-daily-leaderboard"\} \d/);
  expect(metrics).toMatch(/job_runs_total\{job="advance-seasons"\} [1-9]/);
});
