import type { Address, TimestampMs } from '../../domain/identifiers.ts';
import { awaitAccountRow } from '../account/load-profile.ts';
import type { ReadBarrier } from '../ports/database.ts';
import type { Exchange } from '../ports/exchange.ts';
import type { Moment, ReferralReader, ReferralStore } from './referral-ports.ts';

// Shared by the use cases of the referral program.

export interface ReferralReadPorts {
  readonly exchange: Exchange;
  readonly barrier: ReadBarrier;
  readonly referralReader: ReferralReader;
  readonly now: () => TimestampMs;
}

export interface ReferralWritePorts {
  readonly exchange: Exchange;
  readonly barrier: ReadBarrier;
  readonly referral: ReferralStore;
  readonly now: () => TimestampMs;
}

/** A use case's value, or why it was refused. */
export type ReferralOutcome<T, R extends string> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'refused'; readonly refusal: R };

/** The moment to stamp a change with, once the caller's own row is in the database. */
export async function beginChange(ports: ReferralWritePorts, caller: Address): Promise<Moment> {
  await awaitAccountRow(ports, caller);
  return presentMoment(ports);
}

export function presentMoment({
  exchange,
  now,
}: Pick<ReferralWritePorts, 'exchange' | 'now'>): Moment {
  return { time: new Date(now()), durable: exchange.durableSequence };
}

const dayMs = 86_400_000;

export function daysBefore(now: TimestampMs, days: number): Date {
  return new Date(now - days * dayMs);
}

/** A trader counts as active for this many days after its last trade. */
export const activeDays = 7;
