import { type Hex, parseAbi } from 'viem';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { anvilSuite } from '../../test/support/chain/anvil-suite.ts';
import { MemoryChainStores } from '../../test/support/chain/memory-chain-service.ts';
import { startTestChain, type TestChain } from '../../test/support/chain/test-chain.ts';
import type { Address } from '../domain/identifiers.ts';
import type { ChainService } from './chain-service.ts';
import { minedReceipt } from './development/mined-receipt.ts';
import { createSigners } from './signers/signer-settings.ts';

const account = '0x00000000000000000000000000000000000000a1' as Address;

anvilSuite('rotated settler', () => {
  let chain: TestChain;
  const services: ChainService[] = [];

  beforeAll(async () => {
    chain = await startTestChain();
  });
  afterEach(async () => {
    for (const service of services.splice(0)) await service.stop();
  });
  afterAll(() => chain.close());

  async function rotateTo(key: Hex): Promise<void> {
    const address = createSigners({ privateKey: key }).byRole.settler.address as Hex;
    await chain.client.setBalance({ address, value: 10n ** 18n });
    const [council] = (await chain.client.getAddresses()) as [Hex];
    const hash = await chain.client.writeContract({
      account: council,
      chain: null,
      address: chain.contracts.rewardRouter as Hex,
      abi: parseAbi(['function setSettler(address)']),
      functionName: 'setSettler',
      args: [address],
    });
    await minedReceipt(chain.client, hash);
  }

  test('fault 13: a batch mined before the settler changed counts from its event, and no second one is sent', async () => {
    const stores = new MemoryChainStores();
    const first = stores.createService(chain);
    services.push(first);
    await first.pollEvents();
    await chain.client.setAutomine(false);
    stores.settlements.earn(account, 5_000_000n);
    await first.settleRewards();
    expect(stores.transactions.transactions).toMatchObject([{ result: null }]);
    await first.stop();
    // Mined while no service counts; the key is changed in a later block.
    await chain.client.mine({ blocks: 1 });
    await chain.client.setAutomine(true);
    const key = generatePrivateKey();
    await rotateTo(key);
    const second = stores.createService(chain, { signers: { privateKey: key } });
    services.push(second);
    await second.pollEvents();
    await second.settleRewards();
    await second.settleRewards();
    expect(stores.transactions.transactions).toMatchObject([{ result: { outcome: 'succeeded' } }]);
    const settled = stores.ledger.events.filter(({ type }) => type === 'rewardSettled');
    expect(settled).toMatchObject([{ account, settledTotal: 5_000_000n }]);
    expect(stores.settlements.statusOf(account)).toEqual(['synced']);
  });
});
