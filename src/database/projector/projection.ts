import type { Directory } from './directory.ts';
import type { OutcomeBatch } from './outcome-batch.ts';
import type { StatementRunner } from './statement-queue.ts';

/** What a projection works with: the batch's transaction and the names of the ids. */
export interface ProjectionContext {
  readonly statements: StatementRunner;
  readonly directory: Directory;
}

/**
 * Turns a batch of outcomes into rows of its own tables, within the batch's transaction. It is
 * stateless: whatever it needs beyond the batch is in its tables or in the directory. A row that
 * the batch touches more than once is written once, in its final state. The next projection folds
 * while the statements of this one are running, all in the registry's order.
 */
export interface Projection {
  readonly name: string;
  /** Writes the batch's rows; returns the number of rows, for the operator. */
  project(batch: OutcomeBatch, context: ProjectionContext): Promise<number>;
}
