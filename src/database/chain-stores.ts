import type { BackfillStore } from '../application/ports/backfills.ts';
import type { ManualHaltStore } from '../application/ports/chain-halts.ts';
import type {
  ChainBooks,
  ChainLedger,
  RegisterQueue,
  SettlementStore,
  TransactionStore,
} from '../application/ports/chain-ledger.ts';
import type { ContractPauseStore } from '../application/ports/contract-pauses.ts';
import type { ContractStore } from '../application/ports/contracts.ts';
import type { SignerHeadStore } from '../application/ports/signer-log.ts';
import type { WaitingEventStore } from '../application/ports/waiting-events.ts';
import { type MicroUsdt, zeroMicroUsdt } from '../domain/micro-usdt.ts';
import { DatabaseBackfillStore } from './chain/backfill-store.ts';
import { DatabaseChainBooks } from './chain/chain-books.ts';
import { DatabaseChainLedger } from './chain/chain-ledger.ts';
import { DatabaseContractPauseStore } from './chain/contract-pause-store.ts';
import { DatabaseContractStore } from './chain/contract-store.ts';
import { DatabaseHaltStore } from './chain/halt-store.ts';
import { DatabaseSignerHeadStore } from './chain/signer-head-store.ts';
import { DatabaseTransactionStore } from './chain/transaction-store.ts';
import { vaultProgram } from './chain/vault-program.ts';
import { DatabaseWaitingEvents } from './chain/waiting-events.ts';
import { DatabaseRegisterQueue } from './claims/register-queue.ts';
import { rewardProgram } from './claims/reward-program.ts';
import { DatabaseSettlementStore } from './claims/settlement-store.ts';
import type { Database } from './open-database.ts';

/** Limits that prevent others from making the exchange pay for chain writes. */
export interface ChainMinimums {
  /** Smaller commission waits, unless its account can claim with it. */
  readonly settleMin: MicroUsdt;
  readonly minimumClaim: MicroUsdt;
  /** How long an account's state in the register is not written again, in milliseconds. */
  readonly registerRestMs: number;
}

export const noMinimums: ChainMinimums = {
  settleMin: zeroMicroUsdt,
  minimumClaim: zeroMicroUsdt,
  registerRestMs: 0,
};

/** The stores of the chain side. */
export interface ChainStores {
  readonly ledger: ChainLedger;
  readonly books: ChainBooks;
  readonly backfills: BackfillStore;
  readonly halts: ManualHaltStore;
  readonly contractPauses: ContractPauseStore;
  readonly waitingEvents: WaitingEventStore;
  readonly signerHeads: SignerHeadStore;
  readonly contractStore: ContractStore;
  readonly transactions: TransactionStore;
  readonly settlements: SettlementStore;
  readonly register: RegisterQueue;
}

/** Creates the stores of the chain side. */
export function chainStores({ rewards }: Database, minimums: ChainMinimums): ChainStores {
  return {
    ledger: new DatabaseChainLedger({
      pool: rewards,
      programs: [rewardProgram, vaultProgram],
      now: () => new Date(),
    }),
    books: new DatabaseChainBooks(rewards),
    backfills: new DatabaseBackfillStore(rewards, () => new Date()),
    waitingEvents: new DatabaseWaitingEvents(rewards, () => new Date()),
    halts: new DatabaseHaltStore(rewards, () => new Date()),
    contractPauses: new DatabaseContractPauseStore(rewards, () => new Date()),
    signerHeads: new DatabaseSignerHeadStore(rewards, () => new Date()),
    contractStore: new DatabaseContractStore(rewards, () => new Date()),
    transactions: new DatabaseTransactionStore(rewards),
    settlements: new DatabaseSettlementStore(rewards, minimums),
    register: new DatabaseRegisterQueue({
      pool: rewards,
      restMs: minimums.registerRestMs,
      now: () => new Date(),
    }),
  };
}
