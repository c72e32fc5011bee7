import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { HttpConnection } from '../../src/client/http-connection.ts';
import type { Trader } from '../../src/client/trader.ts';
import { projectRoot } from '../architecture/source-files.ts';
import { openEmptyTestDatabase, type TestDatabase } from './database.ts';
import { NatsServer } from './nats-server.ts';
import { ServiceProcess } from './service-process.ts';

const adminKey = 'admin key of the cluster tests, long enough';
const soon = { timeout: 60_000, interval: 50 };

/** One process of the exchange under test. */
export class Member {
  readonly service: ServiceProcess;
  readonly connection: HttpConnection;
  /** Of its journal, which it keeps over restarts. */
  readonly folder: string;

  constructor(service: ServiceProcess, folder: string) {
    this.service = service;
    this.folder = folder;
    this.connection = new HttpConnection(service.url, 32);
  }

  async isOwner(): Promise<boolean> {
    const reply = await fetch(`${this.service.url}/readyz`);
    const body = (await reply.json()) as { cluster: { state: string } };
    return body.cluster.state === 'owner';
  }

  /** For how long the shared log has not confirmed the place of this process. */
  async agreementAgeMs(): Promise<number> {
    const reply = await fetch(`${this.service.url}/readyz`);
    const body = (await reply.json()) as { cluster: { agreement_age_ms: number | null } };
    return body.cluster.agreement_age_ms ?? 0;
  }

  async isReady(): Promise<boolean> {
    return (await fetch(`${this.service.url}/readyz`)).ok;
  }

  async get(path: string): Promise<unknown> {
    const reply = await fetch(`${this.service.url}${path}`);
    expect(reply.status).toBe(200);
    return reply.json();
  }

  async credit(trader: Trader, token: string, amount: string): Promise<void> {
    const reply = await fetch(`${this.service.url}/api/v1/admin/spot/balances/credit`, {
      method: 'POST',
      headers: { 'x-api-key': adminKey, 'content-type': 'application/json' },
      body: JSON.stringify({ user_address: trader.address, token, amount }),
    });
    expect(await reply.json()).toEqual({ ok: true });
  }
}

/** One or more NATS servers that are started for a test. */
interface StartedNats {
  /** As NATS_URL names them. */
  readonly url: string;
  close(): Promise<void>;
}

/** Processes of one exchange with NATS and a database that they share. */
export class ClusterFixture<Nats extends StartedNats = NatsServer> {
  readonly nats: Nats;
  readonly database: TestDatabase;
  readonly #folder: string;
  readonly #members: Member[] = [];
  readonly #ending: ServiceProcess[] = [];

  private constructor(nats: Nats, database: TestDatabase, folder: string) {
    this.nats = nats;
    this.database = database;
    this.#folder = folder;
  }

  static open(): Promise<ClusterFixture> {
    return ClusterFixture.over(NatsServer.start());
  }

  static async over<Nats extends StartedNats>(
    starting: Promise<Nats>,
  ): Promise<ClusterFixture<Nats>> {
    const folder = await mkdtemp(join(tmpdir(), 'openbourse-cluster-'));
    const [nats, database] = await Promise.all([starting, openEmptyTestDatabase()]);
    return new ClusterFixture(nats, database, folder);
  }

  /** Starts a process with the data folder of that name. */
  async start(name: string, more: Readonly<Record<string, string>> = {}): Promise<Member> {
    const settings = { ...this.#settingsOf(name), ...more };
    const service = await ServiceProcess.start(settings);
    const member = new Member(service, this.folderOf(name));
    this.#members.push(member);
    return member;
  }

  /** Starts a process with the data folder of that name, which ends on its own; its exit code. */
  async exitOf(name: string): Promise<number | null> {
    const service = ServiceProcess.spawn(this.#settingsOf(name));
    this.#ending.push(service);
    return service.exited();
  }

  folderOf(name: string): string {
    return join(this.#folder, name);
  }

  #settingsOf(name: string): Readonly<Record<string, string>> {
    return {
      DATA_DIR: this.folderOf(name),
      PORT: '0',
      TESTNET_ONLY: 'true',
      ADMIN_API_KEY: adminKey,
      JWT_SECRET: 'a secret that all processes of the test share',
      SECRETS_KEY: '5'.repeat(64),
      DATABASE_URL: this.database.url,
      NATS_URL: this.nats.url,
    };
  }

  /** Resolves once the list has that many members and no change is in progress. */
  async settle(count: number): Promise<void> {
    await vi.waitUntil(async () => {
      const { text } = await this.operate(['members']);
      const isWhole = new RegExp(`^\\d of ${count} hold`, 'm').test(text);
      return isWhole && !text.includes('not complete');
    }, soon);
  }

  /** Runs `npm run cluster -- WORDS` as an operator of this exchange. */
  async operate(
    words: readonly string[],
  ): Promise<{ readonly code: number | null; readonly text: string }> {
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', 'src/cluster-trial/main.ts', ...words],
      {
        cwd: projectRoot,
        env: {
          PATH: process.env['PATH'] ?? '',
          HOME: process.env['HOME'] ?? '',
          DATABASE_URL: this.database.url,
          NATS_URL: this.nats.url,
        },
      },
    );
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => (text += data.toString()));
    }
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, text };
  }

  async findOwner(members: readonly Member[]): Promise<Member> {
    let owner: Member | undefined;
    await vi.waitUntil(async () => {
      for (const member of members) if (await member.isOwner()) owner = member;
      return owner !== undefined;
    }, soon);
    return owner!;
  }

  async close(): Promise<void> {
    await Promise.all(
      this.#members.map(({ service, connection }) => {
        connection.close();
        service.process.kill('SIGCONT');
        return service.stop('SIGKILL');
      }),
    );
    await Promise.all(this.#ending.map((service) => service.stop('SIGKILL')));
    await this.database.close();
    await this.nats.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
