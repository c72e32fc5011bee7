import { sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { RaisedHalt } from '../../application/ports/chain-halts.ts';
import type {
  BlockReference,
  ChainEvent,
  ChainLedger,
  CountedBlock,
  CountedContract,
  HexText,
  OverdueSlot,
  ParkedEvent,
  ProvenNonce,
} from '../../application/ports/chain-ledger.ts';
import { AssertionError, assert } from '../../domain/assert.ts';
import type { DatabasePool } from '../database-pool.ts';
import type { Tables } from '../tables.ts';
import { decodeEvent, encodeEvent } from './event-codec.ts';
import { contractIdOf } from './event-contract.ts';
import type { BlockMoment, EventProgram } from './event-program.ts';
import { insertHalt, serviceActor } from './halt-store.ts';
import { lockLedger } from './ledger-lock.ts';

// The confirmed chain as far as it is counted. Blocks, their effects and the cursor change in one
// transaction, so every event counts exactly once, whatever fails in between.

/** How many counted blocks are kept, to find a common ancestor after a reorganization. */
const rememberedBlocksMax = 512;

export interface ChainLedgerOptions {
  readonly pool: DatabasePool;
  readonly programs: readonly EventProgram[];
  readonly now: () => Date;
}

export class DatabaseChainLedger implements ChainLedger {
  readonly #pool: DatabasePool;
  readonly #programs: readonly EventProgram[];
  readonly #now: () => Date;

  constructor({ pool, programs, now }: ChainLedgerOptions) {
    this.#pool = pool;
    this.#programs = programs;
    this.#now = now;
  }

  async loadCountedBlocks(): Promise<readonly BlockReference[]> {
    const rows = await this.#pool.query((db) =>
      db.selectFrom('chain_blocks').select(['number', 'hash']).orderBy('number').execute(),
    );
    return rows.map(({ number, hash }) => ({ number: Number(number), hash: hash as HexText }));
  }

  async startAfter({ number, hash }: BlockReference, isFirst = false): Promise<void> {
    await this.#inTransaction(async (transaction) => {
      assert((await findCursor(transaction)) === null, 'counting has already begun');
      await transaction.insertInto('chain_blocks').values({ number, hash, seconds: 0 }).execute();
      if (!isFirst) return;
      await sql`UPDATE contracts SET books_since = ${number} WHERE state = 'active'`.execute(
        transaction,
      );
    });
  }

  async countBlocks(blocks: readonly CountedBlock[]): Promise<readonly ParkedEvent[]> {
    const last = blocks.at(-1);
    if (last === undefined) return [];
    return this.#inTransaction(async (transaction) => {
      await requireSuccession(transaction, blocks);
      const time = this.#now();
      await this.#retryParked(transaction, time);
      const parked: ParkedEvent[] = [];
      for (const block of blocks) {
        parked.push(...(await this.#countBlock(transaction, block, time)));
      }
      await forgetOldBlocks(transaction, last.number);
      return parked;
    });
  }

  async listOverdue(): Promise<readonly OverdueSlot[]> {
    return this.#inTransaction((transaction) => this.#listOverdue(transaction));
  }

  async expire(
    block: BlockReference,
    proven: readonly ProvenNonce[],
  ): Promise<readonly OverdueSlot[]> {
    return this.#inTransaction(async (transaction) => {
      const last = await findLastBlock(transaction);
      if (last?.hash !== block.hash) return [];
      const moment = { block: last.number, chainSeconds: last.seconds, time: this.#now() };
      const used: OverdueSlot[] = [];
      for (const slot of await this.#listOverdue(transaction)) {
        const isSame = (each: OverdueSlot | ProvenNonce): boolean =>
          each.contract === slot.contract && each.account === slot.account;
        const nonce = proven.find(isSame)?.nonce;
        // A waiting event may be the one that used the nonce.
        if (nonce === undefined || (await hasParked(transaction, slot))) continue;
        if (nonce > slot.nonce) used.push(slot);
        else await this.#programOf(slot).expire(transaction, slot, moment);
      }
      return used;
    });
  }

  async rollBackTo({ number, hash }: BlockReference, halt?: RaisedHalt): Promise<void> {
    await this.#inTransaction(async (transaction) => {
      const known = await transaction
        .selectFrom('chain_blocks')
        .select('hash')
        .where('number', '=', String(number))
        .executeTakeFirst();
      assert(known?.hash === hash, 'counting can only return to a counted block');
      for (const program of this.#programs) await program.rollBack(transaction, number);
      await reopenTransactions(transaction, number);
      await transaction
        .deleteFrom('chain_parked_events')
        .where('block_number', '>', String(number))
        .execute();
      await transaction.deleteFrom('chain_blocks').where('number', '>', String(number)).execute();
      if (halt === undefined) return;
      await insertHalt(transaction, { ...halt, raisedBy: serviceActor, at: this.#now() });
    });
  }

  async retryParked(): Promise<void> {
    await this.#inTransaction((transaction) => this.#retryParked(transaction, this.#now()));
  }

  async countParkedEvents(): Promise<number> {
    const { count } = await this.#pool.query((db) =>
      db
        .selectFrom('chain_parked_events')
        .where('ignored_at', 'is', null)
        .select((build) => build.fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow(),
    );
    return Number(count);
  }

  async #countBlock(
    transaction: Transaction<Tables>,
    { number, hash, seconds, events }: CountedBlock,
    time: Date,
  ): Promise<readonly ParkedEvent[]> {
    const moment = { block: number, chainSeconds: seconds, time };
    const parked: ParkedEvent[] = [];
    for (const logged of events) {
      for (const event of await this.#record(transaction, logged, moment)) {
        const error = await this.#applyInTurn(transaction, event, moment);
        if (error === null) continue;
        await this.#park(transaction, { block: { number, hash, seconds }, event, error });
        parked.push({ block: { number, hash }, event, error });
      }
    }
    await transaction.insertInto('chain_blocks').values({ number, hash, seconds }).execute();
    return parked;
  }

  async #record(
    transaction: Transaction<Tables>,
    event: ChainEvent,
    moment: BlockMoment,
  ): Promise<readonly ChainEvent[]> {
    return (await this.#programFor(event)?.record?.(transaction, event, moment)) ?? [event];
  }

  async #park(
    transaction: Transaction<Tables>,
    { block, event, error }: ParkedEvent & { readonly block: { readonly seconds: number } },
  ): Promise<void> {
    await transaction
      .insertInto('chain_parked_events')
      .values({
        block_number: block.number,
        block_hash: block.hash,
        block_seconds: block.seconds,
        log_index: event.logIndex,
        contract: this.#contractOf(event),
        contract_id: contractIdOf(event, this.#contractOf(event)),
        account: event.account,
        event: encodeEvent(event),
        error,
      })
      .execute();
  }

  async #listOverdue(transaction: Transaction<Tables>): Promise<readonly OverdueSlot[]> {
    const last = await findLastBlock(transaction);
    if (last === null) return [];
    const overdue: OverdueSlot[] = [];
    for (const program of this.#programs) {
      overdue.push(...(await program.listOverdue(transaction, last.seconds)));
    }
    return overdue;
  }

  #programFor({ type }: ChainEvent): EventProgram | undefined {
    return this.#programs.find(({ eventTypes }) => eventTypes.includes(type));
  }

  #programOf({ contract }: OverdueSlot): EventProgram {
    const program = this.#programs.find((each) => each.contract === contract);
    assert(program !== undefined, 'a slot belongs to a contract that is counted');
    return program;
  }

  #contractOf({ type }: ChainEvent): CountedContract {
    return type === 'rewardSettled' || type === 'rewardRedeemed' ? 'rewardRouter' : 'spotVault';
  }

  // An account's events of one contract are applied in order or not at all.
  async #applyInTurn(
    transaction: Transaction<Tables>,
    event: ChainEvent,
    moment: BlockMoment,
  ): Promise<string | null> {
    const { account } = event;
    if (await hasParked(transaction, { account, contract: this.#contractOf(event) })) {
      return 'waits for an earlier event of the account';
    }
    return this.#apply(transaction, event, moment);
  }

  async #apply(
    transaction: Transaction<Tables>,
    event: ChainEvent,
    moment: BlockMoment,
  ): Promise<string | null> {
    const program = this.#programFor(event);
    if (program === undefined) return 'no program applies this kind of event';
    await sql`SAVEPOINT event`.execute(transaction);
    const error = await program
      .apply(transaction, event, moment)
      .catch((failure: unknown) => poisonOf(failure));
    if (error !== null) await sql`ROLLBACK TO SAVEPOINT event`.execute(transaction);
    await sql`RELEASE SAVEPOINT event`.execute(transaction);
    return error;
  }

  async #retryParked(transaction: Transaction<Tables>, time: Date): Promise<void> {
    const rows = await transaction
      .selectFrom('chain_parked_events')
      .selectAll()
      .where('ignored_at', 'is', null)
      .orderBy('id')
      .execute();
    const stuck = new Set<string>();
    for (const row of rows) {
      const place = `${row.contract} ${row.account}`;
      if (stuck.has(place)) continue;
      const moment = {
        block: Number(row.block_number),
        chainSeconds: Number(row.block_seconds),
        time,
      };
      const error = await this.#apply(transaction, decodeEvent(row.event), moment);
      if (error === null) {
        await transaction.deleteFrom('chain_parked_events').where('id', '=', row.id).execute();
      } else {
        stuck.add(place);
      }
    }
  }

  async #inTransaction<T>(work: (transaction: Transaction<Tables>) => Promise<T>): Promise<T> {
    return this.#pool.query((db) =>
      db.transaction().execute(async (transaction) => {
        await lockLedger(transaction);
        return work(transaction);
      }),
    );
  }
}

// A failed assertion or a violated constraint is attributed to the event; any other error is the
// database's and ends the transaction.
function poisonOf(failure: unknown): string {
  if (failure instanceof AssertionError) return failure.message;
  const isConstraint =
    failure instanceof pg.DatabaseError && failure.code?.startsWith('23') === true;
  if (isConstraint) return failure.message;
  throw failure;
}

async function findCursor(transaction: Transaction<Tables>): Promise<number | null> {
  const { number } = await transaction
    .selectFrom('chain_blocks')
    .select((build) => build.fn.max('number').as('number'))
    .executeTakeFirstOrThrow();
  return number === null ? null : Number(number);
}

interface LastBlock {
  readonly number: number;
  readonly hash: string;
  readonly seconds: number;
}

async function findLastBlock(transaction: Transaction<Tables>): Promise<LastBlock | null> {
  const row = await transaction
    .selectFrom('chain_blocks')
    .selectAll()
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  return { number: Number(row.number), hash: row.hash, seconds: Number(row.seconds) };
}

async function hasParked(
  transaction: Transaction<Tables>,
  { account, contract }: Pick<OverdueSlot, 'account' | 'contract'>,
): Promise<boolean> {
  const row = await transaction
    .selectFrom('chain_parked_events')
    .select('id')
    .where('contract', '=', contract)
    .where('account', '=', account)
    .where('ignored_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

async function requireSuccession(
  transaction: Transaction<Tables>,
  blocks: readonly CountedBlock[],
): Promise<void> {
  const cursor = await findCursor(transaction);
  assert(cursor !== null, 'counting begins with a start block');
  const isGapless = blocks.every(({ number }, index) => number === cursor + 1 + index);
  assert(isGapless, 'blocks are counted one after the other');
}

async function forgetOldBlocks(transaction: Transaction<Tables>, last: number): Promise<void> {
  await transaction
    .deleteFrom('chain_blocks')
    .where('number', '<=', String(last - rememberedBlocksMax))
    .execute();
}

// A nonce spent in an orphaned block may no longer be spent.
async function reopenTransactions(transaction: Transaction<Tables>, block: number): Promise<void> {
  await transaction
    .updateTable('chain_transactions')
    .set({ outcome: null, result_hash: null, result_block: null })
    .where('result_block', '>', String(block))
    .execute();
}
