import { sql } from 'kysely';
import type { PointsJobPorts } from '../../../src/application/points/refresh-leaderboards.ts';
import type { PointsServices } from '../../../src/database/database-services.ts';
import type { Database } from '../../../src/database/open-database.ts';
import { assert } from '../../../src/domain/assert.ts';
import type { Address, TimestampMs } from '../../../src/domain/identifiers.ts';
import { adminPointsRoutes } from '../../../src/gateway/http/admin/points-routes.ts';
import { pointsRoutes } from '../../../src/gateway/http/points/routes.ts';
import { referralRoutes } from '../../../src/gateway/http/referral/routes.ts';
import { expectOk, placed } from '../spot-fixtures.ts';
import { type Reply, SpotService } from '../spot-service.ts';

export const weekMs = 7 * 86_400_000;

interface PointsInside {
  readonly jobs: PointsJobPorts;
  readonly database: Database;
  readonly boards: PointsServices['boards'];
}

/** The points program over HTTP, with a clock that the test moves. */
export class PointsService {
  readonly service: SpotService;
  readonly jobs: PointsJobPorts;
  readonly database: Database;
  readonly #boards: PointsServices['boards'];
  /** The program's present time; trades are stamped with the real time. */
  time: number;

  static async start(): Promise<PointsService> {
    let started: PointsService | null = null;
    let inside: PointsInside | null = null;
    const now = (): TimestampMs => (started?.time ?? Date.now()) as TimestampMs;
    const service = await SpotService.start({
      routes: ({ exchange, barrier, services, database }) => {
        const ports = {
          exchange,
          barrier,
          now,
          pointsReader: services.points.reader,
          pointsStore: services.points.store,
          pointsJobs: services.points.jobs,
        };
        inside = { jobs: ports, database, boards: services.points.boards };
        const referral = {
          exchange,
          barrier,
          now,
          referral: services.referral,
          referralReader: services.referralReader,
          randomBytes: (count: number) => Buffer.alloc(count, 7),
        };
        return [pointsRoutes(ports), adminPointsRoutes(ports), referralRoutes(referral)];
      },
    });
    assert(inside !== null, 'the routes were made');
    started = new PointsService(service, inside);
    return started;
  }

  private constructor(service: SpotService, { jobs, database, boards }: PointsInside) {
    this.#boards = boards;
    this.jobs = jobs;
    this.database = database;
    this.service = service;
    this.time = Date.now();
  }

  close(): Promise<void> {
    return this.service.close();
  }

  async setEpochStart(time: number): Promise<void> {
    await this.service.query((db) =>
      sql`UPDATE settings SET value = to_jsonb(${time / 1000}::bigint)
        WHERE key = 'points_epoch_start'`.execute(db),
    );
    await this.#boards.catchUp();
  }

  get(path: string, query: Record<string, string> = {}, as?: Address): Promise<Reply> {
    const call = { path: `/api/v1/points/${path}`, query };
    return this.service.call(as === undefined ? call : { ...call, as });
  }

  admin(method: 'POST' | 'PUT', path: string, body: unknown): Promise<Reply> {
    return this.service.call({ method, path: `/api/v1/admin/${path}`, isAdmin: true, body });
  }

  /** The data of an answer in the envelope that must be a success. */
  async data(path: string, query: Record<string, string> = {}, as?: Address): Promise<unknown> {
    return ((await expectOk(this.get(path, query, as))) as { data: unknown }).data;
  }

  async credit(
    account: Address,
    points: string,
    type = 'staking',
    reference = `credit ${(credits += 1)}`,
  ): Promise<void> {
    const body = { reference, user_address: account, type, points };
    await expectOk(this.admin('POST', 'points/credits', body));
  }

  /** A match of 1 token at 100 USDT: the maker sells, the taker buys. */
  async trade(symbol: string, maker: Address, taker: Address): Promise<void> {
    const order = { symbol, type: 'limit', price: '100', quantity: '1' };
    await placed(this.service, maker, { ...order, side: 'sell' });
    await placed(this.service, taker, { ...order, side: 'buy' });
  }
}

let credits = 0;
