import type { IncomingMessage } from 'node:http';
import type { Address } from '../../domain/identifiers.ts';
import type { ConnectionAccount } from './connection.ts';

/** The account that a login token speaks for, or null where the token is no good. */
export type TokenVerifier = (token: string) => Promise<ConnectionAccount | null>;

/** Listen keys of the derivatives interface; each lookup refreshes the key's life. */
export interface ListenKeys {
  find(listenKey: string): Promise<Address | null>;
}

/** The client's own address, seen through the proxies that are trusted. */
export type ClientAddressReader = (request: IncomingMessage) => string;

/** What an operator should hear of; a pino logger is one. */
export interface StreamLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
