import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { type Hex, toFunctionSelector } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { derivedKey } from '../../src/chain/signers/signer-settings.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import type { SignerPolicy } from '../../src/signer/policy-file.ts';
import { createSignerLog, verifySignerLog } from '../../src/signer/signer-log.ts';
import { projectRoot } from '../architecture/source-files.ts';
import { anvilSuite } from '../support/chain/anvil-suite.ts';
import { deployForReviews } from '../support/chain/deploy-for-reviews.ts';
import { startTestChain, type TestChain } from '../support/chain/test-chain.ts';
import { readNamedBlocks } from '../support/document-blocks.ts';
import {
  startTestService,
  type TestService,
  testServiceAdminKey,
} from '../support/test-service.ts';
import { ChainUser, holdingOf, type Release } from '../support/wallet/chain-user.ts';

// The whole way of a withdrawal that people look at: asked for, in review, signed for by two people
// at their own machines, signed by a signer process that checks them itself, and paid.

const oneDf = 10n ** 18n;
const polling = { interval: 50, timeout: 60_000 };

let folder: string;
let chain: TestChain;
let service: TestService;
let signerProcess: ReturnType<typeof spawn>;
let deployment: string;
let log: string;
let df: Address;

const people = ['alice', 'bob'].map((name) => ({ name, key: generatePrivateKey() }));
const addressOf = (key: Hex) => privateKeyToAccount(key).address.toLowerCase();
const approvers = people.map(({ key }) => addressOf(key));

function policy(): SignerPolicy {
  const { rewardRouter, referralRebate, spotVault } = chain.contracts;
  const keys = (['settler', 'reward', 'vault'] as const).map((role) => ({
    role,
    address: chain.signers[role].address,
    file: `${role}.key`,
  }));
  return {
    listen: `unix:${join(folder, 'signer.sock')}`,
    tokenFile: null,
    log: 'signer.log',
    chainId: chain.chainId,
    keys,
    reward: {
      domain: { name: 'ReferralRewardRouter', contract: rewardRouter },
      perAccountAndHour: 60,
    },
    vault: {
      domain: { name: 'SpotVault', contract: spotVault },
      approvers,
      tokens: [
        {
          token: df,
          one: String(100n * oneDf),
          account: String(10n * oneDf),
          all: String(1_000n * oneDf),
          approveFrom: String(10n * oneDf),
        },
      ],
    },
    transactions: {
      allowed: [
        {
          to: rewardRouter,
          selectors: [toFunctionSelector('batchSettleRewards(address[],uint256[])')],
        },
        { to: referralRebate, selectors: [toFunctionSelector('multicall(bytes[])')] },
      ],
      gasMax: '30000000',
      feePerGasMax: '100000000000',
    },
  };
}

async function startSigner(): Promise<void> {
  const path = join(folder, 'signer.json');
  const run = ['--import', 'tsx', join(projectRoot, 'src/signer/main.ts'), '--policy', path];
  signerProcess = spawn(process.execPath, run, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (signerProcess.stdout === null) throw new Error('the signer has no output');
  await once(signerProcess.stdout, 'data');
}

/** The shell block of docs/operations.md, with this test's addresses and files in it. */
async function runBlock(name: 'approve' | 'refuse', id: string): Promise<string> {
  const block = readNamedBlocks('docs/operations.md').get(name) ?? 'exit 1';
  const text = block
    .replaceAll('$ID', `${id} --url ${service.url}`)
    .replaceAll('deployments/42161.json', deployment)
    .replaceAll(/(alice|bob)\.(key|json)/g, (file) => join(folder, file));
  const { stdout } = await promisify(execFile)('bash', ['-euc', text], {
    cwd: projectRoot,
    env: { PATH: process.env['PATH'], ADMIN_API_KEY: testServiceAdminKey },
  });
  return stdout;
}

async function inReview(amount: string): Promise<{ user: ChainUser; id: string }> {
  const user = await ChainUser.register(chain, service.url);
  await user.deposit(df, 50n * oneDf);
  await expect.poll(() => user.balances(), polling).toEqual({ DF: '50 0' });
  const { status, body } = await user.call('POST', '/spot/withdraw/request', {
    token: 'DF',
    amount,
  });
  expect([status, body['status'], body['signature'], body['nonce'], body['deadline']]).toEqual([
    200,
    'review',
    null,
    null,
    null,
  ]);
  return { user, id: String(body['id']) };
}

const sign = (user: ChainUser, id: string) => user.call('POST', `/spot/withdrawals/${id}/sign`);

anvilSuite('withdrawals that two people approve', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'openbourse-approval-'));
    chain = await startTestChain();
    df = chain.contracts.df;
    for (const { name, key } of people) writeFileSync(join(folder, `${name}.key`), key);
    const { signerKey } = chain;
    const keys = {
      settler: derivedKey(signerKey, 'settler'),
      reward: signerKey,
      vault: derivedKey(signerKey, 'vault'),
    };
    for (const [role, key] of Object.entries(keys)) {
      writeFileSync(join(folder, `${role}.key`), key, { mode: 0o600 });
    }
    log = join(folder, 'signer.log');
    writeFileSync(join(folder, 'signer.json'), JSON.stringify(policy()));
    createSignerLog(log, Math.floor(Date.now() / 1_000));
    await startSigner();
    deployment = await deployForReviews(chain, folder);
    const remote = (role: 'settler' | 'reward' | 'vault') =>
      `rpc:unix:${join(folder, 'signer.sock')}#${chain.signers[role].address}`;
    service = await startTestService({
      CHAIN_RPC_URL: chain.proxy.url,
      CHAIN_DEPLOYMENT: deployment,
      CHAIN_CONFIRMATIONS: '0',
      SETTLER_SIGNER: remote('settler'),
      REWARD_SIGNER: remote('reward'),
      VAULT_SIGNER: remote('vault'),
      APPROVERS: approvers.join(','),
      WITHDRAWAL_REVIEW: 'true',
      CLAIM_POLL_INTERVAL_MS: '50',
      SPOT_WITHDRAW_TOKENS: 'DF:1,USDT:1',
    });
    // Nothing is signed before the contracts have been checked once.
    await vi.waitFor(async () => {
      const text = await (await fetch(`${service.url}/readyz`)).text();
      expect(text).toContain('"chain":{"state":"ready"');
    }, polling);
  });
  afterAll(async () => {
    await service.close();
    await chain.close();
    const isOver = once(signerProcess, 'exit');
    signerProcess.kill();
    await isOver;
    rmSync(folder, { recursive: true });
  });

  test('requested, reviewed, approved by two people at their machines, signed and paid', async () => {
    const { user, id } = await inReview('20');
    expect(await user.balances()).toEqual({ DF: '30 20' });
    expect((await sign(user, id)).status).toBe(409);

    expect(await runBlock('approve', id)).toContain('approved\n');

    const signed = await sign(user, id);
    expect(signed.status).toBe(200);
    const { entries, heads } = verifySignerLog(log);
    const { rows } = await service.query((db) =>
      sql<{ signatures: string; head: string }>`
        SELECT signatures, head FROM signer_heads
        WHERE signer = ${chain.signers.vault.address}`.execute(db),
    );
    expect(rows.map(({ signatures }) => heads[Number(signatures)])).toEqual([rows[0]?.head]);
    expect(entries.filter((entry) => entry.kind === 'release')).toMatchObject([
      { approvalId: id, value: String(20n * oneDf), account: user.address },
    ]);
    await user.release(df, signed.body as unknown as Release);
    await expect
      .poll(async () => (await user.call('GET', `/spot/withdrawals/${id}`)).body['status'], polling)
      .toBe('completed');
    expect(await holdingOf(chain, df, user.address)).toBe(20n * oneDf);
    await expect.poll(() => user.balances(), polling).toEqual({ DF: '30 0' });
  });

  test('refused by two people at their machines, with the amount returned', async () => {
    const { user, id } = await inReview('20');
    expect(await runBlock('refuse', id)).toContain('refused\n');
    await expect.poll(() => user.balances(), polling).toEqual({ DF: '50 0' });
    expect((await sign(user, id)).status).toBe(409);
  });

  test('fault 26: rows forged as approved are not signed', async () => {
    const { user, id } = await inReview('20');
    const forged = JSON.stringify([
      { expires: Math.floor(Date.now() / 1_000) + 86_400, signature: `0x${'11'.repeat(64)}1b` },
      { expires: Math.floor(Date.now() / 1_000) + 86_400, signature: `0x${'22'.repeat(64)}1c` },
    ]);
    await service.query((db) =>
      sql`UPDATE withdrawal_reviews SET approvals = ${forged}::jsonb, approved_by = 'nobody',
        approved_at = now(), approved_until = now() + interval '1 day'
        WHERE withdrawal_id = ${id}`.execute(db),
    );
    await service.query((db) =>
      sql`UPDATE withdrawals SET status = 'approved' WHERE id = ${id}`.execute(db),
    );
    const lines = readFileSync(log, 'utf8');
    const { status, body } = await sign(user, id);
    expect([status, body['error']]).toEqual([500, 'sign failed']);
    expect(readFileSync(log, 'utf8')).toBe(lines);
    expect(await user.balances()).toEqual({ DF: '30 20' });
    await expect(
      user.call('GET', `/spot/withdrawals/${id}`).then(({ body: row }) => row['status']),
    ).resolves.toBe('approved');
  });

  test('fault 17: while the signer is down nothing is signed, trading continues, and signing resumes', async () => {
    const { user, id } = await inReview('20');
    expect(await runBlock('approve', id)).toContain('approved\n');
    const isOver = once(signerProcess, 'exit');
    signerProcess.kill('SIGKILL');
    await isOver;
    const refused = await sign(user, id);
    expect([refused.status, refused.body['error']]).toEqual([500, 'signer unavailable']);
    expect(await user.balances()).toEqual({ DF: '30 20' });
    const claim = await user.call('POST', '/referral/on-chain/claim-signature', { amount: '1' });
    expect([claim.status, claim.body['error']]).toEqual([500, 'SIGNATURE_ERROR']);
    const order = { symbol: 'DFUSDT', side: 'sell', type: 'limit', price: '5', quantity: '10' };
    expect(await user.call('POST', '/spot/orders', order)).toMatchObject({ status: 200 });
    rmSync(join(folder, 'signer.sock'), { force: true });
    await startSigner();
    await expect.poll(async () => (await sign(user, id)).status, polling).toBe(200);
  });
});
