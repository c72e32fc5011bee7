import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';
import { createJobs, type JobsOptions } from './jobs.ts';

// How often the jobs of the interface run, with and without settings.

const nothing: unknown = new Proxy({}, { get: () => nothing });

function intervalsOf(variables: Record<string, string>): Readonly<Record<string, number>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'openbourse-jobs-'));
  const config = buildConfig(readEnvironment({ DATA_DIR: dataDir, ...variables }));
  const parts = { config, exchange: nothing, services: nothing, chain: nothing, wallet: nothing };
  const jobs = createJobs(parts as unknown as JobsOptions);
  return Object.fromEntries(jobs.map(({ name, intervalMs }) => [name, intervalMs]));
}

test('intervals: settlement every 5 minutes, chain events every 30 s, leaderboards every 5 minutes', () => {
  expect(intervalsOf({})).toMatchObject({
    'settle-rewards': 300_000,
    'poll-chain-events': 30_000,
    'refresh-daily-leaderboard': 300_000,
    'refresh-epoch-leaderboards': 300_000,
  });
});

test('intervals: SETTLE_INTERVAL_MS, CLAIM_POLL_INTERVAL_MS and LEADERBOARD_REFRESH_MS set them', () => {
  const settings = {
    SETTLE_INTERVAL_MS: '1000',
    CLAIM_POLL_INTERVAL_MS: '2000',
    LEADERBOARD_REFRESH_MS: '3000',
  };
  expect(intervalsOf(settings)).toMatchObject({
    'settle-rewards': 1_000,
    'poll-chain-events': 2_000,
    'refresh-daily-leaderboard': 3_000,
    'refresh-epoch-leaderboards': 3_000,
  });
});
