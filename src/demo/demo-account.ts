import { ApiError, HttpClient } from '@openbourse/client';
import { creditSpotBalance } from '../application/admin/credit-spot-balance.ts';
import { EngineBusyError } from '../application/ports/exchange.ts';
import type { Amount } from '../domain/amount.ts';
import type { Address } from '../domain/identifiers.ts';
import type { DemoPorts, DemoToken } from './demo-ports.ts';

/** A token is replaced this long before it expires. */
const tokenMarginMs = 30_000;

/** One demo account: it trades over HTTP as every user does, and has test money without end. */
export class DemoAccount {
  readonly #ports: DemoPorts;
  readonly #address: Address;
  readonly #client: HttpClient;
  #token: DemoToken | null = null;

  /** `send` has the form of the platform's `fetch`, and takes paths of the service. */
  constructor(ports: DemoPorts, address: Address, send: typeof fetch) {
    this.#ports = ports;
    this.#address = address;
    this.#client = new HttpClient({
      url: '',
      fetch: send,
      token: () => this.#token?.token ?? null,
    });
  }

  /** Returns the client with a token that is valid for the next calls. */
  async client(): Promise<HttpClient> {
    const validUntil = this.#token?.expiresAt.getTime() ?? 0;
    if (validUntil - tokenMarginMs < Date.now()) {
      this.#token = await this.#ports.issueToken(this.#address);
    }
    return this.#client;
  }

  /** Credits test money. */
  async credit(token: string, amount: Amount): Promise<void> {
    const ports = { ...this.#ports, areTestCreditsEnabled: true };
    const gift = { address: this.#address, token, amount, reason: 'demo', reference: null };
    await creditSpotBalance(ports, gift).catch((error: unknown) => {
      if (!(error instanceof EngineBusyError)) throw error;
    });
  }

  /** Calls, and ignores what is normal among traders: a quote that would cross, a busy engine. */
  async attempt(call: (client: HttpClient) => Promise<unknown>): Promise<void> {
    const client = await this.client();
    await call(client).catch((error: unknown) => {
      if (!isNormalRefusal(error)) throw error;
    });
  }
}

// Signed out, over the limit and banned: then the whole market pauses.
const failures = new Set([401, 418, 429]);

function isNormalRefusal(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  if (error.code === 'ENGINE_BUSY') return true;
  return error.status >= 400 && error.status < 500 && !failures.has(error.status);
}
