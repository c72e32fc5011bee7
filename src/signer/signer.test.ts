import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Hex, toFunctionSelector } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ReleaseApproval } from '../application/ports/chain.ts';
import { fromHexAddress } from '../chain/evm-values.ts';
import type { ChainSigner } from '../chain/signers/chain-signer.ts';
import { createRemoteSigner } from '../chain/signers/remote-signer.ts';
import type { Address } from '../domain/identifiers.ts';
import { keyOfAccount } from './keys/file-key.ts';
import { loadPolicy, type SignerPolicy } from './policy-file.ts';
import { createSignerLog, openSignerLog, type SignerLog, verifySignerLog } from './signer-log.ts';
import { startSignerServer } from './signer-server.ts';
import { SigningService } from './signing-service.ts';

const keyOf = (digit: string): Hex => `0x${digit.repeat(64)}`;
const accountOf = (digit: string) => privateKeyToAccount(keyOf(digit));
const addressOf = (digit: string) => fromHexAddress(accountOf(digit).address);
const router = `0x${'a1'.repeat(20)}` as Address;
const vault = `0x${'a2'.repeat(20)}` as Address;
const usdt = `0x${'a3'.repeat(20)}` as Address;
const alice = `0x${'b1'.repeat(20)}` as Address;
const bob = `0x${'b2'.repeat(20)}` as Address;
const start = 1_800_000_000;
const settle = toFunctionSelector('batchSettleRewards(address[],uint256[])');
const rewardDomain = { name: 'ReferralRewardRouter', chainId: 1, verifyingContract: router };
const vaultDomain = { name: 'SpotVault', chainId: 1, verifyingContract: vault };

const roles = { settler: '1', reward: '2', vault: '3' } as const;
const approvers = ['4', '5', '6'] as const;

function policyIn(folder: string): SignerPolicy {
  return {
    listen: `unix:${join(folder, 'signer.sock')}`,
    tokenFile: null,
    log: join(folder, 'signer.log'),
    chainId: 1,
    keys: Object.entries(roles).map(([role, digit]) => ({
      role: role as keyof typeof roles,
      address: addressOf(digit),
      file: role,
    })),
    reward: { domain: { name: rewardDomain.name, contract: router }, perAccountAndHour: 3 },
    vault: {
      domain: { name: vaultDomain.name, contract: vault },
      approvers: approvers.map(addressOf),
      tokens: [{ token: usdt, one: '100', account: '50', all: '200', approveFrom: '40' }],
    },
    transactions: {
      allowed: [{ to: router, selectors: [settle] }],
      gasMax: '1000000',
      feePerGasMax: '1000',
    },
  };
}

describe('signer process', () => {
  let folder: string;
  let policy: SignerPolicy;
  let log: SignerLog;
  let now: number;
  let signers: Record<keyof typeof roles, ChainSigner>;
  let stop: () => Promise<void>;

  async function open(token: string | null = null): Promise<void> {
    log = openSignerLog(policy.log);
    const keys = new Map(
      Object.entries(roles).map(([role, digit]) => [
        addressOf(digit) as string,
        { role: role as keyof typeof roles, key: keyOfAccount(accountOf(digit)) },
      ]),
    );
    const service = new SigningService({ policy, log, keys, now: () => now });
    const server = await startSignerServer(service, { listen: policy.listen, token });
    const signerFor = (digit: string) =>
      createRemoteSigner({ url: policy.listen, address: addressOf(digit), token });
    signers = {
      settler: signerFor(roles.settler),
      reward: signerFor(roles.reward),
      vault: signerFor(roles.vault),
    };
    stop = async () => {
      // The socket's file goes with the server, so the next one has to wait.
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      log.close();
    };
  }

  async function restart(): Promise<void> {
    await stop();
    await open();
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'openbourse-signer-'));
    policy = policyIn(folder);
    now = start;
    createSignerLog(policy.log, now);
    await open();
  });
  afterEach(async () => {
    await stop();
    rmSync(folder, { recursive: true });
  });

  const reward = (account: Address = alice, deadline = now + 3_600) =>
    signers.reward.signReward(rewardDomain, {
      account,
      value: 10n ** 30n,
      nonce: 0n,
      deadline: BigInt(deadline),
    });

  interface Release {
    readonly account?: Address;
    readonly token?: Address;
    readonly value: bigint;
    readonly nonce: bigint;
    readonly deadline?: number;
  }

  const release = (
    { account = alice, token = usdt, value, nonce, deadline = now + 3_600 }: Release,
    approval?: ReleaseApproval,
  ) =>
    signers.vault.signRelease(
      vaultDomain,
      { account, token, value, nonce, deadline: BigInt(deadline) },
      approval,
    );

  async function approvalOf(
    id: string,
    { account = alice, value }: Pick<Release, 'account' | 'value'>,
    people: readonly string[] = ['4', '5'],
  ): Promise<ReleaseApproval> {
    const expires = start + 86_400;
    const approvals = await Promise.all(
      people.map(async (digit) => ({
        expires,
        signature: await accountOf(digit).signTypedData({
          domain: { ...vaultDomain, version: '1', verifyingContract: vault as string as Hex },
          types: {
            ApproveRelease: [
              { name: 'id', type: 'string' },
              { name: 'account', type: 'address' },
              { name: 'token', type: 'address' },
              { name: 'value', type: 'uint256' },
              { name: 'expires', type: 'uint256' },
            ],
          },
          primaryType: 'ApproveRelease',
          message: {
            id,
            value,
            expires: BigInt(expires),
            account: account as string as Hex,
            token: usdt as string as Hex,
          },
        }),
      })),
    );
    return { id, approvals };
  }

  const transaction = (change: object = {}) =>
    signers.settler.signTransaction(1, {
      nonce: 100,
      to: router,
      data: settle,
      gasLimit: 500_000n,
      maxFeePerGas: 100n,
      maxPriorityFeePerGas: 1n,
      ...change,
    });

  test('a request that the policy allows is signed for its role, and for no other', async () => {
    await reward();
    await release({ value: 10n, nonce: 0n });
    await transaction();
    expect(log.length).toBe(3);
    signers.reward = createRemoteSigner({
      url: policy.listen,
      address: signers.vault.address,
      token: null,
    });
    await expect(reward()).rejects.toThrow('not the reward signer');
    expect(log.length).toBe(3);
  });

  test('a reward of any amount is signed, at a rate for each account, with a near deadline', async () => {
    await expect(reward(alice, now)).rejects.toThrow('deadline');
    await expect(reward(alice, now + 3_701)).rejects.toThrow('deadline');
    for (let i = 0; i < 3; i += 1) await reward(alice, now + 3_700);
    await expect(reward()).rejects.toThrow('too many for this account');
    await reward(bob);
    now += 3_600;
    await reward();
  });

  test('another domain, type or token is refused', async () => {
    const voucher = { account: alice, value: 1n, nonce: 0n, deadline: BigInt(now + 60) };
    for (const change of [{ name: 'Other' }, { chainId: 2 }, { verifyingContract: vault }]) {
      const signing = signers.reward.signReward({ ...rewardDomain, ...change }, voucher);
      await expect(signing).rejects.toThrow('domain');
    }
    await expect(release({ token: router, value: 1n, nonce: 0n })).rejects.toThrow('token');
    expect(log.length).toBe(0);
  });

  test('releases respect the caps per release, per account and in total, over any 24 hours', async () => {
    const approved = await approvalOf('w1', { value: 101n });
    await expect(release({ value: 101n, nonce: 0n }, approved)).rejects.toThrow('cap of one');
    await expect(release({ value: 40n, nonce: 0n })).rejects.toThrow('two people');
    await release({ value: 39n, nonce: 0n });
    await expect(release({ value: 12n, nonce: 1n })).rejects.toThrow('two people');
    await release({ value: 11n, nonce: 1n });
    for (const [i, id] of ['w2', 'w3'].entries()) {
      const value = i === 0 ? 100n : 50n;
      const nonce = BigInt(i);
      await release({ account: bob, value, nonce }, await approvalOf(id, { account: bob, value }));
    }
    await expect(release({ account: router, value: 1n, nonce: 0n })).rejects.toThrow(
      'all accounts',
    );
    await restart();
    await expect(release({ account: router, value: 1n, nonce: 0n })).rejects.toThrow(
      'all accounts',
    );
    now += 86_400;
    await release({ account: router, value: 1n, nonce: 0n });
  });

  test('one nonce has one live release, which may be signed again', async () => {
    const deadline = now + 600;
    await release({ value: 30n, nonce: 7n, deadline });
    await release({ value: 30n, nonce: 7n, deadline: deadline + 60 });
    await expect(release({ value: 31n, nonce: 7n })).rejects.toThrow('still valid');
    now = deadline + 60 + 300;
    await expect(release({ value: 31n, nonce: 7n })).rejects.toThrow('still valid');
    now += 1;
    await release({ value: 31n, nonce: 7n });
  });

  test('fault 25: two different approvers, neither of them the payee, have to sign exactly the release', async () => {
    const value = 60n;
    const nonce = 0n;
    const wrong: (readonly [ReleaseApproval, string])[] = [
      [await approvalOf('w', { value }, ['4']), 'two approvers'],
      [await approvalOf('w', { value }, ['4', '4']), 'two approvers'],
      [await approvalOf('w', { value }, ['4', '7']), 'two approvers'],
      [await approvalOf('w', { value: 61n }), 'two approvers'],
      [{ ...(await approvalOf('w', { value })), id: 'other' }, 'two approvers'],
      [{ id: 'w', approvals: [{ expires: start, signature: '0x12' }] }, 'expired'],
    ];
    for (const [approval, words] of wrong) {
      await expect(release({ value, nonce }, approval)).rejects.toThrow(words);
    }
    const paid = addressOf('4');
    const own = await approvalOf('w', { account: paid, value });
    await expect(release({ account: paid, value, nonce }, own)).rejects.toThrow('two approvers');
    const good = await approvalOf('w', { value }, ['4', '5', '6']);
    await release({ value, nonce }, good);
  });

  test('a small release for a spent nonce does not hide what was signed for it before', async () => {
    await release({ value: 39n, nonce: 0n, deadline: now + 600 });
    now += 600 + 301;
    await release({ value: 1n, nonce: 0n });
    await expect(release({ value: 12n, nonce: 1n })).rejects.toThrow('two people');
    await release({ value: 11n, nonce: 1n });
    await restart();
    await expect(release({ value: 1n, nonce: 2n })).rejects.toThrow('two people');
  });

  test('a release that was approved counts like any other', async () => {
    for (const [i, value] of [100n, 60n].entries()) {
      const nonce = BigInt(i);
      await release(
        { account: bob, value, nonce },
        await approvalOf(`w${i}`, { account: bob, value }),
      );
    }
    const value = 41n;
    const last = release({ value, nonce: 0n }, await approvalOf('w', { value }));
    await expect(last).rejects.toThrow('all accounts');
  });

  test('fault 26: valid approvals are good for one nonce, ever', async () => {
    const value = 60n;
    const approved = await approvalOf('w', { value });
    await release({ value, nonce: 0n, deadline: now + 600 }, approved);
    await expect(release({ value, nonce: 1n }, approved)).rejects.toThrow('another release');
    await restart();
    now += 3_000;
    await expect(release({ value, nonce: 1n }, approved)).rejects.toThrow('another release');
    await release({ value, nonce: 0n }, approved);
    const earlier = release({ value, nonce: 0n, deadline: now + 60 }, approved);
    await expect(earlier).rejects.toThrow('another release');
  });

  test('transactions are limited to listed calls, without value, within caps and near the highest nonce', async () => {
    await expect(transaction({ to: vault })).rejects.toThrow('not in the policy');
    await expect(transaction({ data: '0x12345678' })).rejects.toThrow('not in the policy');
    await expect(transaction({ data: '0x12' })).rejects.toThrow('not in the policy');
    await expect(transaction({ gasLimit: 1_000_001n })).rejects.toThrow('gas cap');
    await expect(transaction({ maxFeePerGas: 1_001n })).rejects.toThrow('fee cap');
    await transaction();
    await expect(transaction({ nonce: 117 })).rejects.toThrow('far from the highest');
    await expect(transaction({ nonce: 83 })).rejects.toThrow('far from the highest');
    await transaction({ nonce: 116 });
    await transaction({ to: signers.settler.address, data: '0x', nonce: 101 });
    // Fees are raised and gaps filled below the highest nonce, up to 16 of it.
    await transaction({ nonce: 100, maxFeePerGas: 1_000n });
    await expect(transaction({ nonce: 99 })).rejects.toThrow('far from the highest');
    await expect(
      signers.settler.signTransaction(2, {
        nonce: 100,
        to: router,
        data: settle,
        gasLimit: 1n,
        maxFeePerGas: 1n,
        maxPriorityFeePerGas: 1n,
      }),
    ).rejects.toThrow('another chain');
  });

  test('every signature is a line of the log, chained to the previous one', async () => {
    await reward();
    await release({ value: 10n, nonce: 0n });
    expect(verifySignerLog(policy.log)).toMatchObject({ head: log.head });
    const text = readFileSync(policy.log, 'utf8');
    for (const broken of [
      text.replace('"value":"10"', '"value":"11"'),
      text.split('\n').slice(1).join('\n'),
      text.slice(0, -1),
      `${text}{}\n`,
    ]) {
      writeFileSync(policy.log, broken);
      expect(() => verifySignerLog(policy.log)).toThrow(policy.log);
      expect(() => openSignerLog(policy.log)).toThrow(policy.log);
    }
    writeFileSync(policy.log, text);
  });

  test('without a log nothing is signed', async () => {
    log.close();
    await expect(reward()).rejects.toThrow('the log cannot be continued');
    log = openSignerLog(policy.log);
    expect(log.length).toBe(0);
  });

  test('requests without the token are not answered', async () => {
    await stop();
    const token = 't'.repeat(32);
    await open(token);
    await reward();
    const stranger = createRemoteSigner({
      url: policy.listen,
      address: signers.reward.address,
      token: 'x'.repeat(32),
    });
    const voucher = { account: alice, value: 1n, nonce: 0n, deadline: BigInt(now + 60) };
    await expect(stranger.signReward(rewardDomain, voucher)).rejects.toThrow('status 401');
  });

  test('a policy with an unknown or missing field is refused with its name', () => {
    const path = join(folder, 'signer.json');
    writeFileSync(path, JSON.stringify(policy));
    expect(loadPolicy(path)).toEqual(policy);
    writeFileSync(path, JSON.stringify({ ...policy, more: 1 }));
    expect(() => loadPolicy(path)).toThrow(path);
    writeFileSync(path, JSON.stringify({ ...policy, listen: '127.0.0.1:9000' }));
    expect(() => loadPolicy(path)).toThrow('/tokenFile is required');
    writeFileSync(path, JSON.stringify({ ...policy, keys: [...policy.keys, policy.keys[0]] }));
    expect(() => loadPolicy(path)).toThrow('one key has two roles');
    writeFileSync(path, JSON.stringify({ ...policy, chainId: 0 }));
    expect(() => loadPolicy(path)).toThrow('/chainId');
    appendFileSync(path, 'x');
    expect(() => loadPolicy(path)).toThrow();
  });
});
