import type {
  BlockReference,
  ChainEvent,
  ChainLedger,
  CountedBlock,
  OverdueSlot,
  ParkedEvent,
} from '../../../src/application/ports/chain-ledger.ts';
import { assert } from '../../../src/domain/assert.ts';
import type { Address } from '../../../src/domain/identifiers.ts';
import { observeRelease } from '../../../src/programs/claims/withdrawal.ts';
import type { WalletTables, WithdrawalRow } from './wallet-tables.ts';
import type { Actor } from './world.ts';

type Reference = BlockReference & { readonly seconds: number };

/** The confirmed chain folded into the wallet's tables, like the vault's program does. */
export class MemoryLedger {
  readonly parked: ParkedEvent[] = [];
  #counted: Reference[] = [];
  readonly #tables: WalletTables;

  constructor(tables: WalletTables) {
    this.#tables = tables;
  }

  get last(): Reference | null {
    return this.#counted.at(-1) ?? null;
  }

  hasParked(account: Address): boolean {
    return this.parked.some(({ event }) => event.account === account);
  }

  openFor(actor: Actor): ChainLedger {
    const transact = <T>(work: () => T): Promise<T> => this.#tables.transact(actor, work);
    return {
      loadCountedBlocks: () => transact(() => this.#counted.slice(-512)),
      startAfter: (block) =>
        transact(() => {
          if (this.#counted.length === 0) this.#counted.push({ ...block, seconds: 0 });
        }),
      countBlocks: (blocks) => transact(() => this.#count(blocks)),
      listOverdue: () => transact(() => this.#listOverdue()),
      expire: (block, proven) =>
        transact(() => {
          if (this.last?.hash !== block.hash) return [];
          const used: OverdueSlot[] = [];
          for (const slot of this.#listOverdue()) {
            const nonce = proven.find(({ account }) => account === slot.account)?.nonce;
            if (nonce === undefined || this.hasParked(slot.account)) continue;
            if (nonce > slot.nonce) used.push(slot);
            else this.#expire(slot);
          }
          return used;
        }),
      rollBackTo: (block) => transact(() => this.#rollBack(block)),
      countParkedEvents: () => transact(() => this.parked.length),
      retryParked: () => transact(() => this.#retry()),
    };
  }

  // All or nothing, as a transaction is: whatever may fail comes first.
  #count(blocks: readonly CountedBlock[]): readonly ParkedEvent[] {
    const cursor = this.last;
    assert(cursor !== null, 'counting begins with a start block');
    const isGapless = blocks.every(({ number }, index) => number === cursor.number + 1 + index);
    assert(isGapless, 'blocks are counted one after the other');
    this.#retry();
    const parked: ParkedEvent[] = [];
    for (const { number, hash, seconds, events } of blocks) {
      for (const event of events) {
        const isBehind = this.hasParked(event.account);
        const error = isBehind ? 'an earlier event waits' : this.#apply(event, number);
        if (error !== null) parked.push({ block: { number, hash }, event, error });
      }
      this.#counted.push({ number, hash, seconds });
    }
    this.parked.push(...parked);
    return parked;
  }

  #retry(): void {
    const waiting = this.parked.splice(0);
    for (const each of waiting) {
      const isBehind = this.hasParked(each.event.account);
      if (isBehind || this.#apply(each.event, each.block.number) !== null) this.parked.push(each);
    }
  }

  #apply(event: ChainEvent, block: number): string | null {
    if (event.type === 'vaultReleased') return this.#follow(event, block);
    if (event.type !== 'vaultDeposited') return 'no program applies this kind of event';
    const { account, number, token, rawAmount } = event;
    const { deposits } = this.#tables;
    const known = deposits.find((row) => row.account === account && row.number === number);
    if (known !== undefined) {
      if (known.tokenAddress !== token || known.rawAmount !== rawAmount) return 'deposit_changed';
      known.block = block;
      return null;
    }
    deposits.push({
      account,
      number,
      tokenAddress: token,
      rawAmount,
      block,
      known: null,
      handedOverAt: null,
      isCredited: false,
    });
    return null;
  }

  #follow(event: Extract<ChainEvent, { type: 'vaultReleased' }>, block: number): string | null {
    const rank = ({ status }: WithdrawalRow): number =>
      status === 'abandoned' ? 2 : status === 'expired' ? 1 : 0;
    const [row] = this.#tables.withdrawals
      .filter(({ account, nonce }) => account === event.account && nonce === event.nonce)
      .reverse()
      .sort((a, b) => rank(a) - rank(b));
    const held = row === undefined ? null : { ...row, token: row.tokenAddress };
    const decision = observeRelease(held, event, 'completed');
    if (decision.kind === 'contradiction') return decision.contradiction;
    if (decision.kind === 'completed') {
      Object.assign(row!, { status: 'completed', isSettled: false, block });
    }
    return null;
  }

  #listOverdue(): readonly OverdueSlot[] {
    const seconds = this.last?.seconds ?? 0;
    return this.#tables.withdrawals
      .filter(({ status, deadline }) => status === 'signed' && deadline < seconds)
      .map(({ account, nonce }) => ({ contract: 'spotVault', account, nonce }));
  }

  #expire({ account, nonce }: OverdueSlot): void {
    const seconds = this.last?.seconds ?? 0;
    for (const row of this.#tables.withdrawals) {
      const isSlot = row.account === account && row.nonce === nonce && row.status === 'signed';
      if (isSlot && row.deadline < seconds) {
        Object.assign(row, { status: 'expired', isSettled: false });
      }
    }
  }

  #rollBack({ number, hash }: BlockReference): void {
    const known = this.#counted.find((block) => block.number === number);
    assert(known?.hash === hash, 'counting can only return to a counted block');
    const { deposits, withdrawals } = this.#tables;
    const isAfter = (block: number | null): boolean => block !== null && block > number;
    const kept = deposits.filter(
      ({ block, handedOverAt }) => !isAfter(block) || handedOverAt !== null,
    );
    deposits.splice(0, deposits.length, ...kept);
    for (const row of deposits) if (isAfter(row.block)) row.block = null;
    for (const row of withdrawals) {
      if (row.status !== 'completed' || !isAfter(row.block)) continue;
      Object.assign(row, { status: 'signed', isSettled: false, block: null });
    }
    const parked = this.parked.filter(({ block }) => block.number <= number);
    this.parked.splice(0, this.parked.length, ...parked);
    this.#counted = this.#counted.filter((block) => block.number <= number);
  }
}
