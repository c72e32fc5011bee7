import type { ApiKeyCredential, ApiKeyStore } from '../../src/application/ports/accounts.ts';
import type { BinanceSpotPorts } from '../../src/application/trading/binance-spot-ports.ts';
import type { TimestampMs } from '../../src/domain/identifiers.ts';
import { binanceSpotRoutes } from '../../src/gateway/http/binance-spot/routes.ts';
import { AnswerMemory, RepeatedOrders } from '../../src/gateway/http/repeated-orders.ts';
import { RequestLimiter } from '../../src/gateway/http/request-limiter.ts';
import { signedText } from '../../src/gateway/ws/order-entry/request-signature.ts';
import { ManualClock } from './manual-clock.ts';
import { ManualExchange, testAddress } from './manual-exchange.ts';
import { MemoryListenKeys } from './memory-listen-keys.ts';
import { apiKey, secret, signText, usualLimits } from './order-entry-fixture.ts';
import { type RawMessage, RawStream } from './raw-stream.ts';
import { type StreamServer, startStreamServer } from './stream-server.ts';

/** Spot's sockets in Binance's format over the real engine, with the API key of account 1. */
export class SpotSocketsFixture {
  readonly exchange = new ManualExchange();
  readonly clock = new ManualClock(Date.now());
  readonly listenKeys = new MemoryListenKeys({
    makeKey: () => 'k'.repeat(64),
    now: () => this.clock.now(),
  });
  /** Null: the key is gone. */
  credential: ApiKeyCredential | null = {
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
  readonly #streams: RawStream[] = [];
  #running: StreamServer | null = null;

  constructor(limits: Partial<typeof usualLimits> = {}) {
    this.#limits = { ...usualLimits, ...limits };
  }

  async start(): Promise<void> {
    this.exchange.addMarket('BTCUSDT');
    const { exchange, clock, listenKeys } = this;
    const limits = this.#limits;
    const now = () => clock.now();
    const recallCredential = (key: string) => (key === apiKey ? this.credential : null);
    const findCredential = async (key: string) => recallCredential(key);
    const noteUse = (): void => {};
    const ports = {
      exchange,
      barrier: { waitFor: async () => {} },
      isSpotTradingEnabled: true,
      newClientOrderId: () => 'generated',
      now: () => now() as TimestampMs,
    } as unknown as BinanceSpotPorts;
    const routes = binanceSpotRoutes({ ports, limits, listenKeys, isListenKeyUnsigned: false });
    this.#running = await startStreamServer({
      exchange,
      clock,
      listenKeys,
      limits: { pingIntervalMs: Number.POSITIVE_INFINITY, silenceMaxMs: Number.POSITIVE_INFINITY },
      orderEntry: {
        endpoints: [],
        spotEndpoints: routes.endpoints,
        apiKeys: { findCredential, recallCredential, noteUse } as unknown as ApiKeyStore,
        limiter: new RequestLimiter(limits, now),
        repeated: new RepeatedOrders(new AnswerMemory(), now),
      },
    });
  }

  async connect(path: string): Promise<RawStream> {
    if (this.#running === null) throw new Error('start first');
    const stream = new RawStream(this.#running.url.replace('/ws', path));
    this.#streams.push(stream);
    await stream.opened;
    return stream;
  }

  /** Parameters with the key and their signature at the fixture's time. */
  sign(params: RawMessage = {}, by = secret): RawMessage {
    const unsigned = { apiKey, timestamp: this.clock.now(), ...params };
    return { ...unsigned, signature: signText(signedText(unsigned) ?? '', by) };
  }

  async stop(): Promise<void> {
    for (const stream of this.#streams) stream.close();
    await this.#running?.stop();
  }
}
