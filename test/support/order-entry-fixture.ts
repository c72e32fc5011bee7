import { createHmac } from 'node:crypto';
import type { FuturesPorts } from '../../src/application/futures/futures-ports.ts';
import type { ApiKeyCredential, ApiKeyStore } from '../../src/application/ports/accounts.ts';
import type { TimestampMs } from '../../src/domain/identifiers.ts';
import type { Command } from '../../src/engine/commands.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { AppliedCommand } from '../../src/engine/events.ts';
import { fapiRoutes } from '../../src/gateway/http/fapi/routes.ts';
import { AnswerMemory, RepeatedOrders } from '../../src/gateway/http/repeated-orders.ts';
import { RequestLimiter } from '../../src/gateway/http/request-limiter.ts';
import { signedText } from '../../src/gateway/ws/order-entry/request-signature.ts';
import { FuturesFixture } from './futures-fixture.ts';
import { ManualExchange, testAddress } from './manual-exchange.ts';
import { MemoryListenKeys } from './memory-listen-keys.ts';
import { type RawMessage, RawStream } from './raw-stream.ts';
import { type StreamServer, startStreamServer } from './stream-server.ts';

export const apiKey = 'A'.repeat(64);
export const secret = 'S'.repeat(64);
export const usualLimits = {
  requestWeightPerMinute: 2_400,
  ordersPerTenSeconds: 300,
  ordersPerMinute: 1_200,
  signInsPerMinute: 10,
  signingsPerMinute: 10,
};

/** Futures of the engine that the exchange runs, at the exchange's time. */
export function futuresOf(exchange: ManualExchange): FuturesFixture {
  // The base class applies its first commands before a subclass has fields of its own.
  class ExchangeFutures extends FuturesFixture {
    override engine = exchange.engine as Engine;

    override apply(command: Command): AppliedCommand {
      exchange.time = this.now;
      return exchange.apply(command);
    }
  }
  const futures = new ExchangeFutures();
  futures.now = exchange.time;
  return futures;
}

/** A connection to /ws-fapi/v1 over the real engine, with one funded account and its API key. */
export class OrderEntryFixture {
  readonly exchange = new ManualExchange();
  readonly futures = futuresOf(this.exchange);
  credential: ApiKeyCredential = {
    apiKey,
    apiSecret: secret,
    address: testAddress(1),
    label: 'bot',
    ipWhitelist: [],
    permissions: ['read', 'trade'],
    isEnabled: true,
    createdAt: new Date(0),
  };
  readonly #limits: typeof usualLimits;
  #running: StreamServer | null = null;
  #stream: RawStream | null = null;

  constructor(limits: Partial<typeof usualLimits> = {}) {
    this.#limits = { ...usualLimits, ...limits };
  }

  get stream(): RawStream {
    if (this.#stream === null) throw new Error('start first');
    return this.#stream;
  }

  async start(): Promise<void> {
    this.futures.fund(1, 10_000);
    this.futures.setIndex(30_000);
    this.#running = await startStreamServer({
      exchange: this.exchange,
      isTimeReal: true,
      orderEntry: this.#orderEntry(),
    });
    this.#stream = await this.connect();
  }

  async connect(): Promise<RawStream> {
    if (this.#running === null) throw new Error('start first');
    const stream = new RawStream(this.#running.url.replace('/ws', '/ws-fapi/v1'));
    await stream.opened;
    return stream;
  }

  #orderEntry() {
    const limits = this.#limits;
    const now = () => Date.now();
    const recallCredential = (key: string) => (key === apiKey ? this.credential : null);
    const findCredential = async (key: string) => recallCredential(key);
    const noteUse = (): void => {};
    const ports = {
      exchange: this.exchange,
      barrier: { waitFor: async () => {} },
      futuresHistory: { findOrder: async () => null, findOrderByClientId: async () => null },
      newClientOrderId: () => 'generated',
      now: () => now() as TimestampMs,
    } as unknown as FuturesPorts;
    const listenKeys = new MemoryListenKeys({ makeKey: () => 'k'.repeat(64), now });
    const routes = fapiRoutes({ ports, limits, listenKeys, isListenKeyUnsigned: false });
    return {
      endpoints: routes.endpoints,
      apiKeys: { findCredential, recallCredential, noteUse } as unknown as ApiKeyStore,
      limiter: new RequestLimiter(limits, now),
      repeated: new RepeatedOrders(new AnswerMemory(), now),
    };
  }

  async stop(): Promise<void> {
    this.#stream?.close();
    await this.#running?.stop();
  }

  async call(method: string, params?: RawMessage): Promise<RawMessage> {
    return this.stream.ask({ id: 'r1', method, ...(params === undefined ? {} : { params }) });
  }
}

export function sign(params: RawMessage, by = secret): RawMessage {
  const unsigned = { apiKey, timestamp: Date.now(), ...params };
  return { ...unsigned, signature: signText(signedText(unsigned) ?? '', by) };
}

export function signText(text: string, by = secret): string {
  return createHmac('sha256', by).update(text).digest('hex');
}
