import { randomUUID } from 'node:crypto';
import type { WaitingEventPorts } from '../../../src/application/admin/waiting-events.ts';
import { ChainError, type HoldingsReader } from '../../../src/application/ports/chain.ts';
import type {
  BlockReference,
  ChainEvent,
  CountedBlock,
  HexText,
  OverdueSlot,
  VaultDepositedEvent,
  VaultReleasedEvent,
} from '../../../src/application/ports/chain-ledger.ts';
import { DatabaseError } from '../../../src/application/ports/database.ts';
import type { OperatorLog } from '../../../src/application/ports/operators.ts';
import type { WithdrawPorts } from '../../../src/application/wallet/request-withdrawal.ts';
import { WalletSettler } from '../../../src/application/wallet/wallet-settler.ts';
import { DatabaseChainLedger } from '../../../src/database/chain/chain-ledger.ts';
import { vaultProgram } from '../../../src/database/chain/vault-program.ts';
import { DatabaseReviewStore } from '../../../src/database/wallet/review-store.ts';
import { requireDecimal } from '../../../src/domain/decimal.ts';
import type { Address, TimestampMs } from '../../../src/domain/identifiers.ts';
import { adminMoneyRoutes } from '../../../src/gateway/http/admin/list-money.ts';
import { waitingEventRoutes } from '../../../src/gateway/http/admin/waiting-events.ts';
import { reviewRoutes } from '../../../src/gateway/http/admin/withdrawal-reviews.ts';
import { type WalletRoutePorts, walletRoutes } from '../../../src/gateway/http/wallet/routes.ts';
import type { ReviewLimits } from '../../../src/programs/claims/withdrawal-review.ts';
import { type RouteParts, SpotService } from '../spot-service.ts';
import { ScriptedEvidence } from './scripted-evidence.ts';
import { dfToken, ScriptedVault } from './scripted-vault.ts';

export type WalletParts = WalletRoutePorts & Pick<RouteParts, 'barrier'>;

/** The rules of the review, and who approves. */
export interface WalletRigReview {
  readonly limits: ReadonlyMap<string, ReviewLimits>;
  readonly approvers: readonly Address[];
}

const confirmedSeconds = 1_000_000;

/** The wallet with the real engine, database and gateway, on a chain whose blocks a test writes. */
export class WalletRig {
  readonly vault = new ScriptedVault();
  readonly warnings: string[] = [];
  readonly #log: OperatorLog = {
    warn: (_details, message) => void this.warnings.push(message),
  };
  #service: SpotService | null = null;
  #parts: WalletParts | null = null;
  #ledger: DatabaseChainLedger | null = null;
  #eventPorts: WaitingEventPorts | null = null;
  #blocks: BlockReference[] = [];
  #forks = 0;

  /** What the contracts hold, as read from the chain. */
  loadHoldings: HoldingsReader['loadHoldings'] = () => {
    throw new ChainError('the chain is unreachable');
  };

  /** By how much the reviews' clock is ahead. */
  laterMs = 0;
  /** A guardian's key that pauses on demand. */
  readonly guardian = {
    isNamed: true,
    calls: 0,
    canPause: () => Promise.resolve(this.guardian.isNamed),
    pauseRequested: () => {
      this.guardian.calls += 1;
      return Promise.resolve();
    },
  };
  #reviewLimits: ReadonlyMap<string, ReviewLimits> | null = null;

  static async start(
    minimums: Readonly<Record<string, string>> = { DF: '1' },
    review: WalletRigReview | null = null,
  ): Promise<WalletRig> {
    const rig = new WalletRig();
    rig.#reviewLimits = review?.limits ?? null;
    rig.#service = await SpotService.start({
      routes: (parts) => {
        const wallet = rig.#assemble(parts, minimums);
        const { reviews } = wallet;
        const { approvers = [] } = review ?? {};
        const now = () => (parts.now() + rig.laterMs) as TimestampMs;
        const ports = { reviews, approvers, chainId: 31_337, vaultDomainName: 'SpotVault', now };
        const { waitingEvents: events } = parts.services.chain;
        rig.#eventPorts = {
          events,
          ledger: rig.ledger,
          settler: wallet.walletSettler,
          evidence: new ScriptedEvidence(rig.vault),
          vault: rig.vault,
          chainId: 31_337,
          approvers,
          areApprovalsRequired: approvers.length > 0,
          newWithdrawalId: randomUUID,
        };
        return [
          ...walletRoutes(wallet),
          reviewRoutes(ports),
          waitingEventRoutes(rig.#eventPorts),
          adminMoneyRoutes({
            ...parts,
            adminMoney: parts.services.adminMoney,
            solvencyStore: parts.services.solvencyStore,
            areCreditsExcused: true,
            holdings: { loadHoldings: (block) => rig.loadHoldings(block) },
          }),
        ];
      },
    });
    const genesis = { number: 0, hash: hashOf(0) };
    await rig.ledger.startAfter(genesis);
    rig.#blocks = [genesis];
    return rig;
  }

  get service(): SpotService {
    if (this.#service === null) throw new Error('the rig was not started');
    return this.#service;
  }

  get parts(): WalletParts {
    if (this.#parts === null) throw new Error('the rig was not started');
    return this.#parts;
  }

  get ledger(): DatabaseChainLedger {
    if (this.#ledger === null) throw new Error('the rig was not started');
    return this.#ledger;
  }

  async close(): Promise<void> {
    await this.service.close();
  }

  /** A settler without memory of what was in progress, as after a restart. */
  newSettler(parts: Partial<WithdrawPorts> = {}): WalletSettler {
    return new WalletSettler({ ...this.parts, ...parts, log: this.#log });
  }

  /** What ends events that wait. */
  get eventPorts(): WaitingEventPorts {
    if (this.#eventPorts === null) throw new Error('the rig was not started');
    return this.#eventPorts;
  }

  /** Counts one more confirmed block. */
  async mine(events: readonly ChainEvent[] = [], seconds?: number): Promise<void> {
    const number = this.head.number + 1;
    const block: CountedBlock = {
      number,
      hash: hashOf(number + 1_000 * this.#forks),
      seconds: seconds ?? confirmedSeconds + number,
      events,
    };
    await this.ledger.countBlocks([block]);
    this.#blocks.push(block);
    await this.expire();
  }

  /** Abandons what is overdue and what the vault has not paid. */
  async expire(): Promise<readonly OverdueSlot[]> {
    const proven = (await this.ledger.listOverdue()).map(({ contract, account }) => {
      return { contract, account, nonce: this.vault.nonces.get(account) ?? 0 };
    });
    return this.ledger.expire(this.head, proven);
  }

  get head(): BlockReference {
    const head = this.#blocks.at(-1);
    if (head === undefined) throw new Error('the rig was not started');
    return head;
  }

  /** The chain leaves its last blocks. */
  async fork(depth: number): Promise<void> {
    this.#blocks.splice(-depth);
    this.#forks += 1;
    await this.ledger.rollBackTo(this.head);
  }

  /** The store as it is, and a storage error while the test says that the database is down. */
  #guard<T extends object>(store: T): T {
    return new Proxy(store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        if (!this.service.isDatabaseDown) return value.bind(target) as unknown;
        return async () => {
          throw new DatabaseError('the database is down');
        };
      },
    });
  }

  #assemble(parts: RouteParts, minimums: Readonly<Record<string, string>>): WalletParts {
    const { services, exchange, barrier, database, now } = parts;
    const walletStore = this.#guard(services.walletStore);
    const walletHistory = this.#guard(services.walletHistory);
    const perpWithdrawals = this.#guard(services.perpWithdrawals);
    this.#ledger = new DatabaseChainLedger({
      pool: database.rewards,
      programs: [vaultProgram],
      now: () => new Date(now()),
    });
    const vaultSigner = this.vault;
    const reviews = this.#guard(
      new DatabaseReviewStore(database.accounts, () => new Date(now() + this.laterMs)),
    );
    const settling = { exchange, barrier, walletStore, reviews, vaultSigner, log: this.#log };
    this.#parts = {
      ...settling,
      walletHistory,
      perpWithdrawals,
      pauses: services.walletPauses,
      guardian: this.guardian,
      reviewLimits: this.#reviewLimits,
      walletSettler: new WalletSettler(settling),
      chainId: 31_337,
      withdrawMinimums: new Map(
        Object.entries(minimums).map(([token, least]) => [token, requireDecimal(least)]),
      ),
      newWithdrawalId: randomUUID,
    };
    return this.#parts;
  }
}

function hashOf(seed: number): HexText {
  return `0x${seed.toString(16).padStart(64, '0')}`;
}

/** A deposit event; 1 DF by default. */
export function deposited(
  account: Address,
  number: number,
  changes: Partial<VaultDepositedEvent> = {},
): VaultDepositedEvent {
  return {
    type: 'vaultDeposited',
    account,
    token: dfToken.address,
    rawAmount: 10n ** 18n,
    number,
    transactionHash: hashOf(900_000 + number),
    logIndex: number,
    ...changes,
  };
}

export function released(
  account: Address,
  nonce: number,
  rawAmount: bigint,
  changes: Partial<VaultReleasedEvent> = {},
): VaultReleasedEvent {
  return {
    type: 'vaultReleased',
    account,
    token: dfToken.address,
    rawAmount,
    nonce,
    transactionHash: hashOf(800_000 + nonce),
    logIndex: 0,
    ...changes,
  };
}
