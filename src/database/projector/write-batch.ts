import type pg from 'pg';
import type { AppliedCommand } from '../../application/ports.ts';
import { assert } from '../../domain/assert.ts';
import type { Sequence } from '../../domain/identifiers.ts';
import type { Directory } from './directory.ts';
import type { Projection } from './projection.ts';

// The rule that makes every outcome count once: rows and position change in one transaction, and
// only where the stored position is the one that the batch follows. A batch whose commit was cut
// off in the middle, a second projector, or one that was restored from an old state all fail here.

/** Told with each batch, as a hint to look; the payload is the batch's last sequence. */
export const projectedChannel = 'openbourse_projected';

const positionName = 'exchange';

/** The stored position is not the expected one: read it and go on from there. */
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
 * Writes the outcomes that follow the position, in one transaction; the number of rows.
 * @throws PositionMovedError where another batch came first
 */
export async function writeBatch(
  { client, directory, projections }: BatchTarget,
  after: Sequence,
  batch: readonly AppliedCommand[],
): Promise<number> {
  const last = requireContiguous(after, batch);
  await client.query('BEGIN');
  const moved = await client.query(
    'UPDATE projector_position SET position = $1 WHERE name = $2 AND position = $3',
    [last, positionName, after],
  );
  if (moved.rowCount !== 1) {
    await client.query('ROLLBACK');
    throw new PositionMovedError(`the database is no longer at position ${after}`);
  }
  await directory.prepare(batch, client);
  let rowCount = 0;
  for (const projection of projections) {
    rowCount += await projection.project(batch, { client, directory });
  }
  await client.query(`SELECT pg_notify('${projectedChannel}', $1)`, [String(last)]);
  await client.query('COMMIT');
  return rowCount;
}

function requireContiguous(after: Sequence, batch: readonly AppliedCommand[]): Sequence {
  let expected = after as number;
  for (const { sequence } of batch) {
    expected += 1;
    assert(sequence === expected, `outcome ${sequence} where ${expected} was due`);
  }
  assert(expected > after, 'a batch holds at least one outcome');
  return expected as Sequence;
}
