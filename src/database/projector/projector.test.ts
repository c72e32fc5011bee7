import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { MemoryOutcomeLog } from '../../../test/support/outcomes.ts';
import { SpotFlow } from '../../../test/support/spot-flow.ts';
import { createDatabaseServices } from '../database-services.ts';

let test: TestDatabase;
beforeEach(async () => {
  test = await openTestDatabase();
});
afterEach(async () => {
  await test.close();
});

describe('Projector', () => {
  it('projector: everything durable reaches the database and is released', async () => {
    const flow = new SpotFlow({ seed: 1 });
    const outcomes = new MemoryOutcomeLog();
    const services = createDatabaseServices({
      database: test.database,
      outcomes,
      secretsKey: '00'.repeat(32),
    });
    outcomes.append(...flow.open(), ...flow.trade(500));
    services.start();
    await services.barrier.waitFor(outcomes.last);
    expect(outcomes.released).toBe(outcomes.last);
    await services.stop();
  });
});
