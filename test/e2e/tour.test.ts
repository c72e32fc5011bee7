import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../architecture/source-files.ts';
import { openTestDatabase } from '../support/database.ts';
import { type DocumentBlock, readBlocks } from '../support/document-blocks.ts';
import { ServiceProcess } from '../support/service-process.ts';

// The shell blocks of README.md and docs/tour.md, run as they are there against the service, and
// their output compared with what is shown below them.

let folder: string;
let service: ServiceProcess;
let database: Awaited<ReturnType<typeof openTestDatabase>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openbourse-tour-'));
  database = await openTestDatabase();
  const settings = {
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    PORT: '0',
    TESTNET_ONLY: 'true',
    SETTLE_INTERVAL_MS: '2000',
    CLAIM_POLL_INTERVAL_MS: '1000',
    LEADERBOARD_REFRESH_MS: '2000',
  };
  service = await ServiceProcess.start(settings, ['--demo']);
});
afterAll(async () => {
  await service?.stop();
  await database?.close();
  await rm(folder, { recursive: true });
});

/** Runs the blocks in one shell; what each printed. Lines that start a server are left out. */
async function runAll(blocks: readonly DocumentBlock[]): Promise<readonly string[]> {
  const divider = '--- the next block ---';
  const script = blocks
    .map(({ text }) => text.replace(/^.*npm start.*$/gm, ''))
    .map((text) =>
      text.replace(
        'npm run --silent sign-in)',
        `npm run --silent sign-in -- --url ${service.url})`,
      ),
    )
    .map((text) => text.replaceAll('http://127.0.0.1:8080', service.url))
    .join(`\necho '${divider}'\n`);
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd: projectRoot });
  return stdout.split(`${divider}\n`);
}

async function hasShell(): Promise<boolean> {
  const found = promisify(execFile)('bash', ['-c', 'command -v curl']);
  return found.then(
    () => true,
    () => false,
  );
}

/** The names of all fields, and of the fields of the first item of each list. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : [shapeOf(value[0])];
  if (typeof value !== 'object' || value === null) return '';
  const fields = Object.entries(value).filter(([name]) => name !== 'last_success_age_s');
  return Object.fromEntries(fields.map(([name, field]) => [name, shapeOf(field)]));
}

test('README.md: the first trade works as written', async (context) => {
  if (!(await hasShell())) context.skip('there is no bash or no curl on this machine');
  const blocks = readBlocks('README.md').filter(({ name }) => name === 'first-trade');
  expect(blocks).toHaveLength(1);
  const [printed = ''] = await runAll(blocks);
  const [faucet, bought, sold, balances, depth] = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(faucet).toEqual({ ok: true });
  expect(bought).toMatchObject({ status: 'filled', quote_quantity: '1000' });
  expect(sold).toMatchObject({ status: 'new', price: '99000' });
  expect(balances?.['items']).toHaveLength(2);
  expect(depth).toMatchObject({ symbol: 'BTCUSDT' });
});

test('docs/tour.md: every command works as written, and has the answer shown below it', async (context) => {
  if (!(await hasShell())) context.skip('there is no bash or no curl on this machine');
  const blocks = readBlocks('docs/tour.md').filter(({ name }) => name !== 'start');
  const commands = blocks.filter(({ language }) => language === 'sh');
  const printed = await runAll(commands);
  expect(printed).toHaveLength(commands.length);
  let compared = 0;
  for (const [index, command] of commands.entries()) {
    const answer = blocks[blocks.indexOf(command) + 1];
    const text = printed[index]?.trim() ?? '';
    if (answer?.language === 'json') {
      expect(shapeOf(JSON.parse(text)), command.text).toEqual(shapeOf(JSON.parse(answer.text)));
      compared += 1;
    }
    if (answer?.language === 'text') {
      const steps = answer.text.trim().split('\n');
      expect(text.split('\n')).toHaveLength(steps.length);
      expect(text).toContain('nothing is left');
      compared += 1;
    }
  }
  expect(compared).toBe(commands.length);
});

test('docs/clients.md: the shell lines create a key and fund it', async (context) => {
  if (!(await hasShell())) context.skip('there is no bash or no curl on this machine');
  const [, lines] = readBlocks('docs/clients.md').filter(({ language }) => language === 'sh');
  expect(lines?.text).toContain('account/api-keys');
  const [printed = ''] = await runAll(lines === undefined ? [] : [lines]);
  const [key, faucet, transfer] = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(key).toMatchObject({ success: true, data: { label: 'bot' } });
  expect(faucet).toEqual({ ok: true });
  expect(transfer).toMatchObject({ direction: 'spot_to_perp', amount: '10000' });
});
