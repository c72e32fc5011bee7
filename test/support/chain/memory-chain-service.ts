import {
  type ChainService,
  type ChainServiceOptions,
  createChainService,
} from '../../../src/chain/chain-service.ts';
import { createLogger } from '../../../src/observability/log.ts';
import type { MemoryChainLedger } from './memory-chain-ledger.ts';
import { MemoryContractStore } from './memory-contract-store.ts';
import { MemoryRegisterQueue } from './memory-register-queue.ts';
import { MemorySettlementStore } from './memory-settlement-store.ts';
import { MemoryTransactionStore } from './memory-transaction-store.ts';
import { SettlingLedger } from './settling-ledger.ts';
import type { TestChain } from './test-chain.ts';

/** What a chain service has besides its chain: stores in memory, and what test chains are called. */
export function memoryChainOptions(ledger: MemoryChainLedger) {
  return {
    assets: null,
    confirmations: 0,
    rewardDomainName: 'ReferralRewardRouter',
    vaultDomainName: 'SpotVault',
    pollIntervalMs: 20,
    ledger,
    books: ledger.books,
    halts: ledger.halts,
    contractStore: new MemoryContractStore(),
    settlements: new MemorySettlementStore(),
    transactions: new MemoryTransactionStore(),
    register: new MemoryRegisterQueue(),
    retryPolicy: { timeoutMs: 60_000, failuresMax: 1_000, pauseMs: 0 },
    log: createLogger('silent'),
  };
}

/** What a chain service stores, in memory; several services can share it. */
export class MemoryChainStores {
  readonly settlements = new MemorySettlementStore();
  readonly transactions = new MemoryTransactionStore();
  readonly ledger = new SettlingLedger(this.settlements);
  readonly #contracts = new MemoryContractStore();

  createService(chain: TestChain, change: Partial<ChainServiceOptions> = {}): ChainService {
    const { ledger, settlements, transactions } = this;
    return createChainService({
      rpcUrl: chain.proxy.url,
      developmentFolder: '',
      chainId: chain.chainId,
      contracts: chain.contracts,
      signers: { privateKey: chain.signerKey },
      ...memoryChainOptions(ledger),
      pollIntervalMs: 3_600_000,
      contractStore: this.#contracts,
      settlements,
      transactions,
      ...change,
    });
  }
}
