import { sql } from 'kysely';
import { expect } from 'vitest';
import type { RewardRedeemedEvent } from '../../../src/application/ports/chain-ledger.ts';
import { DatabaseClaimStore } from '../../../src/database/claims/claim-store.ts';
import {
  countRedemption,
  uncountRedemptions,
} from '../../../src/database/claims/count-redemptions.ts';
import {
  countSettlement,
  uncountSettlements,
} from '../../../src/database/claims/count-settlements.ts';
import { expireClaimOf, listOverdueClaims } from '../../../src/database/claims/overdue-claims.ts';
import { DatabaseSettlementStore } from '../../../src/database/claims/settlement-store.ts';
import type { DatabasePool } from '../../../src/database/database-pool.ts';
import type { Address } from '../../../src/domain/identifiers.ts';
import { toMicroUsdt } from '../../../src/domain/micro-usdt.ts';
import type { Claim, ClaimEffect } from '../../../src/programs/claims/claim.ts';
import { createClaim, retryClaim } from '../../../src/programs/claims/create-claim.ts';
import { planSettlement, settlementAttemptsMax } from '../../../src/programs/claims/settlement.ts';
import { Contradiction, countBlocks, rollBack } from '../../simulation/claims/database.ts';
import type { ModelEvent, Scenario, World } from '../../simulation/claims/world.ts';
import {
  applyEffects,
  changeEarnings,
  emptyBook,
  factsOf,
  newEarning,
  sumOf,
} from './claim-book.ts';
import { addAccount, addEarning } from './earning-rows.ts';

// One account's commission and claims twice: in the tables, and on plain arrays. Everything is done
// to both, and both must stay the same.

const account = '0x00000000000000000000000000000000000000a1' as Address;
const time = new Date('2026-01-05T12:00:00.000Z');
const scenario = { planted: new Set() } as unknown as Scenario;
const minimum = toMicroUsdt(10n);

type Ledger = Pick<World, 'book' | 'batches' | 'counted' | 'transactions'>;

export interface TwinTerms {
  readonly chainNonce: number;
  readonly deadline: number;
}

export class ClaimTwin {
  readonly pool: DatabasePool;
  readonly claims: DatabaseClaimStore;
  readonly settlements: DatabaseSettlementStore;
  model: Ledger = { book: emptyBook, batches: [], counted: [], transactions: [] };
  #claimCount = 0;
  /** The database's names of the model's batches. */
  readonly #batchIds = new Map<number, string>();

  constructor(pool: DatabasePool) {
    this.pool = pool;
    this.claims = new DatabaseClaimStore(pool);
    this.settlements = new DatabaseSettlementStore(pool);
  }

  async open(): Promise<void> {
    await addAccount(this.pool, 1, account);
    await addAccount(this.pool, 2, '0x00000000000000000000000000000000000000b2' as Address);
  }

  async earn(commission: bigint): Promise<void> {
    await addEarning(this.pool, { beneficiary: 1, trader: 2, commission: toMicroUsdt(commission) });
    const { book } = this.model;
    const earnings = [...book.earnings, newEarning(commission)];
    this.model = { ...this.model, book: { ...book, earnings } };
  }

  async planBatch(): Promise<void> {
    await this.settlements.planBatches(10);
    const { book, batches } = this.model;
    if (batches.some(({ isOpen }) => isOpen)) return;
    const isWaiting = ({ syncStatus }: { syncStatus: string }): boolean => syncStatus === 'pending';
    const synced = sumOf(book.earnings, ({ syncStatus }) => syncStatus === 'synced');
    const pending = sumOf(book.earnings, isWaiting);
    const [[item] = []] = planSettlement([{ account, synced, pending }], 10);
    if (item === undefined) return;
    const batch = batches.length;
    const opened = await this.settlements.listOpenBatches();
    expect(opened.map(({ items }) => items)).toEqual([[item]]);
    this.#batchIds.set(batch, opened[0]?.batchId ?? '');
    this.model = {
      ...this.model,
      book: changeEarnings(book, isWaiting, { batch }),
      batches: [...batches, { batch, amount: item.total, isOpen: true }],
    };
  }

  async countAttempt(batch: number): Promise<void> {
    await this.settlements.countAttempt(this.#batchIds.get(batch) ?? '', 'planted');
    const { book, batches } = this.model;
    const earnings = book.earnings.map((earning) => {
      if (earning.batch === null || earning.syncStatus !== 'pending') return earning;
      if (earning.batch > batch) return earning;
      const attempts = earning.attempts + 1;
      const syncStatus = attempts >= settlementAttemptsMax ? 'failed' : 'pending';
      return { ...earning, attempts, syncStatus, batch: null } as const;
    });
    this.model = {
      ...this.model,
      book: { ...book, earnings },
      batches: batches.map((entry) =>
        entry.batch === batch ? { ...entry, isOpen: false } : entry,
      ),
    };
  }

  /** The refusal, or null if an order was made; the same from both. */
  async claim({ chainNonce, deadline }: TwinTerms): Promise<string | null> {
    this.#claimCount += 1;
    const claimNo = `CLM-${this.#claimCount}`;
    const terms = { claimNo, chainNonce, deadline, minimum };
    const decision = createClaim(factsOf(this.model.book), terms);
    const result = await this.claims.create({ account, ...terms }, time);
    return this.#take(decision, result.kind === 'refused' ? result.refusal : null);
  }

  async retry(claim: Claim, terms: TwinTerms): Promise<string | null> {
    const decision = retryClaim(factsOf(this.model.book), claim, terms);
    const { claimNo } = claim;
    const result = await this.claims.retry({ account, claimNo, ...terms }, time);
    return this.#take(decision, result.kind === 'refused' ? result.refusal : null);
  }

  /** False if both found that the chain contradicts the database. */
  async count(number: number, seconds: number, events: readonly ModelEvent[]): Promise<boolean> {
    const header = { number, hash: `0x${number}`, parentHash: '0x', timestamp: seconds } as never;
    let contradiction: string | null = null;
    try {
      this.model = countBlocks(this.model, [{ header, events }], scenario);
    } catch (error) {
      if (!(error instanceof Contradiction)) throw error;
      contradiction = error.message;
    }
    const found = await this.#countInTables(number, seconds, events);
    expect(found).toBe(contradiction);
    return contradiction === null;
  }

  async rollBack(number: number): Promise<void> {
    this.model = rollBack(this.model, { number, hash: `0x${number}` });
    await this.pool.query((db) =>
      db.transaction().execute(async (transaction) => {
        await uncountRedemptions(transaction, number);
        await uncountSettlements(transaction, number);
      }),
    );
  }

  /** The tables hold what the arrays hold. */
  async expectSame(): Promise<void> {
    const { book } = this.model;
    const facts = factsOf(book);
    const kept = await this.claims.loadFacts(account);
    expect({ ...kept, processing: null }).toEqual({ ...facts, processing: null });
    expect(await this.#claimLines()).toEqual(book.claims.map(claimLine).sort());
    expect(await this.#earningLines()).toEqual(this.#modelLines());
  }

  #take(decision: ReturnType<typeof createClaim>, refusal: string | null): string | null {
    expect(refusal).toBe(decision.kind === 'rejected' ? decision.rejection.reason : null);
    const effects: readonly ClaimEffect[] = decision.kind === 'accepted' ? decision.effects : [];
    this.model = { ...this.model, book: applyEffects(this.model.book, effects, 0) };
    return refusal;
  }

  async #countInTables(
    block: number,
    seconds: number,
    events: readonly ModelEvent[],
  ): Promise<string | null> {
    return this.pool.query((db) =>
      db.transaction().execute(async (transaction) => {
        for (const event of events) {
          const place = { transactionHash: '0xaa', logIndex: 0, account } as const;
          if (event.kind === 'settled') {
            const settledTotal = toMicroUsdt(event.total);
            const settled = { ...place, type: 'rewardSettled', settledTotal } as const;
            await countSettlement(transaction, settled, block);
            continue;
          }
          const redeemed: RewardRedeemedEvent = {
            ...place,
            type: 'rewardRedeemed',
            amount: toMicroUsdt(event.amount),
            nonce: event.nonce,
          };
          const contradiction = await countRedemption(transaction, redeemed, { block, time });
          if (contradiction !== null) return contradiction;
        }
        for (const slot of await listOverdueClaims(transaction, seconds)) {
          await expireClaimOf(transaction, slot, { block, chainSeconds: seconds, time });
        }
        return null;
      }),
    );
  }

  async #claimLines(): Promise<readonly string[]> {
    const { rows } = await this.pool.query((db) =>
      sql<{ line: string }>`
        SELECT concat_ws(' ', origin, (amount * 1000000)::bigint, nonce, deadline, status,
          failure_reason) AS line FROM commission_claims`.execute(db),
    );
    return rows.map(({ line }) => line).sort();
  }

  // Sums, as the tables may hold a split row in another place than the arrays.
  async #earningLines(): Promise<readonly string[]> {
    const { rows } = await this.pool.query((db) =>
      sql<{ line: string }>`
        SELECT concat_ws(' ', earning.status, chain_sync_status,
            coalesce(claim.origin || claim.nonce || claim.status, '-'),
            (sum(commission) * 1000000)::bigint) AS line
        FROM referral_earnings AS earning
        LEFT JOIN commission_claim_items AS item ON item.earning_id = earning.id
        LEFT JOIN commission_claims AS claim ON claim.id = item.claim_id
        GROUP BY earning.status, chain_sync_status, claim.origin, claim.nonce, claim.status`.execute(
        db,
      ),
    );
    return rows.map(({ line }) => line).sort();
  }

  #modelLines(): readonly string[] {
    const { earnings, claims } = this.model.book;
    const sums = new Map<string, bigint>();
    for (const { claimNo, commission, status, syncStatus } of earnings) {
      const claim = claims.find((entry) => entry.claimNo === claimNo);
      const of = claim === undefined ? '-' : `${claim.origin}${claim.nonce}${claim.status}`;
      const key = `${status} ${syncStatus} ${of}`;
      sums.set(key, (sums.get(key) ?? 0n) + commission);
    }
    return [...sums].map(([key, sum]) => `${key} ${sum}`).sort();
  }
}

function claimLine({ origin, amount, nonce, deadline, status, failureReason }: Claim): string {
  return [origin, amount, nonce, deadline, status, failureReason]
    .filter((part) => part !== null)
    .join(' ');
}
