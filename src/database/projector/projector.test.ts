import { Writable } from 'node:stream';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { expectDatabaseToHold } from '../../../test/support/database-contents.ts';
import { DatabaseProxy } from '../../../test/support/database-proxy.ts';
import { silentLog } from '../../../test/support/database-url.ts';
import { MemoryOutcomeLog } from '../../../test/support/outcomes.ts';
import { SpotFlow } from '../../../test/support/spot-flow.ts';
import type { AppliedCommand } from '../../application/ports/exchange.ts';
import type { Sequence } from '../../domain/identifiers.ts';
import { DatabasePool } from '../database-pool.ts';
import { projections } from '../projections/registry.ts';
import { type BatchStore, DatabaseBatchStore } from './batch-store.ts';
import { DatabaseAheadError } from './journal-end.ts';
import { PositionBarrier } from './position-barrier.ts';
import { Projector, type ProjectorOptions } from './projector.ts';
import { ProjectorTurn } from './projector-turn.ts';

const limits = {
  name: 'test',
  connectionsMax: 1,
  statementTimeoutMs: 5_000,
  lockTimeoutMs: 5_000,
  waitMs: 2_000,
};

let test: TestDatabase;
let flow: SpotFlow;
let log: MemoryOutcomeLog;
let outcomes: AppliedCommand[];
const running: Projector[] = [];
const brokenText = 'the connection broke';

beforeEach(async () => {
  test = await openTestDatabase();
  flow = new SpotFlow({ seed: 7 });
  log = new MemoryOutcomeLog();
  outcomes = [];
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((projector) => projector.stop()));
  await test.close();
});

function add(more: readonly AppliedCommand[]): void {
  outcomes.push(...more);
  log.append(...more);
}

function storeOf(pool: Pick<DatabasePool, 'connect'>): BatchStore {
  return new DatabaseBatchStore(pool, projections);
}

interface Started {
  readonly barrier: PositionBarrier;
  readonly failures: unknown[];
}

function startProjector(options: Partial<ProjectorOptions> = {}): Started {
  const barrier = new PositionBarrier(20_000);
  const failures: unknown[] = [];
  const projector = new Projector({
    store: storeOf(test.database.projector),
    outcomes: log,
    journalEnd: () => log.last,
    log: silentLog,
    observer: {
      onPosition: (position) => barrier.moveTo(position),
      onBatch: () => undefined,
      onFailure: (error) => failures.push(error),
    },
    ...options,
  });
  projector.start();
  running.push(projector);
  return { barrier, failures };
}

describe('Projector', () => {
  it.each([1, 2, 3])(
    'projector: the tables equal a replay of the outcomes, whatever the batches (seed %i)',
    async (seed) => {
      flow = new SpotFlow({ seed });
      add([...flow.open(), ...flow.trade(600)]);
      log.batchMax = [1, 37, 5_000][seed - 1] ?? 1;
      const { barrier, failures } = startProjector();
      await barrier.waitFor(log.last);
      await expectDatabaseToHold(test.database.reads, outcomes);
      expect(failures).toEqual([]);
      expect(log.released).toBe(log.last);
    },
  );

  it('projector: a halted and delisted market is shown so in the tables', async () => {
    add([...flow.open(), ...flow.trade(50)]);
    const status = (value: 'halted' | 'delisted') =>
      flow.apply({ type: 'setSpotMarketStatus', symbol: 'BTCUSDT', status: value });
    add([status('halted')]);
    const { barrier } = startProjector();
    await barrier.waitFor(log.last);
    add([status('delisted')]);
    await barrier.waitFor(log.last);
    await expectDatabaseToHold(test.database.reads, outcomes);
  });

  it('projector: a failure before or after any statement of a batch counts nothing twice', async () => {
    const breaker = new StatementBreaker(test.database.projector);
    const { barrier, failures } = startProjector({ store: storeOf(breaker) });
    add(flow.open());
    await barrier.waitFor(log.last);
    const statementsPerBatch = await breaker.countStatements(async () => {
      add(flow.trade(60));
      await barrier.waitFor(log.last);
    });
    // The position and the directory are read again after each failure: six statements more.
    for (let statement = 1; statement <= statementsPerBatch + 6; statement += 1) {
      for (const moment of ['before', 'after'] as const) {
        breaker.breakAt(statement, moment);
        add(flow.trade(30));
        await barrier.waitFor(log.last);
      }
    }
    expect(failures.length).toBeGreaterThanOrEqual(2 * statementsPerBatch - 2);
    await expectDatabaseToHold(test.database.reads, outcomes);
  });

  it.each([
    ['was cut before COMMIT arrived', 'cut'],
    ['was cut after COMMIT arrived', 'forwardAndCut'],
  ] as const)('projector: a batch whose connection %s counts once', async (_name, verdict) => {
    const proxy = await DatabaseProxy.open(test.url);
    const pool = new DatabasePool(proxy.target, limits, silentLog);
    let cuts = 0;
    proxy.judge = (text) => {
      if (!text.includes('COMMIT') || cuts >= 3) return 'forward';
      cuts += 1;
      return verdict;
    };
    const { barrier, failures } = startProjector({ store: storeOf(pool) });
    add([...flow.open(), ...flow.trade(100)]);
    await barrier.waitFor(log.last);
    add(flow.trade(100));
    await barrier.waitFor(log.last);
    expect(failures.length).toBeGreaterThan(0);
    await expectDatabaseToHold(test.database.reads, outcomes);
    await Promise.all(running.splice(0).map((projector) => projector.stop()));
    await pool.close();
    await proxy.close();
  });

  it('projector: a COMMIT that arrives after the batch was begun again counts once', async () => {
    const proxy = await DatabaseProxy.open(test.url);
    const pool = new DatabasePool(proxy.target, limits, silentLog);
    let isFirst = true;
    proxy.judge = (text) => {
      if (!text.includes('COMMIT') || !isFirst) return 'forward';
      isFirst = false;
      return 'hold';
    };
    const { barrier, failures } = startProjector({ store: storeOf(pool) });
    add([...flow.open(), ...flow.trade(100)]);
    // The second try waits for the first one's row lock until that is decided.
    await vi.waitFor(async () => expect(await countLockWaits()).toBe(1));
    expect(proxy.heldCount).toBe(1);
    proxy.releaseHeld();
    await barrier.waitFor(log.last);
    expect(failures).toHaveLength(1);
    await expectDatabaseToHold(test.database.reads, outcomes);
    await Promise.all(running.splice(0).map((projector) => projector.stop()));
    await pool.close();
    await proxy.close();
  });

  it('projector: two projectors of one database count everything once', async () => {
    log.batchMax = 20;
    const pool = new DatabasePool({ connectionString: test.url }, limits, silentLog);
    const first = startProjector();
    const second = startProjector({ store: storeOf(pool) });
    add(flow.open());
    for (let round = 0; round < 10; round += 1) add(flow.trade(60));
    await Promise.all([first.barrier.waitFor(log.last), second.barrier.waitFor(log.last)]);
    await expectDatabaseToHold(test.database.reads, outcomes);
    await Promise.all(running.splice(0).map((projector) => projector.stop()));
    await pool.close();
  });

  it('projector: a standby reports the position of the active one, and takes over', async () => {
    const pool = new DatabasePool({ connectionString: test.url }, limits, silentLog);
    const turns = [new ProjectorTurn(true), new ProjectorTurn(false)] as const;
    const written = [0, 0];
    const start = (index: 0 | 1, barrier: PositionBarrier): void => {
      startProjector({
        store: storeOf(index === 0 ? test.database.projector : pool),
        lead: turns[index],
        observer: {
          onPosition: (position) => barrier.moveTo(position),
          onBatch: ({ commandCount }) => (written[index]! += commandCount),
          onFailure: (error) => expect.unreachable(String(error)),
        },
      });
    };
    const barriers = [new PositionBarrier(20_000), new PositionBarrier(20_000)] as const;
    start(0, barriers[0]);
    start(1, barriers[1]);
    add([...flow.open(), ...flow.trade(200)]);
    await Promise.all(barriers.map((barrier) => barrier.waitFor(log.last)));
    expect(written).toEqual([log.last, 0]);
    const before = log.last;
    [turns[0].isLeading, turns[1].isLeading] = [false, true];
    // The former one waits for outcomes already, and may still write what comes first.
    add(flow.trade(20));
    await Promise.all(barriers.map((barrier) => barrier.waitFor(log.last)));
    add(flow.trade(200));
    await Promise.all(barriers.map((barrier) => barrier.waitFor(log.last)));
    expect(written[0]! + written[1]!).toBe(log.last);
    expect(written[1]).toBeGreaterThanOrEqual(log.last - before - 20);
    await expectDatabaseToHold(test.database.reads, outcomes);
    await Promise.all(running.splice(0).map((projector) => projector.stop()));
    await pool.close();
  });

  it('projector: rows written by another projector during the start are not written again', async () => {
    add([...flow.open(), ...flow.trade(100)]);
    const pool = new DatabasePool({ connectionString: test.url }, limits, silentLog);
    let hasBegun = false;
    let isReleased = false;
    const connect = async () => {
      const connection = await storeOf(pool).connect();
      const begin = connection.begin.bind(connection);
      connection.begin = async () => {
        await begin();
        hasBegun = true;
        await vi.waitUntil(() => isReleased);
      };
      return connection;
    };
    const late = startProjector({ store: { connect } });
    await vi.waitUntil(() => hasBegun);
    await startProjector().barrier.waitFor(log.last);
    await running.pop()?.stop();
    add(flow.trade(100));
    isReleased = true;
    await late.barrier.waitFor(log.last);
    expect(late.failures).toEqual([]);
    await expectDatabaseToHold(test.database.reads, outcomes);
    await Promise.all(running.splice(0).map((projector) => projector.stop()));
    await pool.close();
  });

  it('projector: a database that is ahead of the journal is left alone', async () => {
    add([...flow.open(), ...flow.trade(50)]);
    await startProjector().barrier.waitFor(log.last);
    await Promise.all(running.splice(0).map((projector) => projector.stop()));
    // The journal was wiped and started over; the database was not.
    const other = new SpotFlow({ seed: 8 });
    const begunAnew = new MemoryOutcomeLog();
    begunAnew.append(...other.open());
    const { failures, barrier } = startProjector({
      outcomes: begunAnew,
      journalEnd: () => begunAnew.last,
    });
    await vi.waitFor(() => expect(failures.length).toBeGreaterThan(0));
    expect(failures[0]).toBeInstanceOf(DatabaseAheadError);
    expect(barrier.position).toBe(0);
    begunAnew.append(...other.trade(100));
    expect(begunAnew.released).toBe(0);
    await expectDatabaseToHold(test.database.reads, outcomes);
  });

  it('projector: outcomes with a gap change nothing', async () => {
    add(flow.open());
    flow.trade(1);
    log.append(...flow.trade(1));
    const { failures } = startProjector();
    await vi.waitFor(() => expect(failures.length).toBeGreaterThan(0));
    expect(String(failures[0])).toContain('AssertionError: outcome');
    await expectDatabaseToHold(test.database.reads, []);
  });

  it('projector: a batch that breaks a rule of the tables changes nothing and is tried again', async () => {
    const [opening, ...rest] = [...flow.open(), ...flow.trade(40)];
    if (opening === undefined) throw new Error('the flow opens with a market');
    add([opening]);
    const { barrier, failures } = startProjector();
    await barrier.waitFor(1 as Sequence);
    const negative = rest.map((outcome) => ({
      ...outcome,
      events: outcome.events.map((event) =>
        event.type === 'spotTradeExecuted'
          ? { ...event, trade: { ...event.trade, makerFee: -1n as typeof event.trade.makerFee } }
          : event,
      ),
    }));
    log.append(...negative);
    await vi.waitFor(() => expect(failures.length).toBeGreaterThan(1));
    expect(String(failures[0])).toContain('spot_trades_maker_fee_check');
    await expectDatabaseToHold(test.database.reads, outcomes);
  });
});

async function countLockWaits(): Promise<number> {
  return test.database.reads.withClient(async (client) => {
    const { rows } = await client.query(
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length;
  });
}

/** Hands out connections that die around the statement that a test names. */
class StatementBreaker {
  readonly #pool: DatabasePool;
  #count = 0;
  #breakAt: { readonly statement: number; readonly moment: 'before' | 'after' } | null = null;

  constructor(pool: DatabasePool) {
    this.#pool = pool;
  }

  breakAt(statement: number, moment: 'before' | 'after'): void {
    this.#count = 0;
    this.#breakAt = { statement, moment };
  }

  async countStatements(work: () => Promise<void>): Promise<number> {
    this.#count = 0;
    await work();
    return this.#count;
  }

  async connect(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect();
    const query = client.query.bind(client) as (...values: unknown[]) => unknown;
    const broken = (...values: unknown[]): unknown => {
      this.#count += 1;
      const plan = this.#breakAt;
      const isDue = plan?.statement === this.#count;
      if (!isDue) return query(...values);
      this.#breakAt = null;
      const [statement] = values;
      if (statement instanceof Writable) return breakCopy(statement, plan.moment, query);
      return plan.moment === 'before'
        ? Promise.reject(new Error(brokenText))
        : (query(...values) as Promise<unknown>).then(() => Promise.reject(new Error(brokenText)));
    };
    return new Proxy(client, {
      get: (target, name) => {
        if (name === 'query') return broken;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }
}

/** Rows on their way in: they never leave, or nobody is notified that they arrived. */
function breakCopy(
  copy: Writable,
  moment: 'before' | 'after',
  query: (copy: Writable) => unknown,
): Writable {
  const emit = copy.emit.bind(copy);
  if (moment === 'before') {
    setImmediate(() => emit('error', new Error(brokenText)));
    return copy;
  }
  copy.emit = (name: string, ...values: unknown[]) =>
    name === 'finish' ? emit('error', new Error(brokenText)) : emit(name, ...values);
  query(copy);
  return copy;
}
