import type {
  ChainLedger,
  RegisterQueue,
  SettlementStore,
  TransactionStore,
} from '../application/ports/chain-ledger.ts';
import type { DrainingContract } from '../application/ports/contracts.ts';
import type { Logger } from '../observability/log.ts';
import type { ChainConnection } from './chain-connection.ts';
import { EventListener, type StartBlock } from './events/event-listener.ts';
import type { FinalTag } from './node/chain-node.ts';
import { RegisterMirror } from './register/register-mirror.ts';
import { SettlementRunner } from './settlement/settlement-runner.ts';
import { type GasBudget, TransactionManager } from './transactions/transaction-manager.ts';

/** What works on one connection. */
export interface ChainComponents {
  readonly connection: ChainConnection;
  readonly listener: EventListener;
  readonly manager: TransactionManager;
  readonly settlement: SettlementRunner;
  readonly mirror: RegisterMirror;
}

const transactionPolicy = {
  replaceAfterMs: 48_000,
  feeMultipleMax: 5n,
  feePerGasMax: 500_000_000_000n,
};
/** The manifest's caps, in wei. */
export interface GasLimits extends GasBudget {
  readonly feePerGasMax: bigint;
}

const settlementLimits = { itemsPerBatchMax: 200, attemptMsMax: 15 * 60_000 };
const changesPerBatchMax = 50;

export interface ChainComponentsOptions {
  readonly connection: ChainConnection;
  readonly chainId: number;
  readonly confirmations: number;
  readonly finality?: FinalTag | null;
  readonly gas?: GasLimits | null;
  readonly ledger: ChainLedger;
  readonly transactions: TransactionStore;
  readonly settlements: SettlementStore;
  readonly register: RegisterQueue;
  /** Whether the settler may sign nothing for now. */
  readonly isSettlerHalted: () => boolean;
  readonly draining: () => readonly DrainingContract[];
  readonly findStartBlock: () => Promise<StartBlock>;
  /** The highest block that may be counted; undefined for no such limit. */
  readonly secureHead: (() => Promise<number>) | undefined;
  /** Milliseconds. */
  readonly now: () => number;
  readonly log: Logger;
}

export function createChainComponents(options: ChainComponentsOptions): ChainComponents {
  const { ledger, transactions, settlements, register, connection } = options;
  const { chainId, confirmations, finality = null, log, gas = null, secureHead, now } = options;
  const { node, signers, contracts } = connection;
  const operator = signers.settler.address;
  const shared = { node, log, transactions, operator };
  const manager = new TransactionManager({
    node,
    signer: signers.settler,
    chainId,
    store: transactions,
    policy:
      gas === null ? transactionPolicy : { ...transactionPolicy, feePerGasMax: gas.feePerGasMax },
    budget: gas,
    isHalted: options.isSettlerHalted,
    now,
    log,
  });
  return {
    connection,
    manager,
    listener: new EventListener({
      node,
      ledger,
      contracts,
      draining: options.draining,
      confirmations,
      areBlocksFinal: finality !== null,
      findStartBlock: options.findStartBlock,
      ...(secureHead === undefined ? {} : { secureHead }),
      log,
    }),
    settlement: new SettlementRunner({
      ...shared,
      ...settlementLimits,
      rewardRouter: contracts.rewardRouter,
      settlements,
      manager,
      now,
    }),
    mirror: new RegisterMirror({
      ...shared,
      register: contracts.referralRebate,
      queue: register,
      manager,
      changesPerBatchMax,
    }),
  };
}
