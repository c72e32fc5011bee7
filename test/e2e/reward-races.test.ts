import { afterEach, beforeEach, expect, test } from 'vitest';
import { toMicroUsdt } from '../../src/domain/micro-usdt.ts';
import { anvilSuite } from '../support/chain/anvil-suite.ts';
import { type Earner, RewardStack } from '../support/claims/reward-stack.ts';

// Claims, settlements and redemptions at the same time, on PostgreSQL and a real chain.

anvilSuite('reward races', () => {
  let stack: RewardStack;
  let earner: Earner;
  beforeEach(async () => {
    stack = await RewardStack.start();
    earner = await stack.nextEarner();
  });
  afterEach(() => stack.close());

  const amountOf = async (claimCount: number): Promise<bigint> => {
    const claims = await stack.listClaims(earner);
    expect(claims).toHaveLength(claimCount);
    return BigInt(claims.at(-1)?.split(' ')[0] ?? 0);
  };

  test('races: one of several concurrent claims is created, over everything claimable', async () => {
    await stack.earn(earner, 10_000_000n, 2_000_000n);
    await stack.calmDown();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => stack.claim(earner)));
    const made = outcomes.filter(({ kind }) => kind === 'done');
    expect(made).toHaveLength(1);
    expect(await amountOf(1)).toBe(12_000_000n);
    await stack.checkBooks();
  });

  test('races: a claim against settlements and new commission covers whole settlements only', async () => {
    await stack.earn(earner, 10_000_000n);
    await stack.calmDown();
    for (let round = 1; round <= 6; round += 1) {
      const [outcome] = await Promise.all([
        stack.claim(earner),
        stack.earn(earner, 3_000_000n, 4_000_000n),
        stack.work(),
        stack.earn(earner, 5_000_000n),
        stack.work(),
      ]);
      expect(outcome).toMatchObject({ kind: 'done' });
      await stack.checkBooks();
      if (outcome.kind === 'done') await stack.redeem(earner, outcome.value);
      await stack.calmDown();
      await stack.checkRest();
    }
    const left = await stack.claims.loadFacts(earner.address);
    const { earned, claimed } = await stack.loadBooks(earner);
    expect(left.free).toBe(earned - claimed);
  });

  test('races: a claim while its last redemption is being counted waits for it', async () => {
    for (let round = 1; round <= 5; round += 1) {
      await stack.earn(earner, 11_000_000n);
      await stack.calmDown();
      await stack.redeem(earner, await stack.claimed(earner));
      await stack.earn(earner, 12_000_000n);
      const [outcome] = await Promise.all([stack.claim(earner), stack.work()]);
      if (outcome.kind === 'done') {
        // The redemption was counted first, so the next nonce is the contract's own.
        expect(BigInt(outcome.value.nonce)).toBe((await stack.loadChain(earner)).nonce);
        await stack.redeem(earner, outcome.value);
      } else {
        expect(['claim_already_processing', 'no_claimable']).toContain(outcome.refusal);
      }
      await stack.checkBooks();
      await stack.calmDown();
      await stack.checkRest();
    }
  });

  test('races: a foreign signature with the nonce of an order ends the order, and pays once', async () => {
    await stack.earn(earner, 30_000_000n);
    await stack.calmDown();
    const { rewardSigner } = stack.service;
    const bare = { account: earner.address, amount: toMicroUsdt(13_000_000n), nonce: 0 };
    const deadline = Math.floor(Date.now() / 1000) + 3600;
    const signature = await rewardSigner.signRedemption({ ...bare, deadline });
    const order = await stack.claimed(earner);
    await stack.redeem(earner, { amount: '13000000', deadline, signature });
    await expect(stack.redeem(earner, order)).rejects.toThrow();
    await Promise.all([stack.work(), stack.claim(earner)]);
    await stack.calmDown();
    expect(await stack.listClaims(earner)).toEqual([
      '30000000 failed NONCE_USED',
      '13000000 success',
    ]);
    await stack.checkRest();
    const next = await stack.claimed(earner);
    expect(next).toMatchObject({ amount: '17000000', nonce: 1 });
    await stack.redeem(earner, next);
    await stack.calmDown();
    await stack.checkRest();
    expect((await stack.loadChain(earner)).wallet).toBe(30_000_000n);
  });

  test('races: a signature above what is settled is refused by the contract', async () => {
    await stack.earn(earner, 30_000_000n);
    await stack.calmDown();
    const deadline = Math.floor(Date.now() / 1000) + 3600;
    const signature = await stack.service.rewardSigner.signRedemption({
      account: earner.address,
      amount: toMicroUsdt(30_000_001n),
      nonce: 0,
      deadline,
    });
    await expect(stack.redeem(earner, { amount: '30000001', deadline, signature })).rejects.toThrow(
      /AmountExceedsSettled/,
    );
    await stack.checkRest();
  });
});
