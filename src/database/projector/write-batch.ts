import type pg from 'pg';
import type { AppliedCommand } from '../../application/ports/exchange.ts';
import { assert } from '../../domain/assert.ts';
import type { Sequence } from '../../domain/identifiers.ts';
import type { Directory } from './directory.ts';
import { OutcomeBatch } from './outcome-batch.ts';
import type { Projection } from './projection.ts';
import { StatementQueue } from './statement-queue.ts';

// The rule that makes every outcome count once: rows and position change in one transaction, and
// only if the stored position is the one that the batch follows. A batch whose commit was
// interrupted, a second projector, or one restored from an old state all fail here.

/** The channel notified with each batch, as a hint; the payload is the batch's last sequence. */
export const projectedChannel = 'openbourse_projected';

const positionName = 'exchange';

/** The stored position is not the expected one: read it and continue from there. */
export class PositionMovedError extends Error {
  override readonly name = 'PositionMovedError';
}

export interface BatchTarget {
  readonly client: pg.ClientBase;
  readonly directory: Directory;
  readonly projections: readonly Projection[];
}

/** The sequence up to which the database holds everything. */
export async function loadPosition(client: pg.ClientBase): Promise<Sequence> {
  const { rows } = await client.query<{ position: string }>(
    'SELECT position FROM projector_position WHERE name = $1',
    [positionName],
  );
  const [row] = rows;
  assert(row !== undefined, 'the projector position has a row');
  return Number(row.position) as Sequence;
}

/**
 * Writes the outcomes after the position in one transaction; returns the number of rows. After a
 * failure the connection must be closed: the transaction may be open or its result unknown.
 * @throws PositionMovedError if another batch came first
 */
export async function writeBatch(
  { client, directory, projections }: BatchTarget,
  after: Sequence,
  outcomes: readonly AppliedCommand[],
): Promise<number> {
  const last = requireContiguous(after, outcomes);
  const batch = new OutcomeBatch(outcomes);
  const queue = new StatementQueue(client);
  void queue.run({ text: 'BEGIN' });
  void queue.inTurn(() => movePosition(client, after, last));
  await directory.prepare(batch, queue);
  let rowCount = 0;
  let previous: Promise<number> = Promise.resolve(0);
  for (const projection of projections) {
    const current = projection.project(batch, { statements: queue, directory });
    current.catch(() => undefined);
    rowCount += await previous;
    previous = current;
  }
  rowCount += await previous;
  await queue.run({ text: `NOTIFY ${projectedChannel}, '${last}'; COMMIT` });
  return rowCount;
}

async function movePosition(client: pg.ClientBase, from: Sequence, to: Sequence): Promise<void> {
  const moved = await client.query({
    name: 'move-position',
    text: 'UPDATE projector_position SET position = $1 WHERE name = $2 AND position = $3',
    values: [to, positionName, from],
  });
  if (moved.rowCount === 1) return;
  throw new PositionMovedError(`the database is no longer at position ${from}`);
}

function requireContiguous(after: Sequence, batch: readonly AppliedCommand[]): Sequence {
  let expected = after as number;
  for (const { sequence } of batch) {
    expected += 1;
    assert(sequence === expected, `outcome ${sequence} instead of ${expected}`);
  }
  assert(expected > after, 'a batch holds at least one outcome');
  return expected as Sequence;
}
