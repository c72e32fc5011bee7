import { DatabaseError } from '../../../src/application/ports/database.ts';
import type { AppliedCommand } from '../../../src/application/ports/exchange.ts';
import { followWithdrawal } from '../../../src/application/wallet/follow-withdrawal.ts';
import type {
  DepositCredit,
  UnsettledWithdrawal,
  WaitingDeposit,
  WalletStore,
  WithdrawalDraft,
  WithdrawalFunds,
} from '../../../src/application/wallet/wallet-ports.ts';
import type { AccountId, Address, Sequence } from '../../../src/domain/identifiers.ts';
import {
  checkWithdrawalSlot,
  type SlotRejection,
  type WithdrawalStatus,
} from '../../../src/programs/claims/withdrawal.ts';
import type { Draws } from './draws.ts';
import type { MemoryBatches } from './memory-batches.ts';
import type { Actor } from './world.ts';

// The wallet's tables. Each operation checks the same conditions as its SQL statement in
// src/database/wallet or src/database/chain/vault-program.ts.

export interface WithdrawalRow extends WithdrawalDraft {
  status: WithdrawalStatus;
  isSettled: boolean;
  signature: `0x${string}` | null;
  block: number | null;
  step?: { readonly sequence: Sequence | null; readonly timestampMs: number };
}

interface Funds {
  readonly state: WithdrawalFunds;
  readonly sequence: Sequence;
}

export interface DepositRow {
  readonly account: Address;
  readonly number: number;
  readonly tokenAddress: Address;
  readonly rawAmount: bigint;
  block: number | null;
  known: DepositCredit | null;
  handedOverAt: Date | null;
  isCredited: boolean;
}

const freeSlots: readonly WithdrawalStatus[] = ['expired', 'abandoned'];
const paidSlots: readonly WithdrawalStatus[] = ['signed', 'queued', 'completed', 'returned'];
const unmade: readonly WithdrawalStatus[] = ['opening', 'reserved'];

export class WalletTables {
  readonly withdrawals: WithdrawalRow[] = [];
  readonly deposits: DepositRow[] = [];
  readonly #funds = new Map<string, Funds>();
  readonly #database: MemoryBatches;
  readonly #draws: Draws;

  constructor(database: MemoryBatches, draws: Draws) {
    this.#database = database;
    this.#draws = draws;
  }

  /** Does what the projection of `withdrawal_funds` does. */
  take({ events, sequence }: AppliedCommand): void {
    for (const event of events) {
      if (event.type !== 'withdrawalUpdated') continue;
      this.#funds.set(event.withdrawalId, { state: event.state, sequence });
      const row = this.withdrawals.find(({ id }) => id === event.withdrawalId);
      if (row !== undefined) row.isSettled &&= this.#agrees(row);
    }
  }

  /** Runs one transaction, whose answer may be lost. @throws DatabaseError */
  async transact<T>(actor: Actor, work: () => T): Promise<T> {
    const { troubles } = this.#database;
    const done = await this.#database
      .ask(actor, () => {
        if (this.#draws.chance(troubles.abortRate)) throw new Error('the transaction aborted');
        return work();
      })
      .catch((cause: unknown) => {
        if (cause instanceof Error && cause.name === 'Violation') throw cause;
        throw new DatabaseError('the database failed', { cause });
      });
    if (this.#draws.chance(troubles.answersLost)) throw new DatabaseError('the connection broke');
    return done;
  }

  storeFor(actor: Actor, now: () => Date, hasParked: (account: Address) => boolean): WalletStore {
    const transact = <T>(work: () => T): Promise<T> => this.transact(actor, work);
    const rowOf = (id: string) => this.withdrawals.find((row) => row.id === id);
    const waiting = ({ account, number }: WaitingDeposit) =>
      this.deposits.find(
        (row) =>
          row.account === account && row.number === number && row.block !== null && !row.isCredited,
      );
    return {
      openWithdrawal: (draft) => transact(() => this.#open(draft, hasParked)),
      saveSignature: ({ id, nonce, deadline }, { signature }) =>
        transact(() => {
          const row = rowOf(id);
          const isSame = row?.nonce === nonce && row.deadline === deadline;
          if (row?.status !== 'reserved' || !isSame) return false;
          Object.assign(row, { signature, status: 'signed' });
          row.isSettled = this.#agrees(row);
          return true;
        }),
      giveUpWithdrawal: (id) =>
        transact(() => {
          const row = rowOf(id);
          if (row === undefined || !unmade.includes(row.status)) return;
          Object.assign(row, { status: 'abandoned', isSettled: false });
        }),
      hasUnsettled: () => transact(() => this.hasUnsettled),
      listUnfinishedWithdrawals: () =>
        transact(() =>
          this.withdrawals
            .filter(({ isSettled, status }) => !isSettled && unmade.includes(status))
            .map(({ id }) => id),
        ),
      listUnsettledWithdrawals: () => transact(() => this.#listUnsettled()),
      beginStep: (step, notBeforeMs) =>
        transact(() => this.#beginStep(step, Math.max(now().getTime(), notBeforeMs), notBeforeMs)),
      markSettled: (id, status) =>
        transact(() => {
          const row = rowOf(id);
          if (row?.status === status) row.isSettled = this.#agrees(row);
        }),
      listWaitingDeposits: () => transact(() => this.#listWaiting()),
      handOverDeposit: (deposit, known) =>
        transact(() => {
          const row = waiting(deposit);
          if (row === undefined) return null;
          const handedOverAt = now();
          Object.assign(row, { known, handedOverAt });
          return handedOverAt;
        }),
      takeBackDeposit: (deposit, handedOverAt) =>
        transact(() => {
          const row = waiting(deposit);
          if (row?.handedOverAt?.getTime() !== handedOverAt.getTime()) return;
          Object.assign(row, { known: null, handedOverAt: null });
        }),
      markStuck: () => transact(() => undefined),
      markCredited: ({ account, number }) =>
        transact(() => {
          const row = this.deposits.find(
            (each) => each.account === account && each.number === number,
          );
          if (row !== undefined) row.isCredited = true;
        }),
    };
  }

  #beginStep(
    { id, status, fundsSequence: sequence }: Parameters<WalletStore['beginStep']>[0],
    timestampMs: number,
    notBeforeMs: number,
  ): number | null {
    const row = this.withdrawals.find((each) => each.id === id);
    const isSame = row?.status === status && this.#funds.get(id)?.sequence === sequence;
    if (!isSame || row.isSettled) return null;
    const isNamed = row.step?.sequence === sequence && row.step.timestampMs >= notBeforeMs;
    if (!isNamed) row.step = { sequence, timestampMs };
    return row.step!.timestampMs;
  }

  get hasUnsettled(): boolean {
    const isWaiting = this.deposits.some(({ isCredited, block }) => !isCredited && block !== null);
    return isWaiting || this.withdrawals.some(({ isSettled }) => !isSettled);
  }

  // The same condition as in the trigger of `withdrawals`.
  #agrees(row: WithdrawalRow): boolean {
    const funds = this.#funds.get(row.id);
    if (funds === undefined) return true;
    const place = { accountId: 1 as AccountId, isInSpot: true };
    return followWithdrawal(unsettledOf(row, funds), place) === 'settled';
  }

  describeUnsettled(): string {
    const deposits = this.deposits
      .filter(({ isCredited, block }) => !isCredited && block !== null)
      .map(({ account, number }) => `deposit ${number} of ${account}`);
    const withdrawals = this.withdrawals
      .filter(({ isSettled }) => !isSettled)
      .map(({ id, status }) => `${id} ${status} ${this.#funds.get(id)?.state}`);
    return [...deposits, ...withdrawals].slice(0, 5).join(', ');
  }

  #open(draft: WithdrawalDraft, hasParked: (account: Address) => boolean): SlotRejection | null {
    const own = this.withdrawals.filter(({ account }) => account === draft.account);
    const live = own.filter(
      ({ status, nonce }) => nonce >= draft.nonce && !freeSlots.includes(status),
    );
    const isConflict = live.some(({ nonce }) => nonce === draft.nonce);
    const present = live.map((row) => ({ ...row, token: row.tokenAddress }));
    const rejection = checkWithdrawalSlot(present, draft.nonce);
    if (rejection !== null) return rejection;
    const isFollowed =
      draft.nonce === 0 ||
      own.some(({ nonce, status }) => nonce === draft.nonce - 1 && paidSlots.includes(status));
    const isWaiting = own.some(({ status, isSettled }) => status === 'queued' && !isSettled);
    if (isConflict || !isFollowed || isWaiting || hasParked(draft.account)) {
      return { reason: 'withdrawal_slot_conflict' };
    }
    this.withdrawals.push({
      ...draft,
      status: 'reserved',
      isSettled: false,
      signature: null,
      block: null,
    });
    return null;
  }

  #listUnsettled(): readonly UnsettledWithdrawal[] {
    return this.withdrawals
      .filter(({ isSettled, status }) => !isSettled && !unmade.includes(status))
      .map((row) => unsettledOf(row, this.#funds.get(row.id)));
  }

  #listWaiting(): readonly WaitingDeposit[] {
    return this.deposits
      .filter(({ isCredited, block }) => !isCredited && block !== null)
      .sort((a, b) => (a.account === b.account ? a.number - b.number : 0))
      .map(({ account, number, tokenAddress, rawAmount, known }) => ({
        account,
        number,
        tokenAddress,
        rawAmount,
        known,
        resolution: null,
      }));
  }
}

function unsettledOf(
  { id, account, token, amount, status }: WithdrawalRow,
  funds: Funds | undefined,
): UnsettledWithdrawal {
  return {
    id,
    wallet: 'spot',
    account,
    token,
    amount,
    status,
    funds: funds?.state ?? null,
    fundsSequence: funds?.sequence ?? null,
    isReturn: false,
  };
}
