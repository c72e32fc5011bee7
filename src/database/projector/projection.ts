import type pg from 'pg';
import type { AppliedCommand } from '../../application/ports.ts';
import type { Directory } from './directory.ts';

/** What a projection works with: the batch's transaction and the names behind the ids. */
export interface ProjectionContext {
  readonly client: pg.ClientBase;
  readonly directory: Directory;
}

/**
 * Turns a batch of outcomes into rows of its own tables, within the batch's transaction. It holds
 * no state: whatever it needs beyond the batch stands in its tables or in the directory. A row that
 * the batch touches more than once is written once, as it stands after the batch.
 */
export interface Projection {
  readonly name: string;
  /** Writes the batch's rows; the number of rows written, for the operator. */
  project(batch: readonly AppliedCommand[], context: ProjectionContext): Promise<number>;
}
