import type { Address } from '../../src/domain/identifiers.ts';
import { binanceSpotRoutes } from '../../src/gateway/http/binance-spot/routes.ts';
import { MemoryListenKeys } from './memory-listen-keys.ts';
import { expectOk, nextUser } from './spot-fixtures.ts';
import { SpotService } from './spot-service.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type SpotFields = Readonly<Record<string, string | number | boolean>>;

export interface SpotReply {
  readonly status: number;
  readonly body: unknown;
}

const spotTestLimits = {
  requestWeightPerMinute: 2_400,
  ordersPerMinute: 1_200,
  ordersPerTenSeconds: 300,
  signInsPerMinute: 60,
  signingsPerMinute: 60,
};

/** /api/v3 with the real engine, database and gateway. */
export class BinanceSpotService {
  readonly spot: SpotService;
  #count = 0;

  private constructor(spot: SpotService) {
    this.spot = spot;
  }

  static async open(
    options: {
      readonly isListenKeyUnsigned?: boolean;
      readonly isSpotTradingEnabled?: boolean;
    } = {},
  ): Promise<BinanceSpotService> {
    let clientIds = 0;
    let keys = 0;
    const { isListenKeyUnsigned = false, isSpotTradingEnabled = true } = options;
    const spot = await SpotService.start({
      isSpotTradingEnabled,
      routes: (parts) => [
        binanceSpotRoutes({
          ports: {
            ...parts,
            isSpotTradingEnabled,
            spotRecords: parts.services.spotRecords,
            newClientOrderId: () => `generated-${++clientIds}`,
          },
          limits: spotTestLimits,
          listenKeys: new MemoryListenKeys({
            makeKey: () => String(++keys).padStart(64, 'k'),
            now: Date.now,
          }),
          isListenKeyUnsigned,
        }),
      ],
    });
    return new BinanceSpotService(spot);
  }

  close(): Promise<void> {
    return this.spot.close();
  }

  /** A market that no test used before: tick 0.01, lot 0.001, minimum 5, fees 10 and 20 bps. */
  async nextMarket(): Promise<string> {
    this.#count += 1;
    const id = `B${this.#count}USDT`;
    const terms = {
      id,
      base_token: `B${this.#count}`,
      quote_token: 'USDT',
      tick_size: '0.01',
      lot_size: '0.001',
      min_notional: '5',
      maker_fee_bps: 10,
      taker_fee_bps: 20,
    };
    const path = '/api/v1/admin/spot/markets';
    await expectOk(this.spot.call({ method: 'POST', path, body: terms, isAdmin: true }));
    return id;
  }

  /** An account with 100,000 USDT and 1,000 of the market's base asset. */
  nextTrader(symbol: string): Promise<Address> {
    const base = symbol.replace('USDT', '');
    return nextUser(this.spot, { USDT: '100000', [base]: '1000' });
  }

  /** A public call. */
  async read(path: string, fields: SpotFields = {}): Promise<SpotReply> {
    const { status, body } = await this.spot.call({
      path: `/api/v3${path}`,
      query: textOf(fields),
    });
    return { status, body };
  }

  /** A call signed by the account's API key, its fields in the query. */
  async call(
    method: Method,
    path: string,
    as: Address,
    fields: SpotFields = {},
  ): Promise<SpotReply> {
    const query = textOf(fields);
    const reply = await this.spot.callSigned({ method, path: `/api/v3${path}`, as, query });
    return { status: reply.status, body: reply.body };
  }

  /** The body of a call that must be a success. */
  async done<T>(method: Method, path: string, as: Address, fields: SpotFields = {}): Promise<T> {
    const { status, body } = await this.call(method, path, as, fields);
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body as T;
  }
}

function textOf(fields: SpotFields): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
}
