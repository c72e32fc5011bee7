import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChainService, createChainService } from '../../src/chain/chain-service.ts';
import { anvilSuite } from '../support/chain/anvil-suite.ts';
import { type FaultProxy, startFaultProxy } from '../support/chain/fault-proxy.ts';
import { MemoryChainLedger } from '../support/chain/memory-chain-ledger.ts';
import { memoryChainOptions } from '../support/chain/memory-chain-service.ts';
import { MemoryContractStore } from '../support/chain/memory-contract-store.ts';
import { startTestChain, type TestChain } from '../support/chain/test-chain.ts';
import { readNamedBlocks } from '../support/document-blocks.ts';

anvilSuite('a lost provider', () => {
  let chain: TestChain;
  let proxies: readonly FaultProxy[];
  let service: ChainService | null = null;
  const ledger = new MemoryChainLedger();
  const contractStore = new MemoryContractStore();

  beforeAll(async () => {
    chain = await startTestChain();
    proxies = await Promise.all([1, 2, 3, 4].map(() => startFaultProxy(chain.rpcUrl)));
  });
  afterAll(async () => {
    await service?.stop();
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await chain.close();
  });

  /** A separate process over the same database. */
  async function restart(urls: readonly string[]): Promise<ChainService> {
    await service?.stop();
    service = createChainService({
      rpcUrl: urls[0] ?? null,
      providers: { urls, quorum: 2, areProofsRequired: true },
      developmentFolder: null,
      chainId: chain.chainId,
      contracts: chain.contracts,
      signers: { privateKey: chain.signerKey },
      ...memoryChainOptions(ledger),
      contractStore,
    });
    await service.pollEvents();
    return service;
  }

  const urlsOf = (...indexes: readonly number[]) => indexes.map((index) => proxies[index]!.url);

  async function expectCounting(each: ChainService): Promise<void> {
    const before = each.status.countedBlock ?? 0;
    await chain.client.mine({ blocks: 2 });
    await each.pollEvents();
    expect(each.status.countedBlock).toBeGreaterThan(before);
    expect(each.status).toMatchObject({ isSigning: true, disagreementSeconds: 0 });
  }

  test('lost provider: two of three continue, and a replacement makes them three', async () => {
    await expectCounting(await restart(urlsOf(0, 1, 2)));
    proxies[2]!.setRule(() => ({ kind: 'cut' }));
    await expectCounting(service!);
    const block = readNamedBlocks('docs/maintenance.md').get('replace-provider') ?? 'exit 1';
    const [first, second, next] = urlsOf(0, 1, 3);
    const { stdout } = await promisify(execFile)(
      'bash',
      ['-euc', `${block}\nprintf %s "$CHAIN_RPC_URLS"`],
      {
        env: {
          PATH: process.env['PATH'],
          FIRST_PROVIDER: first,
          SECOND_PROVIDER: second,
          NEW_PROVIDER: next,
        },
      },
    );
    const counted = service!.status.countedBlock;
    const restarted = await restart(stdout.split(','));
    expect(restarted.status.countedBlock).toBe(counted);
    await expectCounting(restarted);
    expect(restarted.status.excludedProviders).toBe(0);
    // All three count again: without another one of them the two that are left are a quorum.
    proxies[0]!.setRule(() => ({ kind: 'cut' }));
    await expectCounting(restarted);
    proxies[0]!.setRule(null);
  });

  test('lost provider: a replacement on a different chain makes no quorum', async () => {
    const other = await startTestChain();
    const before = ledger.blocks.length;
    const restarted = await restart([proxies[0]!.url, other.rpcUrl]);
    expect(restarted.status).toMatchObject({ state: 'unavailable', isSigning: false });
    expect(restarted.status.reason).toContain('the providers disagree');
    expect(ledger.blocks.length).toBe(before);
    const token = chain.contracts.df;
    await expect(
      restarted.vaultSigner.signRelease({
        account: token,
        token,
        rawAmount: 1n,
        nonce: 0,
        deadline: 1,
      }),
    ).rejects.toThrow();
    await other.close();
  });
});
