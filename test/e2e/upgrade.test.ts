import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { engineFactory } from '../../src/engine/engine.ts';
import type { EngineEvent } from '../../src/engine/events.ts';
import { rulesVersion, rulesVersionMin } from '../../src/engine/rules.ts';
import { nodeDisk } from '../../src/journal/node-disk.ts';
import { readJournal, verifyJournal } from '../../src/journal/verify-journal.ts';
import { systemTime } from '../../src/system/system-time.ts';
import { openEmptyTestDatabase, type TestDatabase } from '../support/database.ts';
import { ServiceProcess } from '../support/service-process.ts';

const written = fileURLToPath(
  new URL(`../golden/rules/v${rulesVersionMin}/trading`, import.meta.url),
);

interface History {
  readonly records: number;
  readonly spotTrades: readonly string[];
  readonly futuresTrades: readonly string[];
  readonly fundings: number;
}

/** The outcomes that the previous version reported, by its own rules. */
async function historyOfJournal(): Promise<History> {
  const engine = engineFactory.create(rulesVersionMin);
  const events: EngineEvent[] = [];
  const options = { disk: nodeDisk, folder: written, time: systemTime };
  await readJournal(options, ({ command, sequence, timestamp }) => {
    events.push(...engine.apply(command, { sequence, timestamp }).events);
  });
  const spotTrades: string[] = [];
  const futuresTrades: string[] = [];
  let fundings = 0;
  for (const event of events) {
    if (event.type === 'spotTradeExecuted') spotTrades.push(String(event.trade.tradeNumber));
    if (event.type === 'futuresTradeExecuted') futuresTrades.push(String(event.trade.tradeNumber));
    if (event.type === 'fundingPaid') fundings += 1;
  }
  return { records: engine.sequence, spotTrades, futuresTrades, fundings };
}

/** The same from the database, with the fundings up to a command. */
function historyOfDatabase({ database }: TestDatabase, through: number): Promise<History> {
  return database.reads.withClient(async (client) => {
    const numbers = async (table: string): Promise<string[]> => {
      const text = `SELECT trade_number FROM ${table} ORDER BY trade_number`;
      const { rows } = await client.query(text);
      return (rows as { trade_number: string }[]).map((row) => String(row.trade_number));
    };
    const paid = await client.query(
      `SELECT count(*)::int AS fundings FROM futures_income
       WHERE type = 'FUNDING_FEE' AND sequence <= $1`,
      [through],
    );
    const { fundings } = paid.rows[0] as { fundings: number };
    return {
      records: through,
      spotTrades: await numbers('spot_trades'),
      futuresTrades: await numbers('futures_trades'),
      fundings,
    };
  });
}

test('upgrade: a data folder of the previous version, killed at the upgrade and with a projector that lags: the next start is ready and its history whole', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'openbourse-upgrade-'));
  const database = await openEmptyTestDatabase();
  onTestFinished(async () => {
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const folder = join(dataDir, 'journal');
  await cp(written, folder, { recursive: true });
  const settings = {
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    PORT: '0',
    TESTNET_ONLY: 'true',
  };
  const killed = ServiceProcess.spawn(settings);
  onTestFinished(async () => void (await killed.stop('SIGKILL')));
  expect(await killed.logged('the rules are upgraded')).toMatchObject({
    from: rulesVersionMin,
    to: rulesVersion,
  });
  await killed.stop('SIGKILL');

  const service = await ServiceProcess.start(settings);
  onTestFinished(async () => void (await service.stop('SIGKILL')));
  const history = await historyOfJournal();
  expect(history.spotTrades.length).toBeGreaterThan(50);
  expect(history.futuresTrades.length).toBeGreaterThan(50);
  expect(history.fundings).toBeGreaterThan(5);
  expect(await historyOfDatabase(database, history.records)).toEqual(history);
  expect(service.lines.some(({ msg }) => msg === 'the rules are upgraded')).toBe(false);
  expect(await service.stop('SIGTERM')).toBe(0);

  const machines = engineFactory;
  const verified = await verifyJournal({ disk: nodeDisk, folder, machines, time: systemTime });
  expect(verified.stateHash).not.toBeNull();
  expect(verified.snapshotsReplayed).toBe(verified.snapshots);
});

test('stop: with a stuck database it reports its position and which rules write the rest, and the next start does so', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'openbourse-upgrade-'));
  const database = await openEmptyTestDatabase();
  onTestFinished(async () => {
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const adminKey = 'admin key of the upgrade test, long enough';
  const settings = {
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    PORT: '0',
    TESTNET_ONLY: 'true',
    ADMIN_API_KEY: adminKey,
  };
  const credit = async (url: string): Promise<number> => {
    const { status } = await fetch(`${url}/api/v1/admin/spot/balances/credit`, {
      method: 'POST',
      headers: { 'x-api-key': adminKey, 'content-type': 'application/json' },
      body: JSON.stringify({ user_address: `0x${'7'.repeat(40)}`, token: 'USDT', amount: '1' }),
    });
    return status;
  };
  const first = await ServiceProcess.start(settings);
  onTestFinished(async () => void (await first.stop('SIGKILL')));
  expect(await credit(first.url)).toBe(200);
  await database.database.reads.withClient(async (client) => {
    await client.query('BEGIN; LOCK TABLE projector_position IN ACCESS EXCLUSIVE MODE');
    // Time continues in the journal, whatever becomes of a request that needs the database.
    await credit(first.url);
    expect(await first.stop('SIGTERM')).toBe(0);
    await client.query('COMMIT');
  });
  const told = await first.logged(
    'the database lacks commands: the next start writes them, if its program has these rules',
  );
  const { position, end, rules } = told as Record<string, unknown>;
  expect(Number(position)).toBeLessThan(Number(end));
  expect(rules).toBe(rulesVersion);

  const second = await ServiceProcess.start(settings);
  onTestFinished(async () => void (await second.stop('SIGKILL')));
  const { rows } = await database.database.reads.withClient((client) =>
    client.query('SELECT max(position)::int AS held FROM projector_position'),
  );
  expect((rows[0] as { held: number }).held).toBeGreaterThanOrEqual(Number(end));
  expect(await second.stop('SIGTERM')).toBe(0);
});
