import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '../../observability/log.ts';
import type { ClientAddresses } from '../auth/client-address.ts';
import { limitedAddress } from './request-limiter.ts';

/** Limits on connections, whatever they carry. */
export interface ConnectionLimits {
  /** Connections in total; more are dropped. */
  readonly connectionsMax: number;
  /** Connections of one address; those of trusted proxies are not limited. */
  readonly perAddressMax: number;
  /** Requests that a client can send on one connection before the first of them is answered. */
  readonly requestsAheadMax: number;
  /** How long a client can leave an answer unread. */
  readonly unreadMs: number;
}

/** Many traders share one address in offices and data centers, hence its high limit. */
export const defaultConnectionLimits: ConnectionLimits = {
  connectionsMax: 25_000,
  perAddressMax: 4_000,
  requestsAheadMax: 64,
  unreadMs: 60_000,
};

/** Descriptors that stay free for journal, database and logs. */
const reservedMax = 1_000;

/** The connections that a process with this limit on open files can have; null: no limit. */
export function connectionsWithin(openFilesMax: number | null): number {
  const { connectionsMax } = defaultConnectionLimits;
  if (openFilesMax === null) return connectionsMax;
  const reserved = Math.min(reservedMax, Math.ceil(openFilesMax / 2));
  return Math.min(connectionsMax, openFilesMax - reserved);
}

export interface ConnectionGuardParts {
  readonly limits: ConnectionLimits;
  readonly addresses: ClientAddresses;
  readonly log: Logger;
}

/** Bytes that wait for a client, as of the last check that found others. */
interface Unread {
  readonly writtenBytes: number;
  readonly since: number;
}

const checkEveryMs = 1_000;
const lineEveryMs = 60_000;

/**
 * Drops connections that would cost the others their service: too many of one address, too many
 * requests sent ahead, answers that are never read.
 */
export class ConnectionGuard {
  readonly #parts: ConnectionGuardParts;
  readonly #counts = new Map<string, number>();
  readonly #open = new Set<Socket>();
  readonly #unread = new Map<Socket, Unread>();
  readonly #unanswered = new WeakMap<Socket, number>();
  #loggedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;

  constructor(parts: ConnectionGuardParts) {
    this.#parts = parts;
  }

  /** To be called once all other listeners of the server are there. */
  interceptConnections(server: Server): void {
    server.maxConnections = this.#parts.limits.connectionsMax;
    server.prependListener('connection', this.#admit);
    server.on('drop', this.#report);
    const listeners = server.listeners('request') as RequestListener[];
    server.removeAllListeners('request');
    server.on('request', (request, response) => {
      if (!this.#isInTurn(request, response)) return;
      for (const listener of listeners) listener(request, response);
    });
    this.#timer = setInterval(() => this.#dropUnread(), checkEveryMs).unref();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  readonly #admit = (socket: Socket): void => {
    const { addresses, limits } = this.#parts;
    const peer = addresses.find(socket.remoteAddress, undefined);
    const address = addresses.isTrusted(peer) ? null : limitedAddress(peer);
    const count = address === null ? 0 : (this.#counts.get(address) ?? 0);
    if (count >= limits.perAddressMax) {
      socket.destroy();
      return;
    }
    if (address !== null) this.#counts.set(address, count + 1);
    this.#open.add(socket);
    socket.once('close', () => this.#forget(socket, address));
  };

  #forget(socket: Socket, address: string | null): void {
    this.#open.delete(socket);
    this.#unread.delete(socket);
    if (address === null) return;
    const count = (this.#counts.get(address) ?? 0) - 1;
    if (count > 0) this.#counts.set(address, count);
    else this.#counts.delete(address);
  }

  /** False if the client has sent too many requests ahead, which ends its connection. */
  #isInTurn({ socket }: IncomingMessage, response: ServerResponse): boolean {
    // One read can hold thousands of requests, and they all arrive here before the first answer.
    if (socket.destroyed) return false;
    const ahead = this.#unanswered.get(socket) ?? 0;
    if (ahead >= this.#parts.limits.requestsAheadMax) {
      socket.destroy();
      return false;
    }
    this.#unanswered.set(socket, ahead + 1);
    response.once('close', () => {
      this.#unanswered.set(socket, (this.#unanswered.get(socket) ?? 1) - 1);
    });
    return true;
  }

  /** Drops the clients that read nothing of an answer; streams have their own rules. */
  #dropUnread(): void {
    const now = performance.now();
    for (const socket of this.#open) {
      const { bytesWritten: writtenBytes, writableLength } = socket;
      const unread = this.#unread.get(socket);
      if (writableLength === 0) this.#unread.delete(socket);
      else if (unread?.writtenBytes !== writtenBytes) {
        this.#unread.set(socket, { writtenBytes, since: now });
      } else if (now - unread.since >= this.#parts.limits.unreadMs) socket.destroy();
    }
  }

  readonly #report = (): void => {
    const now = performance.now();
    if (now - this.#loggedAt < lineEveryMs) return;
    this.#loggedAt = now;
    const { log, limits } = this.#parts;
    const { connectionsMax } = limits;
    log.warn({ connectionsMax }, 'too many connections are open, new ones are dropped');
  };
}
