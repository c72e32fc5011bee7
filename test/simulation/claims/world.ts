import type { BlockReference } from '../../../src/application/ports/chain-ledger.ts';
import type { FollowerState } from '../../../src/chain/events/block-follower.ts';
import type { MicroUsdt } from '../../../src/domain/micro-usdt.ts';
import type { ClaimBook } from '../../support/claims/claim-book.ts';

// A small world for the claim machine: one account, one operator, a chain of a few blocks that may
// be rewritten, a database, and a service that can die between any two of its steps. The rules are
// the product's own; what surrounds them is modelled here in the plainest way.

/** What the operator or the account can put into a block. */
export type ModelTransaction =
  | {
      readonly kind: 'settle';
      readonly nonce: number;
      readonly version: number;
      readonly amount: bigint;
    }
  | { readonly kind: 'cancel'; readonly nonce: number; readonly version: number }
  | { readonly kind: 'redeem'; readonly voucher: number };

/** What the contract's log says of them. */
export type ModelEvent =
  | { readonly kind: 'settled'; readonly total: bigint }
  | { readonly kind: 'redeemed'; readonly nonce: number; readonly amount: bigint };

export interface ModelBlock {
  readonly id: number;
  /** Seconds of the chain's clock. */
  readonly time: number;
  readonly transactions: readonly ModelTransaction[];
}

/** A signature that the service gave out; it can be used by anyone who holds it, forever. */
export interface Voucher {
  readonly amount: bigint;
  readonly nonce: number;
  readonly deadline: number;
}

export interface SavedTransaction {
  readonly nonce: number;
  readonly batch: number;
  readonly versions: readonly {
    readonly kind: 'call' | 'cancel';
    readonly isSent: boolean;
  }[];
  readonly isCancelRequested: boolean;
  readonly isFinished: boolean;
  /** The block at which it was finished. */
  readonly finishedBlock: number | null;
}

interface SavedBatch {
  readonly batch: number;
  /** What the transaction carries. */
  readonly amount: MicroUsdt;
  readonly isOpen: boolean;
}

export interface World {
  /** The first block holds nothing and is never rewritten. */
  readonly chain: readonly ModelBlock[];
  readonly blocksMade: number;
  /** Versions in the pools of the nodes. */
  readonly pool: readonly { readonly nonce: number; readonly version: number }[];
  readonly vouchers: readonly Voucher[];
  readonly book: ClaimBook;
  readonly batches: readonly SavedBatch[];
  readonly transactions: readonly SavedTransaction[];
  readonly counted: readonly BlockReference[];
  /** What the service has in memory only. */
  readonly scan: FollowerState<ModelEvent> | null;
  readonly claimNonceRead: number | null;
  readonly budget: Budget;
}

/** How often each thing may still happen, which bounds the search. */
export interface Budget {
  readonly blocks: number;
  readonly reorganizations: number;
  readonly crashes: number;
  readonly claims: number;
  readonly retries: number;
  readonly foreignVouchers: number;
  readonly leaps: number;
  readonly earnings: number;
  readonly drops: number;
  readonly cancels: number;
  readonly replacements: number;
}

/** How the world is set up, and which of the house's rules are broken on purpose. */
export interface Scenario {
  readonly confirmations: number;
  readonly reorganizationDepthMax: number;
  readonly budget: Budget;
  /** Commission rows of the start: settled already, or with some attempts behind them. */
  readonly earnings: readonly {
    readonly commission: bigint;
    readonly isSettled: boolean;
    readonly attempts: number;
  }[];
  readonly isStaleNodePossible: boolean;
  readonly planted: ReadonlySet<PlantedBug>;
}

export type PlantedBug =
  /** An attempt that takes long is abandoned, and the next one takes a new nonce. */
  | 'retry_with_new_nonce'
  /** Batches carry what is new instead of the total, and the contract adds it. */
  | 'settlement_adds_up'
  /** Batches carry what is new instead of the total, the contract keeps the maximum. */
  | 'settlement_not_cumulative'
  /** An order is abandoned when the server's clock is past its deadline. */
  | 'expiry_by_server_clock'
  /** The listener takes blocks by number without looking at their parents. */
  | 'parents_not_checked'
  /** An order is made without comparing the chain's nonce with what was counted. */
  | 'claim_without_nonce_check'
  /** The cursor moves before the effects, and a crash comes between. */
  | 'cursor_before_effects'
  /** A redemption finishes whatever order is open, whatever its nonce and amount. */
  | 'redemption_finishes_any_order';

export const voucherSeconds = 3;
export const leapSeconds = 4;

/** The contract after a block: a fold over the transactions up to it. */
export interface ContractState {
  readonly settled: bigint;
  readonly claimed: bigint;
  readonly nonce: number;
  readonly operatorNonce: number;
}

function contractAtStart({ earnings }: Scenario): ContractState {
  const settled = earnings.reduce(
    (sum, { isSettled, commission }) => sum + (isSettled ? commission : 0n),
    0n,
  );
  return { settled, claimed: 0n, nonce: 0, operatorNonce: 0 };
}

export function contractAt(world: World, scenario: Scenario, number: number): ContractState {
  return world.chain
    .slice(0, number + 1)
    .flatMap(({ transactions }) => transactions)
    .reduce(
      (state, transaction) => execute(state, transaction, world, scenario),
      contractAtStart(scenario),
    );
}

export function execute(
  state: ContractState,
  transaction: ModelTransaction,
  { vouchers }: Pick<World, 'vouchers'>,
  { planted }: Pick<Scenario, 'planted'>,
): ContractState {
  switch (transaction.kind) {
    case 'settle': {
      const { amount } = transaction;
      const sum = planted.has('settlement_adds_up')
        ? state.settled + amount
        : amount > state.settled
          ? amount
          : state.settled;
      return { ...state, settled: sum, operatorNonce: state.operatorNonce + 1 };
    }
    case 'cancel':
      return { ...state, operatorNonce: state.operatorNonce + 1 };
    case 'redeem': {
      const voucher = voucherOf(vouchers, transaction.voucher);
      return { ...state, claimed: state.claimed + voucher.amount, nonce: state.nonce + 1 };
    }
  }
}

/** Whether the contract would pay a voucher in a block of this time. */
export function isRedeemable(state: ContractState, voucher: Voucher, time: number): boolean {
  return (
    voucher.nonce === state.nonce &&
    time <= voucher.deadline &&
    voucher.amount <= state.settled - state.claimed
  );
}

export function voucherOf(vouchers: readonly Voucher[], index: number): Voucher {
  const voucher = vouchers[index];
  if (voucher === undefined) throw new Error('a voucher that was never given out');
  return voucher;
}

export function headOf({ chain }: Pick<World, 'chain'>): ModelBlock {
  const head = chain.at(-1);
  if (head === undefined) throw new Error('the chain is empty');
  return head;
}

export function cursorOf({ counted }: Pick<World, 'counted'>): BlockReference {
  const cursor = counted.at(-1);
  if (cursor === undefined) throw new Error('nothing is counted');
  return cursor;
}

export function hashOf(block: ModelBlock): `0x${string}` {
  return `0x${block.id}`;
}

/** Whether the last counted block is still on the chain. */
export function isCursorOnChain(world: World): boolean {
  const cursor = cursorOf(world);
  const block = world.chain[cursor.number];
  return block !== undefined && hashOf(block) === cursor.hash;
}

export function startWorld(scenario: Scenario, book: ClaimBook): World {
  const first: ModelBlock = { id: 0, time: 0, transactions: [] };
  return {
    chain: [first],
    blocksMade: 1,
    pool: [],
    vouchers: [],
    book,
    batches: [],
    transactions: [],
    counted: [{ number: 0, hash: hashOf(first) }],
    scan: null,
    claimNonceRead: null,
    budget: scenario.budget,
  };
}
