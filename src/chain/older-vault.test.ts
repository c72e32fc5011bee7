import type { Hex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { anvilSuite } from '../../test/support/chain/anvil-suite.ts';
import { MemoryChainLedger } from '../../test/support/chain/memory-chain-ledger.ts';
import { memoryChainOptions } from '../../test/support/chain/memory-chain-service.ts';
import { startTestChain, type TestChain } from '../../test/support/chain/test-chain.ts';
import type { Address } from '../domain/identifiers.ts';
import { spotVaultAbi } from './abi/spot-vault-abi.ts';
import { tokenAbi } from './abi/token-abi.ts';
import type { ContractAddresses } from './chain-addresses.ts';
import { type ChainService, createChainService } from './chain-service.ts';
import { deployContracts } from './development/deploy-contracts.ts';
import { minedReceipt } from './development/mined-receipt.ts';
import { addressesOf } from './signers/chain-signer.ts';

anvilSuite('older-vault', () => {
  let chain: TestChain;
  let ledger: MemoryChainLedger;
  const services: ChainService[] = [];

  beforeAll(async () => {
    chain = await startTestChain();
  });
  beforeEach(() => {
    ledger = new MemoryChainLedger();
  });
  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.stop()));
  });
  afterAll(() => chain.close());

  function create(contracts: ContractAddresses, startBlock: number | null = null): ChainService {
    const service = createChainService({
      rpcUrl: chain.proxy.url,
      developmentFolder: '',
      chainId: chain.chainId,
      contracts,
      startBlock,
      signers: { privateKey: chain.signerKey },
      ...memoryChainOptions(ledger),
      pollIntervalMs: 3_600_000,
    });
    services.push(service);
    return service;
  }

  test("fault 31: a deposit before the router's block is counted from the vault's own start", async () => {
    const { df, spotVault } = chain.contracts;
    const [, user] = (await chain.client.getAddresses()) as [Hex, Hex];
    const asUser = async (address: Address, call: object) => {
      const hash = await chain.client.writeContract({
        account: user,
        chain: null,
        address: address as Hex,
        ...call,
      } as never);
      await minedReceipt(chain.client, hash);
    };
    await asUser(df, { abi: tokenAbi, functionName: 'mint', args: [user, 9n] });
    await asUser(df, { abi: tokenAbi, functionName: 'approve', args: [spotVault, 9n] });
    await asUser(spotVault, { abi: spotVaultAbi, functionName: 'deposit', args: [df, 9n] });
    const { rewardRouter, referralRebate } = await deployContracts(chain.client, {
      signers: addressesOf(chain.signers),
      rewardDomainName: 'ReferralRewardRouter',
      vaultDomainName: 'SpotVault',
    });
    const contracts = { rewardRouter, referralRebate, spotVault };
    const found = create(contracts);
    await found.pollEvents();
    expect(ledger.events).toContainEqual(
      expect.objectContaining({ type: 'vaultDeposited', rawAmount: 9n }),
    );
    // The same with the manifest's word for it.
    ledger = new MemoryChainLedger();
    const named = create(contracts, 1);
    await named.pollEvents();
    expect(ledger.blocks[0]?.number).toBe(0);
    expect(ledger.events).toContainEqual(
      expect.objectContaining({ type: 'vaultDeposited', rawAmount: 9n }),
    );
  });
});
