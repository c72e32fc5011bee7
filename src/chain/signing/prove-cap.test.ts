import type { Hex } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anvilSuite } from '../../../test/support/chain/anvil-suite.ts';
import { restoreChain } from '../../../test/support/chain/restore-chain.ts';
import { startTestChain, type TestChain } from '../../../test/support/chain/test-chain.ts';
import { toMicroUsdt } from '../../domain/micro-usdt.ts';
import { rewardRouterAbi } from '../abi/reward-router-abi.ts';
import { minedReceipt } from '../development/mined-receipt.ts';
import { toHexAddress } from '../evm-values.ts';
import { ChainUnavailableError } from '../node/json-rpc.ts';
import { settlementCall } from '../settlement/settlement-call.ts';
import type { ChainSigner } from '../signers/chain-signer.ts';
import { createLocalSigner } from '../signers/local-signer.ts';
import { CapProof } from './prove-cap.ts';

const findCapFault: CapProof['findFault'] = (...asked) => new CapProof().findFault(...asked);

anvilSuite('proveCap', () => {
  let chain: TestChain;

  beforeAll(async () => {
    chain = await startTestChain();
  });
  restoreChain(() => chain);
  afterAll(() => chain.close());

  function rewardDomain() {
    return {
      name: 'ReferralRewardRouter',
      chainId: chain.chainId,
      verifyingContract: chain.contracts.rewardRouter,
    };
  }

  async function asOwner(
    functionName: 'pause' | 'setOperator',
    args: readonly [] | readonly [Hex] = [],
  ) {
    const [owner] = await chain.client.getAddresses();
    const hash = await chain.client.writeContract({
      account: owner ?? '0x',
      chain: null,
      address: toHexAddress(chain.contracts.rewardRouter),
      abi: rewardRouterAbi,
      functionName,
      args,
    });
    await minedReceipt(chain.client, hash);
  }

  test('proveCap: the contract refuses a fresh signature above what is settled', async () => {
    expect(await findCapFault(chain.node, chain.signers.reward, rewardDomain())).toBeNull();
  });

  test('proveCap: it also holds for an account that has something settled', async () => {
    const operator = toHexAddress(chain.signer.address);
    await chain.client.impersonateAccount({ address: operator });
    const account = chain.signers.reward.address;
    const hash = await chain.client.sendTransaction({
      account: operator,
      to: toHexAddress(chain.contracts.rewardRouter),
      data: settlementCall([{ account, total: toMicroUsdt(5n) }]),
      chain: null,
    });
    await minedReceipt(chain.client, hash);
    expect(await findCapFault(chain.node, chain.signers.reward, rewardDomain())).toBeNull();
  });

  test('proveCap: one signature is used for an hour, so that the signer is not asked at each poll', async () => {
    let signatures = 0;
    const { reward } = chain.signers;
    const counting: ChainSigner = {
      ...reward,
      signReward: (...asked) => {
        signatures += 1;
        return reward.signReward(...asked);
      },
    };
    const proof = new CapProof();
    const prove = () => proof.findFault(chain.node, counting, rewardDomain());
    expect([await prove(), await prove(), signatures]).toEqual([null, null, 1]);
    await chain.client.increaseTime({ seconds: 3_600 - 30 });
    await chain.client.mine({ blocks: 1 });
    expect([await prove(), signatures]).toEqual([null, 2]);
    // A settlement of this account changes which amount is too much.
    const operator = toHexAddress(chain.signer.address);
    await chain.client.impersonateAccount({ address: operator });
    const hash = await chain.client.sendTransaction({
      account: operator,
      to: toHexAddress(chain.contracts.rewardRouter),
      data: settlementCall([{ account: reward.address, total: toMicroUsdt(5n) }]),
      chain: null,
    });
    await minedReceipt(chain.client, hash);
    expect([await prove(), signatures]).toEqual([null, 3]);
  });

  test('proveCap: a different operator, a pause and a different key are distinguished', async () => {
    const other = createLocalSigner(generatePrivateKey());
    expect(await findCapFault(chain.node, other, rewardDomain())).toMatch(/operator is 0x/);
    await asOwner('pause');
    expect(await findCapFault(chain.node, chain.signers.reward, rewardDomain())).toMatch(
      /EnforcedPause/,
    );
  });

  test('proveCap: a contract that would pay keeps signing off', async () => {
    // The node's refusal is turned into a success: what a contract without the cap would answer.
    chain.proxy.setRule((method, [call]) =>
      method === 'eth_call' && (call as { data: string }).data.length > 200
        ? { kind: 'success' }
        : null,
    );
    expect(await findCapFault(chain.node, chain.signers.reward, rewardDomain())).toMatch(
      /would pay more/,
    );
  });

  test('proveCap: a node that fails proves nothing', async () => {
    chain.proxy.setRule(() => ({ kind: 'status', status: 500 }));
    await expect(findCapFault(chain.node, chain.signers.reward, rewardDomain())).rejects.toThrow(
      ChainUnavailableError,
    );
  });
});
