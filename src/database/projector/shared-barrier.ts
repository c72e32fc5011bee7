import { DatabaseError, type ReadBarrier } from '../../application/ports/database.ts';
import type { Sequence } from '../../domain/identifiers.ts';

/**
 * Lets reads of history wait for what any process of the exchange has acknowledged: the own
 * process may have heard less of it than the caller.
 */
export class SharedBarrier implements ReadBarrier {
  readonly #barrier: ReadBarrier;
  readonly #acknowledged: () => Promise<Sequence>;

  /** `acknowledged` resolves with what was acknowledged when it was called, or more. */
  constructor(barrier: ReadBarrier, acknowledged: () => Promise<Sequence>) {
    this.#barrier = barrier;
    this.#acknowledged = acknowledged;
  }

  async waitFor(sequence: Sequence): Promise<void> {
    const acknowledged = await this.#acknowledged().catch((cause: unknown) => {
      throw new DatabaseError('it is not known what the database has to hold', { cause });
    });
    await this.#barrier.waitFor(acknowledged > sequence ? acknowledged : sequence);
  }
}
