import { numberToHex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { anvilSuite } from '../../test/support/chain/anvil-suite.ts';
import type { Rule } from '../../test/support/chain/fault-proxy.ts';
import { MemoryChainStores } from '../../test/support/chain/memory-chain-service.ts';
import { startTestChain, type TestChain } from '../../test/support/chain/test-chain.ts';
import type { ChainService } from './chain-service.ts';

// Which blocks count if the manifest names a block tag.

anvilSuite('final blocks', () => {
  let chain: TestChain;
  let head: number;
  let service: ChainService | null = null;

  beforeAll(async () => {
    chain = await startTestChain();
  });
  beforeEach(async () => {
    await chain.client.mine({ blocks: 20 });
    head = Number((await chain.client.getBlock()).number);
  });
  afterEach(async () => {
    await service?.stop();
    service = null;
    chain.proxy.setRule(null);
  });
  afterAll(() => chain.close());

  /** The node's answer about the tag. */
  function finalIs(tag: 'finalized' | 'safe', number: number | null): void {
    const rule: Rule = (method, [block]) => {
      if (method !== 'eth_getBlockByNumber' || block !== tag) return null;
      if (number === null) return { kind: 'refusal', code: -32_602, message: 'unknown block tag' };
      const result = (truth: unknown) => ({ ...(truth as object), number: numberToHex(number) });
      return { kind: 'lie', result };
    };
    chain.proxy.setRule(rule);
  }

  async function countedWith(finality: 'finalized' | 'safe', confirmations: number) {
    service = new MemoryChainStores().createService(chain, { finality, confirmations });
    await service.pollEvents();
    return service.status.countedBlock;
  }

  test.each(['finalized', 'safe'] as const)(
    'chain: nothing above the block that is %s counts',
    async (tag) => {
      finalIs(tag, head - 7);
      expect(await countedWith(tag, 0)).toBe(head - 7);
      finalIs(tag, head - 2);
      await service?.pollEvents();
      expect(service?.status.countedBlock).toBe(head - 2);
    },
  );

  test('chain: a final block that is less deep than the confirmations does not count yet', async () => {
    finalIs('finalized', head - 1);
    expect(await countedWith('finalized', 5)).toBe(head - 5);
    finalIs('finalized', head + 1_000);
    await service?.pollEvents();
    expect(service?.status.countedBlock).toBe(head - 5);
  });

  test('chain: a final block that is deeper than the confirmations decides', async () => {
    finalIs('finalized', head - 12);
    expect(await countedWith('finalized', 5)).toBe(head - 12);
  });

  test('fault 4: without the block tag of the manifest nothing is counted or signed', async () => {
    finalIs('finalized', null);
    service = new MemoryChainStores().createService(chain, { finality: 'finalized' });
    await service.pollEvents().catch(() => undefined);
    expect(service.status).toMatchObject({
      state: 'unavailable',
      isSigning: false,
      countedBlock: null,
      reason: 'too few providers support the block tag finalized that the manifest requires',
    });
  });
});
