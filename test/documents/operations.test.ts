import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildConfig, type Config } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/env.ts';
import { projectRoot } from '../architecture/source-files.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { listLogLines } from './log-lines.ts';

// The guide of operations against the code: settings with their defaults, metrics, lines of the
// log, each both ways.

function read(document: string): string {
  return readFileSync(join(projectRoot, document), 'utf8');
}

function allDocuments(): string {
  const documents = readdirSync(join(projectRoot, 'docs')).filter((name) => name.endsWith('.md'));
  return documents.map((name) => read(`docs/${name}`)).join('\n');
}

/** The part of a document below a heading, up to the next of the same rank. */
function section(document: string, heading: string): string {
  const text = read(document);
  const start = text.indexOf(`\n## ${heading}\n`);
  expect(start, `${document} has a heading ${heading}`).toBeGreaterThan(0);
  const end = text.indexOf('\n## ', start + 4);
  return text.slice(start, end < 0 ? undefined : end);
}

/** The rows of all tables of a text, each as its cells. */
function rowsOf(text: string): readonly (readonly string[])[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('|---'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
}

function codesOf(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

describe('docs/operations.md: settings', () => {
  const rows = rowsOf(section('docs/operations.md', 'Settings')).slice(1);

  test('the table lists every setting, and no other', () => {
    const documented = rows.flatMap(([name = '']) => codesOf(name));
    expect([...documented].sort()).toEqual(Object.keys(readEnvironment({})).sort());
  });

  test('defaults equal those of the code', () => {
    const dataDir = join(projectRoot, 'node_modules/.no-data');
    const secrets = { JWT_SECRET: 'j'.repeat(32), SECRETS_KEY: '11'.repeat(32) };
    const given = { ...secrets, SIGNER_PRIVATE_KEY: '22'.repeat(32), DATA_DIR: dataDir };
    const config = buildConfig(readEnvironment(given));
    const documented = new Map(
      rows.flatMap(([names = '', , , fallback = '']) =>
        codesOf(names).map((name) => [name, codesOf(fallback)[0] ?? fallback] as const),
      ),
    );
    for (const [name, actual] of Object.entries(defaultsOf(config))) {
      expect(`${name} ${documented.get(name)}`).toBe(`${name} ${actual}`);
    }
  });

  test('settings required in production are marked so', () => {
    const marked = rows
      .filter(([, mark = '']) => mark === 'yes')
      .flatMap(([name = '']) => codesOf(name));
    let problems = '';
    try {
      buildConfig(readEnvironment({ NODE_ENV: 'production' }));
    } catch (error) {
      problems = String(error);
    }
    const required = [...problems.matchAll(/(\w+) is required in production/g)];
    expect([...marked].sort()).toEqual(required.map(([, name = '']) => name).sort());
  });
});

/** Settings whose default is a value; the others are described in words. */
function defaultsOf(config: Config): Readonly<Record<string, string>> {
  const { program } = config;
  const values = {
    HOST: config.host,
    PORT: config.port,
    LOG_LEVEL: config.logLevel,
    SPOT_TRADING_ENABLED: config.isSpotTradingEnabled,
    CHAIN_ID: config.chain.chainId,
    EIP712_REFERRAL_DOMAIN_NAME: config.chain.referralDomainName,
    EIP712_VAULT_DOMAIN_NAME: config.chain.vaultDomainName,
    SETTLE_INTERVAL_MS: program.settleIntervalMs,
    CLAIM_POLL_INTERVAL_MS: program.claimPollIntervalMs,
    LEADERBOARD_REFRESH_MS: program.leaderboardRefreshMs,
    MIN_CLAIM_USDT: program.minClaimUsdt,
    SPOT_WITHDRAW_TOKENS: [...program.withdrawMinimums].map((each) => each.join(':')).join(),
    INDEX_PRICE_SOURCE: config.indexPriceSource,
    FAPI_LISTEN_KEY_UNSIGNED: config.isListenKeyUnsigned,
    SNAPSHOT_EVERY: config.snapshotEvery,
    STOP_TIMEOUT_MS: config.stopTimeoutMs,
    ENGINE_QUEUE_MAX: config.engineQueueMax,
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}

describe('docs/alarms.md: metrics', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());

  test('the table lists every metric of a running service, and no other', async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    const served = [...text.matchAll(/^# HELP (\S+)/gm)].map(([, name = '']) => name);
    const own = served.filter((name) => !/^(process|nodejs)_/.test(name));
    const rows = rowsOf(section('docs/alarms.md', 'Metrics')).slice(1);
    const documented = rows.flatMap(([name = '']) => codesOf(name));
    expect([...documented].sort()).toEqual(own.sort());
    const tables = readdirSync(join(projectRoot, 'src/database/migrations')).map((name) =>
      read(`src/database/migrations/${name}`),
    );
    const named = [
      ...allDocuments().matchAll(/`((?:chain|projector|journal|engine|ws|job|http)_\w+)/g),
    ]
      .map(([, name = '']) => name)
      .filter((name) => !tables.some((text) => text.includes(name)));
    expect([...new Set(named)].filter((name) => !own.some((each) => each === name))).toEqual([]);
  });
});

describe('docs/alarms.md: lines of the log', () => {
  const everything = allDocuments();
  const lines = listLogLines();

  test('every line that may need an operator is explained', () => {
    expect(lines.length).toBeGreaterThan(50);
    const missing = lines
      .filter(({ message }) => !message.startsWith('? '))
      .filter(({ message }) => !everything.includes(`\`${message}\``))
      .map(({ message, path }) => `${message} (${path})`);
    expect(missing).toEqual([]);
  });

  test('every explained line is one that the code writes', () => {
    const written = new Set(lines.map(({ message }) => message));
    const rows = rowsOf(section('docs/alarms.md', 'Lines of the log'));
    const explained = rows
      .filter(([line = '']) => line !== 'line')
      .flatMap(([line = '']) => codesOf(line));
    expect(explained.filter((line) => !written.has(line))).toEqual([]);
  });
});
