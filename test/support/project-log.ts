import { projections } from '../../src/database/projections/registry.ts';
import { DatabaseBatchStore } from '../../src/database/projector/batch-store.ts';
import { PositionBarrier } from '../../src/database/projector/position-barrier.ts';
import { Projector } from '../../src/database/projector/projector.ts';
import type { TestDatabase } from './database.ts';
import { silentLog } from './database-url.ts';
import type { MemoryOutcomeLog } from './outcomes.ts';

/** A started projector, and the barrier that reports its position; the caller stops it. */
export function startProjector({ database }: TestDatabase, log: MemoryOutcomeLog) {
  const barrier = new PositionBarrier(30_000);
  const projector = new Projector({
    store: new DatabaseBatchStore(database.projector, projections),
    outcomes: log,
    journalEnd: () => log.last,
    log: silentLog,
    observer: {
      onPosition: (position) => barrier.moveTo(position),
      onBatch: () => undefined,
      onFailure: (error) => barrier.fail(error),
    },
  });
  projector.start();
  return { projector, barrier };
}

/** Projects the whole log into the database. */
export async function projectLog(test: TestDatabase, log: MemoryOutcomeLog): Promise<void> {
  const { projector, barrier } = startProjector(test, log);
  await barrier.waitFor(log.last);
  await projector.stop();
}
