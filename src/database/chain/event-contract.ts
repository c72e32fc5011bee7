import { type RawBuilder, sql } from 'kysely';
import type { ChainEvent, CountedContract } from '../../application/ports/chain-ledger.ts';

/** The id of the contract that emitted an event. */
export function contractIdOf(
  { formerContract }: Pick<ChainEvent, 'formerContract'>,
  kind: CountedContract = 'spotVault',
): RawBuilder<string | null> {
  return formerContract === undefined
    ? sql<string | null>`active_contract(${kind})`
    : sql<string | null>`(SELECT id FROM contracts WHERE address = ${formerContract}
        AND kind = ${kind})`;
}
