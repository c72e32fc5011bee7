import { afterEach, expect, test, vi } from 'vitest';
import { toMicroUsdt } from '../../src/domain/micro-usdt.ts';
import { anvilSuite } from '../support/chain/anvil-suite.ts';
import { RewardStack } from '../support/claims/reward-stack.ts';

// Settlement, claim and redemption on PostgreSQL and a real chain, with the service restarted
// between each two steps, and with the chain taking blocks back.

anvilSuite('reward restarts', () => {
  let stack: RewardStack | null = null;
  afterEach(async () => {
    await stack?.close();
    stack = null;
  });

  test('restarts: the service can end between any two steps of settlement, claim and redemption', async () => {
    stack = await RewardStack.start({ confirmations: 1 });
    const { chain, service } = stack;
    const earner = await stack.nextEarner();
    await stack.earn(earner, 10_000_000n, 345_679n);
    const step = async (): Promise<void> => {
      await stack?.checkBooks();
      await stack?.restart();
    };
    const settlements = () => stack?.service.settleRewards() ?? service.settleRewards();
    const events = () => stack?.service.pollEvents() ?? service.pollEvents();
    await chain.client.setAutomine(false);
    await step();
    // Planned, signed, saved and sent; not mined.
    await settlements();
    await step();
    await settlements();
    await step();
    await chain.client.mine({ blocks: 1 });
    // Mined, not confirmed.
    await settlements();
    expect(await stack.loadBooks(earner)).toMatchObject({ synced: 0n });
    await step();
    await chain.client.mine({ blocks: 1 });
    await events();
    expect(await stack.loadBooks(earner)).toMatchObject({ synced: 10_345_679n });
    await step();
    await events();
    const order = await stack.claimed(earner);
    await step();
    await events();
    await stack.redeem(earner, order);
    await step();
    await chain.client.mine({ blocks: 1 });
    await events();
    expect(await stack.listClaims(earner)).toEqual(['10345679 processing']);
    await step();
    await chain.client.mine({ blocks: 1 });
    await events();
    expect(await stack.listClaims(earner)).toEqual(['10345679 success']);
    await step();
    await events();
    await stack.calmDown();
    await stack.checkRest();
  });

  test('restarts: a foreign signature uses the nonce of an order, with a restart between any two steps', async () => {
    stack = await RewardStack.start();
    const earner = await stack.nextEarner();
    await stack.earn(earner, 30_000_000n);
    await stack.calmDown();
    const deadline = Math.floor(Date.now() / 1000) + 3600;
    const bare = { account: earner.address, amount: toMicroUsdt(13_000_000n), nonce: 0 };
    const signature = await stack.service.rewardSigner.signRedemption({ ...bare, deadline });
    await stack.claimed(earner);
    await stack.restart();
    await stack.redeem(earner, { amount: '13000000', deadline, signature });
    await stack.restart();
    await stack.checkBooks();
    await expect(stack.claim(earner)).resolves.toMatchObject({
      refusal: 'claim_already_processing',
    });
    await stack.service.pollEvents();
    await stack.restart();
    expect(await stack.listClaims(earner)).toEqual([
      '30000000 failed NONCE_USED',
      '13000000 success',
    ]);
    await stack.service.pollEvents();
    const next = await stack.claimed(earner);
    await stack.restart();
    await stack.redeem(earner, next);
    await stack.restart();
    await stack.calmDown();
    await stack.checkRest();
    expect((await stack.loadChain(earner)).wallet).toBe(30_000_000n);
  });

  test('reorganization: a rolled-back redemption makes its order wait again, until it reappears', async () => {
    stack = await RewardStack.start();
    const { chain } = stack;
    const earner = await stack.nextEarner();
    await stack.earn(earner, 20_000_000n);
    await stack.calmDown();
    const order = await stack.claimed(earner);
    await stack.redeem(earner, order);
    await stack.service.pollEvents();
    expect(await stack.listClaims(earner)).toEqual(['20000000 success']);
    await chain.client.request({ method: 'anvil_reorg', params: [1, []] } as never);
    await stack.service.pollEvents();
    expect(await stack.listClaims(earner)).toEqual(['20000000 processing']);
    expect(await stack.loadChain(earner)).toMatchObject({ claimed: 0n, wallet: 0n });
    await stack.checkBooks();
    await stack.restart();
    await stack.redeem(earner, order);
    await stack.service.pollEvents();
    expect(await stack.listClaims(earner)).toEqual(['20000000 success']);
    await stack.checkRest();
  });

  test('reorganization: a rolled-back settlement is settled again before anything is claimed', async () => {
    stack = await RewardStack.start();
    const { chain } = stack;
    const earner = await stack.nextEarner();
    await stack.earn(earner, 20_000_000n);
    await stack.calmDown();
    await chain.client.request({ method: 'anvil_reorg', params: [2, []] } as never);
    await stack.service.pollEvents();
    await stack.checkBooks();
    await stack.restart();
    await stack.calmDown();
    await stack.checkRest();
    await stack.redeem(earner, await stack.claimed(earner));
    await stack.calmDown();
    expect(await stack.listClaims(earner)).toEqual(['20000000 success']);
    await stack.checkRest();
  });

  test('reorganization: with the next order open the first fails, and succeeds when its redemption reappears', async () => {
    stack = await RewardStack.start();
    const { chain } = stack;
    const earner = await stack.nextEarner();
    await stack.earn(earner, 20_000_000n);
    await stack.calmDown();
    const first = await stack.claimed(earner);
    await stack.redeem(earner, first);
    await stack.service.pollEvents();
    // The second settlement is mined before the redemption is taken back, and stays.
    await stack.earn(earner, 15_000_000n);
    await stack.service.settleRewards();
    await vi.waitFor(async () => {
      await stack?.service.pollEvents();
      expect(await stack?.loadBooks(earner)).toMatchObject({ synced: 35_000_000n });
    });
    const height = Number(await chain.client.getBlockNumber({ cacheTime: 0 }));
    await stack.claimed(earner);
    const [, second = ''] = await stack.listClaims(earner);
    expect(second).toBe('15000000 processing');
    const depth = height - (await blockOfRedemption(stack)) + 1;
    await chain.client.request({ method: 'anvil_reorg', params: [depth, []] } as never);
    await stack.service.pollEvents();
    await stack.checkBooks();
    const failed = await stack.listClaims(earner);
    expect(failed).toEqual(['20000000 failed CHAIN_REORGANIZED', '15000000 processing']);
    await stack.calmDown();
    await stack.redeem(earner, first);
    await stack.calmDown();
    expect((await stack.listClaims(earner))[0]).toBe('20000000 success');
    await stack.checkRest();
  });

  async function blockOfRedemption(each: RewardStack): Promise<number> {
    const row = await each.pool.query((db) =>
      db.selectFrom('reward_redemptions').select('block_number').executeTakeFirstOrThrow(),
    );
    return Number(row.block_number);
  }
});
