import { createHash, createHmac, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import {
  type Download,
  type DownloadFile,
  type DownloadKind,
  type DownloadStore,
  type DownloadTerms,
  downloadLifetimeMs,
  downloadsMax,
  type PendingDownload,
} from '../../application/futures/downloads.ts';
import type { Address, TimestampMs } from '../../domain/identifiers.ts';
import type { DatabasePool } from '../database-pool.ts';

export interface DownloadStoreOptions {
  readonly pool: DatabasePool;
  /** 32 bytes in hex. */
  readonly secretsKey: string;
  readonly now: () => Date;
}

interface TermsRow {
  readonly id: string;
  readonly address: string;
  readonly kind: DownloadKind;
  readonly start_time: Date;
  readonly end_time: Date;
}

const seedBytes = 32;
const compress = promisify(gzip);
const expand = promisify(gunzip);
const idPattern = /^[1-9][0-9]{0,17}$/;

/** Files in the database, compressed. */
export class DatabaseDownloadStore implements DownloadStore {
  readonly #options: DownloadStoreOptions;
  readonly #secret: Buffer;

  constructor(options: DownloadStoreOptions) {
    this.#options = options;
    this.#secret = createHmac('sha256', Buffer.from(options.secretsKey, 'hex'))
      .update('downloads')
      .digest();
  }

  async request({ address, kind, startTime, endTime }: DownloadTerms): Promise<string | null> {
    const now = this.#options.now();
    const seed = randomBytes(seedBytes);
    const expiresAt = new Date(now.getTime() + downloadLifetimeMs);
    const [row] = await this.#run<{ id: string }>(
      `INSERT INTO downloads (address, kind, start_time, end_time, seed, token_hash, created_at,
         expires_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8
       WHERE (SELECT count(*) FROM downloads WHERE address = $1 AND expires_at > $7) < $9
       RETURNING id`,
      [
        address,
        kind,
        new Date(startTime),
        new Date(endTime),
        seed,
        hashOf(this.#tokenOf(seed)),
        now,
        expiresAt,
        downloadsMax,
      ],
    );
    return row?.id ?? null;
  }

  async find(address: Address, kind: DownloadKind, id: string): Promise<Download | null> {
    if (!idPattern.test(id)) return null;
    const [row] = await this.#run<{ seed: Buffer; is_made: boolean; expires_at: Date }>(
      `SELECT seed, made_at IS NOT NULL AS is_made, expires_at FROM downloads
       WHERE id = $1 AND address = $2 AND kind = $3 AND expires_at > $4`,
      [id, address, kind, this.#options.now()],
    );
    if (row === undefined) return null;
    const token = row.is_made ? this.#tokenOf(row.seed) : null;
    return { id, token, expiresAt: row.expires_at.getTime() as TimestampMs };
  }

  async averageMs(): Promise<number> {
    const [row] = await this.#run<{ average: string | null }>(
      `SELECT round(avg(extract(epoch FROM made_at - created_at)) * 1000) AS average
       FROM downloads WHERE made_at IS NOT NULL`,
      [],
    );
    return Number(row?.average ?? 0);
  }

  async findPending(): Promise<PendingDownload | null> {
    const [row] = await this.#run<TermsRow>(
      `SELECT id, address, kind, start_time, end_time FROM downloads
       WHERE content IS NULL AND expires_at > $1 ORDER BY id LIMIT 1`,
      [this.#options.now()],
    );
    if (row === undefined) return null;
    return {
      id: row.id,
      address: row.address as Address,
      kind: row.kind,
      startTime: row.start_time.getTime(),
      endTime: row.end_time.getTime(),
    };
  }

  async complete(id: string, content: string): Promise<void> {
    await this.#run(
      'UPDATE downloads SET content = $2, made_at = $3 WHERE id = $1 AND content IS NULL',
      [id, await compress(content), this.#options.now()],
    );
  }

  async open(token: string): Promise<DownloadFile | null> {
    const [row] = await this.#run<TermsRow & { readonly content: Buffer }>(
      `SELECT id, address, kind, start_time, end_time, content FROM downloads
       WHERE token_hash = $1 AND content IS NOT NULL AND expires_at > $2`,
      [hashOf(token), this.#options.now()],
    );
    if (row === undefined) return null;
    const [from, to] = [row.start_time, row.end_time].map((time) =>
      time.toISOString().slice(0, 10),
    );
    const content = (await expand(row.content)).toString();
    return { name: `futures-${row.kind}-history-${from}-${to}.csv`, content };
  }

  #tokenOf(seed: Buffer): string {
    return createHmac('sha256', this.#secret).update(seed).digest('hex');
  }

  async #run<Row extends object>(text: string, values: unknown[]): Promise<readonly Row[]> {
    return this.#options.pool.withClient(async (client) => {
      const { rows } = await client.query<Row>(text, values);
      return rows;
    });
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
