import { type MicroUsdt, toMicroUsdt, zeroMicroUsdt } from '../../../src/domain/micro-usdt.ts';
import type {
  Claim,
  ClaimEffect,
  ClaimFacts,
  CountedRedemption,
} from '../../../src/programs/claims/claim.ts';

// An account's commission and claims on plain arrays: what the database does with the effects, in
// the simplest words.

export interface Earning {
  readonly commission: MicroUsdt;
  readonly status: 'pending' | 'claimed';
  readonly syncStatus: 'pending' | 'synced' | 'failed';
  readonly claimNo: string | null;
  /** The open batch that it is in, or the batch that settled it. */
  readonly batch: number | null;
  readonly attempts: number;
  /** The number of the block that settled it. */
  readonly syncedBlock: number | null;
}

export interface ClaimBook {
  /** Oldest first. */
  readonly earnings: readonly Earning[];
  readonly claims: readonly Claim[];
  readonly redemptions: readonly (CountedRedemption & { readonly block: number })[];
}

export const emptyBook: ClaimBook = { earnings: [], claims: [], redemptions: [] };

export function newEarning(commission: bigint, attempts = 0): Earning {
  return {
    commission: toMicroUsdt(commission),
    status: 'pending',
    syncStatus: 'pending',
    claimNo: null,
    batch: null,
    attempts,
    syncedBlock: null,
  };
}

export function sumOf(
  earnings: readonly Earning[],
  isMeant: (earning: Earning) => boolean,
): MicroUsdt {
  return earnings.reduce<MicroUsdt>(
    (sum, earning) => (isMeant(earning) ? toMicroUsdt(sum + earning.commission) : sum),
    zeroMicroUsdt,
  );
}

function isFree({ status, syncStatus, claimNo }: Earning): boolean {
  return status === 'pending' && syncStatus === 'synced' && claimNo === null;
}

export function factsOf({ earnings, claims, redemptions }: ClaimBook): ClaimFacts {
  const processing = claims.find(({ status }) => status === 'processing') ?? null;
  const isHeld = ({ status, claimNo }: Earning): boolean =>
    status === 'pending' && claimNo !== null && claimNo === processing?.claimNo;
  return {
    redemptionCount: redemptions.length,
    processing,
    held: sumOf(earnings, isHeld),
    free: sumOf(earnings, isFree),
  };
}

export function applyEffects(
  book: ClaimBook,
  effects: readonly ClaimEffect[],
  block: number,
): ClaimBook {
  return effects.reduce((next, effect) => applyEffect(next, effect, block), book);
}

function applyEffect(book: ClaimBook, effect: ClaimEffect, block: number): ClaimBook {
  switch (effect.type) {
    case 'claimOpened':
      return { ...book, claims: [...book.claims, effect.claim] };
    case 'claimReopened': {
      const { nonce, deadline } = effect;
      const change = { status: 'processing', failureReason: null, nonce, deadline } as const;
      return changeClaim(book, effect.claimNo, change);
    }
    case 'allFreeHeld':
      return changeEarnings(book, isFree, { claimNo: effect.claimNo });
    case 'freeHeld':
      return takeFree(book, effect.amount, { claimNo: effect.claimNo });
    case 'heldClaimed':
      return changeEarnings(book, isOf(effect.claimNo), { status: 'claimed' });
    case 'freeClaimed': {
      const change = { claimNo: effect.claimNo, status: 'claimed' } as const;
      return takeFree(book, effect.amount, change);
    }
    case 'heldReleased':
      return changeEarnings(book, isOf(effect.claimNo), { claimNo: null });
    case 'claimedHeld':
      return changeEarnings(book, isOf(effect.claimNo), { status: 'pending' });
    case 'claimSucceeded': {
      const { transactionHash } = effect;
      const change = { status: 'success', failureReason: null, transactionHash } as const;
      return changeClaim(book, effect.claimNo, change);
    }
    case 'claimFailed': {
      const change = { status: 'failed', failureReason: effect.failure } as const;
      return changeClaim(book, effect.claimNo, { ...change, transactionHash: null });
    }
    case 'claimResumed':
      return changeClaim(book, effect.claimNo, { status: 'processing', transactionHash: null });
    case 'claimErased':
      return {
        ...book,
        claims: book.claims.filter(({ claimNo }) => claimNo !== effect.claimNo),
      };
    case 'redemptionCounted':
      return { ...book, redemptions: [...book.redemptions, { ...effect.redemption, block }] };
    case 'redemptionUncounted':
      return {
        ...book,
        redemptions: book.redemptions.filter(({ nonce }) => nonce !== effect.nonce),
      };
  }
}

function isOf(claimNo: string): (earning: Earning) => boolean {
  return (earning) => earning.claimNo === claimNo;
}

function changeClaim(book: ClaimBook, claimNo: string, change: Partial<Claim>): ClaimBook {
  return {
    ...book,
    claims: book.claims.map((claim) =>
      claim.claimNo === claimNo ? { ...claim, ...change } : claim,
    ),
  };
}

export function changeEarnings(
  book: ClaimBook,
  isMeant: (earning: Earning) => boolean,
  change: Partial<Earning>,
): ClaimBook {
  return {
    ...book,
    earnings: book.earnings.map((earning) =>
      isMeant(earning) ? { ...earning, ...change } : earning,
    ),
  };
}

// Oldest first; the last one is split if it is more than what is needed.
function takeFree(book: ClaimBook, amount: MicroUsdt, change: Partial<Earning>): ClaimBook {
  let left: bigint = amount;
  const earnings: Earning[] = [];
  for (const earning of book.earnings) {
    if (!isFree(earning) || left === 0n) {
      earnings.push(earning);
      continue;
    }
    const taken = earning.commission < left ? earning.commission : toMicroUsdt(left);
    left -= taken;
    earnings.push({ ...earning, ...change, commission: taken });
    const rest = earning.commission - taken;
    if (rest > 0n) earnings.push({ ...earning, commission: toMicroUsdt(rest) });
  }
  if (left > 0n) throw new Error('more was taken than is free');
  return { ...book, earnings };
}
