import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseLog } from '../database-log.ts';
import { type ConnectionTarget, connectionOptions } from '../database-pool.ts';

// Notifications are hints: one can be lost with its connection. So listeners read the current state
// from the tables, on each notification and again on each new connection.

const limits = {
  name: 'notifications',
  statementTimeoutMs: 5_000,
  lockTimeoutMs: 2_000,
  waitMs: 5_000,
};
const retryFirstMs = 50;
const retryMaxMs = 5_000;
// A silently lost connection is detected by a query.
const heartbeatMs = 15_000;
const endGraceMs = 1_000;

export interface NotificationHandler {
  readonly channel: string;
  onNotification(payload: string): void;
  /** Notifications arrive from now on; earlier ones may have been missed. */
  onConnected(): void;
  onDisconnected?(): void;
}

/** One connection that listens for all handlers, and is reopened whenever it is lost. */
export class NotificationListener {
  readonly #target: ConnectionTarget;
  readonly #log: DatabaseLog;
  readonly #handlers: NotificationHandler[] = [];
  readonly #stop = new AbortController();
  #running: Promise<void> | null = null;

  constructor(target: ConnectionTarget, log: DatabaseLog) {
    this.#target = target;
    this.#log = log;
  }

  /** Must be called before `start`. */
  add(handler: NotificationHandler): void {
    this.#handlers.push(handler);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    let wait = retryFirstMs;
    while (!signal.aborted) {
      const client = new pg.Client(connectionOptions(this.#target, limits));
      try {
        await this.#listen(client, () => {
          wait = retryFirstMs;
        });
      } catch (error) {
        if (!signal.aborted) {
          this.#log.warn({ error: String(error), retryMs: wait }, 'notifications are interrupted');
        }
      }
      for (const handler of this.#handlers) handler.onDisconnected?.();
      await endOf(client);
      await delay(wait, undefined, { signal }).catch(() => undefined);
      wait = Math.min(2 * wait, retryMaxMs);
    }
  }

  /** Runs until the connection is lost or the listener is stopped. */
  async #listen(client: pg.Client, onConnected: () => void): Promise<void> {
    const { signal } = this.#stop;
    const lost = new AbortController();
    client.on('error', (error) => lost.abort(error));
    client.on('end', () => lost.abort(new Error('the connection ended')));
    client.on('notification', ({ channel, payload = '' }) => {
      for (const handler of this.#handlers) {
        if (handler.channel === channel) handler.onNotification(payload);
      }
    });
    await client.connect();
    const channels = new Set(this.#handlers.map((handler) => handler.channel));
    for (const channel of channels) await client.query(`LISTEN ${channel}`);
    onConnected();
    for (const handler of this.#handlers) handler.onConnected();
    const ended = AbortSignal.any([signal, lost.signal]);
    while (!ended.aborted) {
      await delay(heartbeatMs, undefined, { signal: ended }).catch(() => undefined);
      if (!ended.aborted) await client.query('SELECT 1');
    }
    if (lost.signal.aborted) throw lost.signal.reason as Error;
  }
}

/** A server that hangs does not respond to the disconnect either. */
async function endOf(client: pg.Client): Promise<void> {
  const end = new AbortController();
  const timeout = delay(endGraceMs, undefined, { signal: end.signal }).catch(() => undefined);
  await Promise.race([client.end().catch(() => undefined), timeout]);
  end.abort();
}
