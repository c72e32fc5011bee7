import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { type Hex, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../architecture/source-files.ts';
import { anvilSuite } from '../support/chain/anvil-suite.ts';
import { startTestChain, type TestChain } from '../support/chain/test-chain.ts';
import { readNamedBlocks } from '../support/document-blocks.ts';
import { findFreePort } from '../support/free-port.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { ChainUser } from '../support/wallet/chain-user.ts';

// The programs of docs/api.md and docs/streams.md, run as they are there: the first signs in, the
// others continue from it.

const api = readNamedBlocks('docs/api.md');
const streams = readNamedBlocks('docs/streams.md');

let folder: string;
let chain: TestChain;
let service: TestService;
let userKey: Hex;
let user: ChainUser;

function blockOf(blocks: ReadonlyMap<string, string>, name: string): string {
  const block = blocks.get(name);
  if (block === undefined) throw new Error(`no block ${name}`);
  return block.replaceAll('127.0.0.1:8080', new URL(service.url).host);
}

/** A module of these blocks below the project, where it finds the packages that it imports. */
async function write(name: string, blocks: readonly string[]): Promise<string> {
  const file = join(folder, `${name}.mts`);
  await writeFile(file, blocks.join('\n'));
  return file;
}

const environment = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  PRIVATE_KEY: userKey,
  RPC_URL: chain.rpcUrl,
});

/** The lines that the first program prints together with another one that continues from it. */
async function run(name: string): Promise<readonly string[]> {
  const blocks = name === 'sign-in' ? [name] : ['sign-in', name];
  const file = await write(
    name,
    blocks.map((each) => blockOf(api, each)),
  );
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', file], {
    cwd: projectRoot,
    env: environment(),
  });
  return stdout.trim().split('\n');
}

anvilSuite('documented programs', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(projectRoot, 'node_modules/.documented-'));
    chain = await startTestChain();
    service = await startTestService({
      CHAIN_RPC_URL: chain.rpcUrl,
      CHAIN_ID: String(chain.chainId),
      CHAIN_CONFIRMATIONS: '0',
      SIGNER_PRIVATE_KEY: chain.signerKey.slice(2),
      REWARD_ROUTER_ADDRESS: chain.contracts.rewardRouter,
      REFERRAL_REBATE_ADDRESS: chain.contracts.referralRebate,
      SPOT_VAULT_ADDRESS: chain.contracts.spotVault,
      CLAIM_POLL_INTERVAL_MS: '50',
      SETTLE_INTERVAL_MS: '200',
      MIN_CLAIM_USDT: '0.1',
      SPOT_WITHDRAW_TOKENS: 'DF:1,USDT:1',
    });
    userKey = generatePrivateKey();
    const account = privateKeyToAccount(userKey);
    await chain.client.setBalance({ address: account.address, value: parseEther('10') });
    user = await ChainUser.of(chain, service.url, account);
    await user.call('POST', '/faucet', { token: 'USDT', amount: '10000' });
  });
  afterAll(async () => {
    await service?.close();
    await chain?.close();
    await rm(folder, { recursive: true });
  });

  test('docs/api.md: signing in makes an API key', async () => {
    expect(await run('sign-in')).toEqual([expect.stringMatching(/^[A-Za-z0-9]{64}$/)]);
  });

  test('docs/api.md: the key signs an order', async () => {
    const [, ...printed] = await run('order');
    expect(printed.join('\n')).toMatch(/price: '64000.5'[^]*status: 'new'/);
  });

  test('docs/api.md: the curl lines answer', async (context) => {
    const line = blockOf(api, 'leaderboard');
    const asked = await promisify(execFile)('bash', ['-euc', `command -v curl; ${line}`]).catch(
      () => null,
    );
    if (asked === null) return context.skip('there is no bash or no curl on this machine');
    expect(asked.stdout).toContain('"rank_type":"trading"');
  });

  test('docs/api.md: commission is claimed and redeemed', async () => {
    const { body: code } = await user.call('POST', '/referral/codes', {});
    const [maker, taker] = [
      await ChainUser.register(chain, service.url),
      await ChainUser.register(chain, service.url),
    ];
    await taker.call('POST', '/referral/bind', { code: code['code'] });
    await maker.call('POST', '/faucet', { token: 'BTC', amount: '1' });
    await taker.call('POST', '/faucet', { token: 'USDT', amount: '100000' });
    const order = { symbol: 'BTCUSDT', type: 'limit', price: '64100', quantity: '1' };
    await maker.call('POST', '/spot/orders', { ...order, side: 'sell' });
    await taker.call('POST', '/spot/orders', { ...order, side: 'buy' });
    await expect
      .poll(async () => (await user.call('GET', '/referral/claims/preview')).body['claimable'])
      .toBe('6.41');
    const [, printed = ''] = await run('claim');
    const [claimNo = ''] = printed.split(' ');
    await expect
      .poll(async () => {
        const { body } = await user.call('GET', '/referral/claims');
        const items = body['items'] as { claim_no: string; status: string }[];
        return items.map(({ claim_no: number, status }) => `${number} ${status}`);
      })
      .toEqual([`${claimNo} success`]);
  });

  test('docs/api.md: a withdrawal is released to the wallet', async () => {
    await user.deposit(chain.contracts.df, 20n * 10n ** 18n);
    await expect.poll(async () => (await user.balances())['DF']).toBe('20 0');
    const [, printed = ''] = await run('withdraw');
    const [id = ''] = printed.split(' ');
    await expect
      .poll(async () => (await user.call('GET', `/spot/withdrawals/${id}`)).body['status'])
      .toBe('completed');
  });

  test("docs/console.md: Vite serves the page from its source, beside the service's API", async () => {
    const script = readNamedBlocks('docs/console.md').get('console') ?? '';
    const [command = ''] = /npx vite \w+/.exec(script) ?? [];
    const port = await findFreePort();
    const vite = spawn('bash', ['-c', `exec ${command} --port ${port} --strictPort`], {
      cwd: projectRoot,
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, SERVICE_URL: service.url },
    });
    const read = async (path: string): Promise<string | null> => {
      const reply = await fetch(`http://localhost:${port}${path}`).catch(() => null);
      return reply?.ok === true ? reply.text() : null;
    };
    await expect.poll(() => read('/src/main.tsx')).toContain('import');
    await expect.poll(() => read('/readyz')).toContain('"status":"ready"');
    process.kill(-(vite.pid ?? 0));
    await once(vite, 'close');
  });

  test('docs/streams.md: the program keeps the order book', async () => {
    const file = await write('order-book', [blockOf(streams, 'order-book')]);
    const program = spawn(process.execPath, ['--import', 'tsx', file], {
      cwd: projectRoot,
      env: environment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: program.stdout });
    const seen: string[] = [];
    lines.on('line', (line) => seen.push(line));
    await expect.poll(() => seen.length).toBe(1);
    const [, bids, asks] = (seen[0] ?? '').split(' ').map(Number);
    const order = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '100', quantity: '1' };
    await user.call('POST', '/spot/orders', order);
    await expect
      .poll(() => seen.at(-1)?.split(' ').slice(1).map(Number))
      .toEqual([(bids ?? 0) + 1, asks]);
    program.kill();
    await once(program, 'close');
  });
});
