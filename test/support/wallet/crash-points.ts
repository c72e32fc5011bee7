import type { VaultSigner } from '../../../src/application/ports/chain.ts';
import type { Exchange } from '../../../src/application/ports/exchange.ts';
import type { WaitingEventStore } from '../../../src/application/ports/waiting-events.ts';
import type { WithdrawalReviewStore } from '../../../src/application/wallet/review-ports.ts';
import type {
  PerpWithdrawalStore,
  WalletStore,
} from '../../../src/application/wallet/wallet-ports.ts';

/** The process has died; nothing that it still tries happens. */
class CrashError extends Error {
  override readonly name = 'CrashError';
}

interface CrashablePorts {
  readonly exchange: Exchange;
  readonly walletStore: WalletStore;
  readonly perpWithdrawals: PerpWithdrawalStore;
  readonly reviews: WithdrawalReviewStore;
  readonly vaultSigner: VaultSigner;
}

/**
 * The same ports in a process that dies at one of its steps, before the step or right after it.
 * Every call that leaves the process is a step.
 */
export class CrashPoints {
  /** How many steps were taken. */
  steps = 0;
  readonly #dieAt: number;
  readonly #isStepDone: boolean;
  #isDead = false;

  constructor(dieAt: number, moment: 'before' | 'after') {
    this.#dieAt = dieAt;
    this.#isStepDone = moment === 'after';
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  wrap<P extends CrashablePorts>(ports: P): P {
    return {
      ...ports,
      exchange: this.#wrapMethods(ports.exchange, ['submit']),
      walletStore: this.#wrapMethods(ports.walletStore, [
        'openWithdrawal',
        'saveSignature',
        'giveUpWithdrawal',
        'hasUnsettled',
        'listUnfinishedWithdrawals',
        'listUnsettledWithdrawals',
        'beginStep',
        'markSettled',
        'listWaitingDeposits',
        'handOverDeposit',
        'takeBackDeposit',
        'markStuck',
        'markCredited',
      ]),
      perpWithdrawals: this.#wrapMethods(ports.perpWithdrawals, [
        'openPending',
        'markPending',
        'findTerms',
        'takeSlot',
        'cancelPending',
      ]),
      reviews: this.#wrapMethods(ports.reviews, [
        'loadFacts',
        'open',
        'markReview',
        'sendToReview',
        'find',
        'takeSlot',
        'approve',
        'refuse',
      ]),
      vaultSigner: this.#wrapMethods(ports.vaultSigner, ['loadStanding', 'signRelease']),
    };
  }

  /** The store of events that wait, in the same process. */
  wrapEvents(events: WaitingEventStore): WaitingEventStore {
    return this.#wrapMethods(events, ['find', 'writeOff', 'link', 'endDeposit']);
  }

  #wrapMethods<T extends object>(target: T, names: readonly (keyof T & string)[]): T {
    return new Proxy(target, {
      get: (_, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        const method = value.bind(target) as (...values: unknown[]) => unknown;
        if (!names.includes(name as keyof T & string)) return method;
        return (...values: unknown[]) => this.#step(() => method(...values));
      },
    });
  }

  async #step(work: () => unknown): Promise<unknown> {
    if (this.#isDead) throw new CrashError('the process is dead');
    const isLast = this.steps === this.#dieAt;
    this.steps += 1;
    if (!isLast) return work();
    this.#isDead = true;
    if (this.#isStepDone) await work();
    throw new CrashError('the process dies');
  }
}

/** Runs work that may die; false if it did. */
export async function survives(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof CrashError) return false;
    throw error;
  }
}
