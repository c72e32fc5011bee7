import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { rewardRouterAbi } from '../../src/chain/abi/reward-router-abi.ts';
import { readContract } from '../../src/chain/contract-calls.ts';
import { deployContracts } from '../../src/chain/development/deploy-contracts.ts';
import { toHexAddress } from '../../src/chain/evm-values.ts';
import { addressesOf } from '../../src/chain/signers/chain-signer.ts';
import { toMicroUsdt } from '../../src/domain/micro-usdt.ts';
import { anvilSuite } from '../support/chain/anvil-suite.ts';
import { RewardStack } from '../support/claims/reward-stack.ts';

// A database belongs to the contracts that it counted: PostgreSQL and a real chain, with the
// service pointed at others.

anvilSuite('reward contracts', () => {
  let stack: RewardStack | null = null;
  afterEach(async () => {
    await stack?.close();
    stack = null;
  });

  async function stackThatPaid(): Promise<RewardStack> {
    stack = await RewardStack.start();
    const earner = await stack.nextEarner();
    await stack.earn(earner, 5_005_000n);
    await stack.calmDown();
    const deadline = Math.floor(Date.now() / 1000) + 3_600;
    const terms = { account: earner.address, amount: toMicroUsdt(5_000_000n), nonce: 0, deadline };
    const signature = await stack.service.rewardSigner.signRedemption(terms);
    await stack.redeem(earner, { amount: '5000000', deadline, signature });
    await stack.calmDown();
    return stack;
  }

  async function pointAtNewContracts(paid: RewardStack): Promise<void> {
    const { client, signers } = paid.chain;
    paid.contracts = await deployContracts(client, {
      signers: addressesOf(signers),
      rewardDomainName: 'ReferralRewardRouter',
      vaultDomainName: 'SpotVault',
    });
    await paid.restart();
  }

  async function totalSettled({ chain, contracts }: RewardStack): Promise<bigint> {
    return readContract(chain.node, {
      address: contracts.rewardRouter,
      abi: rewardRouterAbi,
      functionName: 'totalSettled',
    });
  }

  test('fault 7: a new router without predecessor is refused, nothing is paid a second time', async () => {
    const paid = await stackThatPaid();
    const before = paid.contracts.rewardRouter;
    await pointAtNewContracts(paid);
    const refusal = `this database counted the contract ${before}`;
    await expect(paid.service.settleRewards()).rejects.toThrow(refusal);
    await expect(paid.service.pollEvents()).rejects.toThrow(refusal);
    expect(paid.service.status).toMatchObject({ state: 'unavailable', isSigning: false });
    expect(await totalSettled(paid)).toBe(0n);
    // Back at its own contracts all continues.
    paid.contracts = paid.chain.contracts;
    await paid.restart();
    await paid.calmDown();
    expect(await totalSettled(paid)).toBe(5_005_000n);
  });

  test('fault 7: a database that has not recorded its contract is compared with the chain', async () => {
    const paid = await stackThatPaid();
    await paid.pool.query((db) =>
      sql`UPDATE reward_redemptions SET contract_id = NULL`.execute(db),
    );
    await paid.pool.query((db) => sql`UPDATE settlement_items SET contract_id = NULL`.execute(db));
    await paid.pool.query((db) =>
      sql`TRUNCATE vault_moves, register_shown, router_settlements`.execute(db),
    );
    await paid.pool.query((db) => sql`DELETE FROM contracts`.execute(db));
    await pointAtNewContracts(paid);
    await expect(paid.service.settleRewards()).rejects.toThrow(
      'are 0 on chain and 5005000 in the database: this database counted another contract',
    );
    expect(await totalSettled(paid)).toBe(0n);
    paid.contracts = paid.chain.contracts;
    await paid.restart();
    await paid.calmDown();
    const { rows } = await paid.pool.query((db) =>
      sql<{ address: string }>`
        SELECT address FROM reward_redemptions JOIN contracts ON contracts.id = contract_id`.execute(
        db,
      ),
    );
    expect(rows).toEqual([{ address: toHexAddress(paid.contracts.rewardRouter) }]);
  });
});
