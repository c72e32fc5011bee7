import type { ChainEvent } from '../../application/ports/chain-ledger.ts';
import type { Address } from '../../domain/identifiers.ts';
import type { FollowedBlock } from './block-follower.ts';

/** What a contract has beyond what is counted. */
export interface Missing {
  readonly what: 'accounted' | 'settled' | 'claimed' | 'deposits' | 'releases' | 'redemptions';
  /** The token of `accounted`, the account of numbers and nonces, null for the router's totals. */
  readonly of: Address | null;
  readonly amount: bigint;
}

/**
 * Returns the blocks in which a provider shows more than was counted, oldest first, with all of
 * their events; empty unless the events that were not counted are exactly the missing ones. `read`
 * has each provider's events of each block.
 */
export function findWithheld(
  counted: readonly FollowedBlock<ChainEvent>[],
  read: readonly (readonly (readonly ChainEvent[])[])[],
  isMissing: (events: readonly ChainEvent[]) => boolean,
): readonly FollowedBlock<ChainEvent>[] {
  const providers = Math.max(0, ...read.map(({ length }) => length));
  for (let provider = 0; provider < providers; provider += 1) {
    const fuller = counted.flatMap(({ header, events }, index) => {
      const shown = read[index]?.[provider] ?? [];
      const withheld = shown.filter((event) => !events.some((each) => isSame(each, event)));
      const isWhole = events.every((event) => shown.some((each) => isSame(each, event)));
      return isWhole && withheld.length > 0 ? [{ header, events: shown, withheld }] : [];
    });
    if (fuller.length === 0 || !isMissing(fuller.flatMap(({ withheld }) => withheld))) continue;
    return fuller.map(({ header, events }) => ({ header, events }));
  }
  return [];
}

function isSame(left: ChainEvent, right: ChainEvent): boolean {
  return left.transactionHash === right.transactionHash && left.logIndex === right.logIndex;
}

/** Whether events are exactly what the contracts have beyond what is counted. */
export function explains(events: readonly ChainEvent[], missing: readonly Missing[]): boolean {
  const effects = events.flatMap(effectsOf);
  const sumOf = (of: Missing) =>
    effects
      .filter((each) => each.what === of.what && each.of === of.of)
      .reduce((sum, { amount }) => sum + amount, 0n);
  // The router's events say totals, not by how much they rose.
  const isExplained = missing.every((each) =>
    each.what === 'settled'
      ? events.some(({ type }) => type === 'rewardSettled')
      : sumOf(each) === each.amount,
  );
  // Tokens and the router's totals are compared whole: an effect on another one was counted.
  const isComplete = effects.every(
    (effect) =>
      (effect.what !== 'accounted' && effect.what !== 'claimed') ||
      missing.some((each) => each.what === effect.what && each.of === effect.of),
  );
  return isExplained && isComplete;
}

function effectsOf(event: ChainEvent): readonly Missing[] {
  switch (event.type) {
    case 'vaultDeposited':
      return [moneyOf(event, 1n), { what: 'deposits', of: event.account, amount: 1n }];
    case 'vaultReleased':
      return [moneyOf(event, -1n), { what: 'releases', of: event.account, amount: 1n }];
    case 'vaultReleaseQueued':
      return [{ what: 'releases', of: event.account, amount: 1n }];
    case 'vaultQueuedPaid':
      return [moneyOf(event, -1n)];
    case 'vaultMoved':
      return [moneyOf(event, 1n)];
    case 'rewardRedeemed':
      return [
        { what: 'claimed', of: null, amount: event.amount },
        { what: 'redemptions', of: event.account, amount: 1n },
      ];
    default:
      return [];
  }
}

function moneyOf(
  { token, rawAmount }: { readonly token: Address; readonly rawAmount: bigint },
  sign: bigint,
): Missing {
  return { what: 'accounted', of: token, amount: sign * rawAmount };
}
