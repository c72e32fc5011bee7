import type { BlockReference } from '../../../src/application/ports/chain-ledger.ts';
import type { FollowedBlock } from '../../../src/chain/events/block-follower.ts';
import { toMicroUsdt } from '../../../src/domain/micro-usdt.ts';
import type { Claim, Redemption } from '../../../src/programs/claims/claim.ts';
import { expireClaim } from '../../../src/programs/claims/expire-claim.ts';
import {
  observeRedemption,
  revertRedemption,
} from '../../../src/programs/claims/observe-redemption.ts';
import { isSettledBy } from '../../../src/programs/claims/settlement.ts';
import {
  applyEffects,
  type ClaimBook,
  changeEarnings,
  factsOf,
} from '../../support/claims/claim-book.ts';
import type { ModelEvent, Scenario, World } from './world.ts';

// What the database does in one transaction each: count blocks, take blocks back.

/** The chain reported something impossible; the product parks the event and raises an alarm. */
export class Contradiction extends Error {}

type Ledger = Pick<World, 'book' | 'batches' | 'counted' | 'transactions'>;

export function countBlocks<W extends Ledger>(
  world: W,
  blocks: readonly FollowedBlock<ModelEvent>[],
  scenario: Scenario,
): W {
  const counted = blocks.reduce((next, { header, events }) => {
    const after = events.reduce<Ledger>(
      (ledger, event) => countEvent(ledger, event, header.number, scenario),
      next,
    );
    const cursor = { number: header.number, hash: header.hash };
    return { ...next, ...after, counted: [...next.counted, cursor] };
  }, world);
  const last = blocks.at(-1);
  return last === undefined ? counted : expire(counted, last.header.timestamp);
}

function countEvent(ledger: Ledger, event: ModelEvent, block: number, scenario: Scenario): Ledger {
  if (event.kind === 'settled') return countSettlement(ledger, event.total, block);
  const { nonce, amount } = event;
  const redemption: Redemption = { nonce, amount: toMicroUsdt(amount), transactionHash: '' };
  return { ...ledger, book: countRedemption(ledger.book, redemption, block, scenario) };
}

function countSettlement(ledger: Ledger, total: bigint, block: number): Ledger {
  return ledger.batches.reduce((next, { batch, amount, isOpen }) => {
    const item = { account: '' as never, total: amount };
    if (!isOpen || !isSettledBy(item, toMicroUsdt(total))) return next;
    const isIn = (earning: { batch: number | null; syncStatus: string }): boolean =>
      earning.batch === batch && earning.syncStatus === 'pending';
    return {
      ...next,
      book: changeEarnings(next.book, isIn, { syncStatus: 'synced', syncedBlock: block }),
      batches: next.batches.map((entry) =>
        entry.batch === batch ? { ...entry, isOpen: false } : entry,
      ),
    };
  }, ledger);
}

function countRedemption(
  book: ClaimBook,
  redemption: Redemption,
  block: number,
  { planted }: Scenario,
): ClaimBook {
  const facts = factsOf(book);
  const newClaimNo = `redemption-${redemption.nonce}`;
  const counted = book.redemptions.find(({ nonce }) => nonce === redemption.nonce) ?? null;
  const match = planted.has('redemption_finishes_any_order')
    ? facts.processing
    : findAwaiting(book, redemption);
  const decision = observeRedemption(facts, redemption, { match, counted, newClaimNo });
  if (decision.kind === 'contradiction') throw new Contradiction(decision.contradiction);
  return applyEffects(book, decision.effects, block);
}

// The processing order first: it may have the nonce and amount of one that lost its redemption.
function findAwaiting({ claims }: ClaimBook, redemption: Redemption): Claim | null {
  const awaiting = claims.filter((claim) => isAwaiting(claim, redemption));
  return awaiting.find(({ status }) => status === 'processing') ?? awaiting[0] ?? null;
}

function isAwaiting(claim: Claim, { nonce, amount }: Redemption): boolean {
  const isOpen = claim.status === 'processing' || claim.failureReason === 'CHAIN_REORGANIZED';
  return isOpen && claim.nonce === nonce && claim.amount === amount;
}

function expire<W extends Ledger>(world: W, chainSeconds: number): W {
  const { processing } = factsOf(world.book);
  if (processing === null) return world;
  const effects = expireClaim(processing, chainSeconds);
  return { ...world, book: applyEffects(world.book, effects, 0) };
}

/** Takes everything back that was counted after a block. */
export function rollBack<W extends Ledger>(world: W, to: BlockReference): W {
  const undone = world.book.redemptions
    .filter(({ block }) => block > to.number)
    .sort((left, right) => right.nonce - left.nonce);
  const claimsBack = undone.reduce((book, redemption) => {
    const claim = book.claims.find(({ claimNo }) => claimNo === redemption.claimNo);
    const origin = claim?.origin ?? 'order';
    return applyEffects(book, revertRedemption(factsOf(book), redemption, origin), 0);
  }, world.book);
  const isUnsettled = ({ syncedBlock }: { syncedBlock: number | null }): boolean =>
    syncedBlock !== null && syncedBlock > to.number;
  const reopened = new Set(world.book.earnings.filter(isUnsettled).map(({ batch }) => batch));
  return {
    ...world,
    book: changeEarnings(claimsBack, isUnsettled, { syncStatus: 'pending', syncedBlock: null }),
    batches: world.batches.map((entry) =>
      reopened.has(entry.batch) ? { ...entry, isOpen: true } : entry,
    ),
    transactions: world.transactions.map((entry) =>
      entry.finishedBlock !== null && entry.finishedBlock > to.number
        ? { ...entry, isFinished: false, finishedBlock: null }
        : entry,
    ),
    counted: world.counted.filter(({ number }) => number <= to.number),
  };
}
