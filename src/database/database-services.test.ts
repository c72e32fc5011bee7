import { expect, onTestFinished, test, vi } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import { MemoryOutcomeLog } from '../../test/support/outcomes.ts';
import { SpotFlow } from '../../test/support/spot-flow.ts';
import { DatabaseError } from '../application/ports/database.ts';
import type { Sequence } from '../domain/identifiers.ts';
import { createDatabaseServices } from './database-services.ts';

const secretsKey = '0'.repeat(64);

/** A database that holds a few outcomes, as a process leaves it that stops. */
async function projectedDatabase() {
  const test = await openTestDatabase();
  onTestFinished(() => test.close());
  const log = new MemoryOutcomeLog();
  const { database } = test;
  const services = createDatabaseServices({
    database,
    outcomes: log,
    journalEnd: () => log.last,
    secretsKey,
  });
  services.start();
  log.append(...new SpotFlow({ seed: 4 }).open());
  await services.barrier.waitFor(log.last);
  await services.stop();
  return { database, log };
}

type Projected = Awaited<ReturnType<typeof projectedDatabase>>;

/** The services of the next process, whose projector has not begun yet. */
function nextServices({ database, log }: Projected, journalEnd: Sequence) {
  const services = createDatabaseServices({
    database,
    outcomes: log,
    journalEnd: () => journalEnd,
    secretsKey,
    barrierTimeoutMs: 50,
    startProjector: () => ({ start: () => undefined, stop: async () => undefined }),
  });
  onTestFinished(() => services.stop());
  services.start();
  return services;
}

test('services: what the database held at the last stop is read at once after a start', async () => {
  const projected = await projectedDatabase();
  const { last } = projected.log;
  const services = nextServices(projected, last);
  await vi.waitFor(() => expect(services.isPositionKnown).toBe(true));
  await services.barrier.waitFor(last);
  expect(services.position).toBe(last);
});

test('services: a database ahead of the journal is not used', async () => {
  const projected = await projectedDatabase();
  const { last } = projected.log;
  const services = nextServices(projected, (last - 1) as Sequence);
  await expect(services.barrier.waitFor(last)).rejects.toThrow(DatabaseError);
  expect(services.isPositionKnown).toBe(false);
});
