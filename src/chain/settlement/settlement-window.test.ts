import type { Hex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anvilSuite } from '../../../test/support/chain/anvil-suite.ts';
import { earnerOf, SettlingChain } from '../../../test/support/chain/settling-chain.ts';
import { startTestChain, type TestChain } from '../../../test/support/chain/test-chain.ts';
import { rewardRouterAbi } from '../abi/reward-router-abi.ts';
import { readContract } from '../contract-calls.ts';
import { minedReceipt } from '../development/mined-receipt.ts';
import { toHexAddress } from '../evm-values.ts';

// Commission beyond the window of settlements: it is settled part by part, as the window refills.

anvilSuite('settlement window', () => {
  let chain: TestChain;
  let settling: SettlingChain;

  beforeAll(async () => {
    chain = await startTestChain();
    settling = await SettlingChain.start(chain);
  });
  afterAll(() => chain.close());

  /** Each account's settled total on chain. */
  const settled = (...seeds: readonly number[]) =>
    Promise.all(
      seeds.map((seed) =>
        readContract(chain.node, {
          address: chain.contracts.rewardRouter,
          abi: rewardRouterAbi,
          functionName: 'settled',
          args: [toHexAddress(earnerOf(seed))],
        }),
      ),
    );

  async function limitSettlements(most: bigint): Promise<void> {
    const [owner] = (await chain.client.getAddresses()) as [Hex];
    const hash = await chain.client.writeContract({
      account: owner,
      chain: null,
      address: toHexAddress(chain.contracts.rewardRouter),
      abi: rewardRouterAbi,
      functionName: 'setSettlementLimit',
      args: [most, 86_400],
      // What the window has used changes with the block's time, and with it the gas.
      gas: 200_000n,
    });
    expect((await minedReceipt(chain.client, hash)).status).toBe('success');
  }

  test('window: a batch beyond it is split, settled part by part, and uses up no attempt', async () => {
    await limitSettlements(80n);
    // More than the whole window for the first account, which holds up no other.
    settling.settlements.earn(earnerOf(1), 100n);
    for (const seed of [2, 3]) settling.settlements.earn(earnerOf(seed), 50n);
    await chain.client.setAutomine(false);
    const exceeded = { obstacle: 'SettlementWindowExceeded' };
    // Transactions in flight may use up the rest, so nothing else is sent.
    expect(await settling.run()).toEqual({ sentCount: 1, ...exceeded });
    expect(await settling.run()).toEqual({ sentCount: 0, ...exceeded });
    await chain.client.setAutomine(true);
    await chain.client.mine({ blocks: 1 });
    expect(await settling.run()).toEqual({ sentCount: 0, ...exceeded });
    expect((await settled(1, 2, 3)).sort()).toEqual([0n, 0n, 50n]);
    await chain.client.increaseTime({ seconds: 86_400 });
    await chain.client.mine({ blocks: 1 });
    while ((await settled(2, 3)).includes(0n)) await settling.run();
    expect(await settled(1, 2, 3)).toEqual([0n, 50n, 50n]);
    // The owner's limit of zero stops settling without splitting anything.
    await limitSettlements(0n);
    settling.settlements.earn(earnerOf(4), 5n);
    settling.settlements.earn(earnerOf(5), 5n);
    expect(await settling.run()).toEqual({ sentCount: 0, ...exceeded });
    await limitSettlements(10n ** 6n);
    while ((await settled(1, 4, 5)).includes(0n)) await settling.run();
    while (settling.outcomes().includes(undefined)) await settling.run();
    expect(await settled(1, 2, 3, 4, 5)).toEqual([100n, 50n, 50n, 5n, 5n]);
    expect(settling.attempts()).toEqual([0, 0, 0, 0, 0]);
    expect(new Set(settling.outcomes())).toEqual(new Set(['succeeded']));
  });
});
