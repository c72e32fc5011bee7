import type { Transaction } from 'kysely';
import type {
  AgentChange,
  BindingRequest,
  BindingResult,
  CodeRequest,
  Moment,
  ReferralStore,
  SubRateRequest,
} from '../../application/referral/referral-ports.ts';
import type { Address } from '../../domain/identifiers.ts';
import type {
  CodeRefusal,
  PromotionRefusal,
  SubRateRefusal,
} from '../../programs/referral/referral-refusal.ts';
import type { DatabasePool } from '../database-pool.ts';
import type { Tables } from '../tables.ts';
import { changeSubRate, promoteTrader } from './affiliates.ts';
import { changeAgent, createCode } from './agents.ts';
import { bindTrader, unbindTrader } from './bindings.ts';
import { lockReferralGraph } from './journal-position.ts';
import { hasSubRate, queueTerms } from './register-terms.ts';

/**
 * Codes, bindings and affiliates change rarely, so one change at a time is simple and sufficient.
 */
export class DatabaseReferralStore implements ReferralStore {
  readonly #pool: DatabasePool;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
  }

  async createCode(request: CodeRequest, moment: Moment): Promise<CodeRefusal | null> {
    return this.#change((transaction) => createCode(transaction, request, moment));
  }

  async bind(request: BindingRequest, moment: Moment): Promise<BindingResult> {
    return this.#change((transaction) => bindTrader(transaction, request, moment));
  }

  async unbind(trader: Address, moment: Moment): Promise<'not_bound' | null> {
    return this.#change(async (transaction) => {
      const wasAffiliate = await hasSubRate(transaction, trader);
      const refusal = await unbindTrader(transaction, trader, moment);
      if (refusal === null && wasAffiliate) await queueTerms(transaction, trader);
      return refusal;
    });
  }

  async promote(request: SubRateRequest, moment: Moment): Promise<PromotionRefusal | null> {
    return this.#change(async (transaction) => {
      const refusal = await promoteTrader(transaction, request, moment);
      if (refusal === null) await queueTerms(transaction, request.target);
      return refusal;
    });
  }

  async changeSubRate(request: SubRateRequest, moment: Moment): Promise<SubRateRefusal | null> {
    return this.#change(async (transaction) => {
      const refusal = await changeSubRate(transaction, request, moment);
      if (refusal === null) await queueTerms(transaction, request.target);
      return refusal;
    });
  }

  async changeAgent(change: AgentChange, moment: Moment): Promise<'account_not_found' | null> {
    return this.#change(async (transaction) => {
      const refusal = await changeAgent(transaction, change, moment);
      if (refusal === null) await queueTerms(transaction, change.account);
      return refusal;
    });
  }

  async #change<T>(work: (transaction: Transaction<Tables>) => Promise<T>): Promise<T> {
    return this.#pool.query((db) =>
      db.transaction().execute(async (transaction) => {
        await lockReferralGraph(transaction);
        return work(transaction);
      }),
    );
  }
}
