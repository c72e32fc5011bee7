import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectDatabaseToHold } from '../../test/support/database-contents.ts';
import { silentLog } from '../../test/support/database-url.ts';
import { MemoryOutcomeLog } from '../../test/support/outcomes.ts';
import { flowAddress, SpotFlow } from '../../test/support/spot-flow.ts';
import { DatabaseError } from '../application/ports/database.ts';
import type { AppliedCommand } from '../application/ports/exchange.ts';
import { createDatabaseServices, type DatabaseServices } from './database-services.ts';
import { isAlive, listChildren, readPostmasterFile } from './embedded/running-postmaster.ts';
import { type Database, openDatabase } from './open-database.ts';

let dataDir: string;
let database: Database;
let services: DatabaseServices;
let outcomes: AppliedCommand[];
let log: MemoryOutcomeLog;
let flow: SpotFlow;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'openbourse-outage-'));
  database = await openDatabase({ url: null, dataDir, logger: silentLog });
  flow = new SpotFlow({ seed: 21 });
  log = new MemoryOutcomeLog();
  outcomes = [];
  services = createDatabaseServices({
    database,
    outcomes: log,
    journalEnd: () => log.last,
    secretsKey: '0'.repeat(64),
    barrierTimeoutMs: 20_000,
  });
});
afterEach(async () => {
  await services.stop();
  await database.stop();
  await rm(dataDir, { recursive: true, force: true });
});

function add(more: readonly AppliedCommand[]): void {
  outcomes.push(...more);
  log.append(...more);
}

async function signalServer(signal: NodeJS.Signals): Promise<void> {
  const file = await readPostmasterFile(join(dataDir, 'postgres', 'cluster'));
  if (file === null) throw new Error('no server runs');
  process.kill(file.pid, signal);
}

describe('database outage', () => {
  it('outage: a database that repeatedly dies under load ends with the same tables as a replay', async () => {
    log.batchMax = 10;
    services.start();
    add(flow.open());
    await services.barrier.waitFor(log.last);
    // At once without a checkpoint; then with one; then as a crash would leave it.
    for (const signal of ['SIGQUIT', 'SIGINT', 'SIGQUIT'] as const) {
      add(flow.trade(300));
      await services.barrier.waitFor((log.last - 250) as typeof log.last);
      await signalServer(signal);
      add(flow.trade(100));
      await services.barrier.waitFor(log.last);
    }
    await expectDatabaseToHold(database.reads, outcomes);
  });

  it('outage: while it is down history is a DatabaseError, afterwards everything is there', async () => {
    services.start();
    add([...flow.open(), ...flow.trade(50)]);
    await services.barrier.waitFor(log.last);
    const filter = { address: flowAddress(1), symbol: null, limit: 10, cursor: null };
    const before = await services.history.listTrades(filter);
    await signalServer('SIGINT');
    await vi.waitFor(() =>
      expect(services.history.listTrades(filter)).rejects.toBeInstanceOf(DatabaseError),
    );
    await vi.waitFor(async () => expect(await services.health.isReachable()).toBe(true));
    expect(await services.history.listTrades(filter)).toEqual(before);
  });

  // Only Linux lists a server's processes.
  it.runIf(process.platform === 'linux')(
    'outage: a server that hangs does not delay the stop',
    async () => {
      services.start();
      add([...flow.open(), ...flow.trade(50)]);
      await services.barrier.waitFor(log.last);
      const sessions = await listSessions();
      for (const pid of sessions) process.kill(pid, 'SIGSTOP');
      add(flow.trade(10));
      await services.stop();
      await database.stop();
      expect(sessions.filter(isAlive)).toEqual([]);
    },
  );
});

/** Every process that the server has started. */
async function listSessions(): Promise<readonly number[]> {
  const file = await readPostmasterFile(join(dataDir, 'postgres', 'cluster'));
  if (file === null) throw new Error('no server runs');
  const pids = await listChildren(file.pid);
  expect(pids.length).toBeGreaterThan(3);
  return pids;
}
