import type { ApiKeyCredential } from '../../src/application/ports/accounts.ts';
import type { ApiKeyPair } from '../../src/client/sign-in.ts';
import type { Address } from '../../src/domain/identifiers.ts';
import { adminFuturesRoutes } from '../../src/gateway/http/admin/futures-routes.ts';
import { downloadRoutes } from '../../src/gateway/http/downloads/routes.ts';
import type { FapiDialect } from '../../src/gateway/http/fapi/dialect/fapi-dialect.ts';
import { fapiRoutes } from '../../src/gateway/http/fapi/routes.ts';
import type { RequestLimits } from '../../src/gateway/http/request-limiter.ts';
import { DerivativesService, derivativePorts } from './derivatives-service.ts';
import { MemoryListenKeys } from './memory-listen-keys.ts';
import { type Reply, SpotService } from './spot-service.ts';

export interface FapiReply {
  readonly status: number;
  readonly body: unknown;
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Fields = Readonly<Record<string, string | number | boolean>>;

/** /fapi with the real engine, database and gateway. */
export class FapiService {
  readonly spot: SpotService;
  /** Places orders at the engine and administers markets. */
  readonly derivatives: DerivativesService;
  /** Moves the clock of the listen keys. */
  listenKeyAgeMs = 0;
  #keyCount = 0;

  private constructor(spot: SpotService) {
    this.spot = spot;
    this.derivatives = new DerivativesService(spot);
  }

  static async open(
    options: {
      readonly isListenKeyUnsigned?: boolean;
      readonly limits?: Partial<RequestLimits>;
      readonly dialect?: FapiDialect;
    } = {},
  ): Promise<FapiService> {
    let service: FapiService | null = null;
    let clientIds = 0;
    let keys = 0;
    const { limits: narrow = {} } = options;
    const spot = await SpotService.start({
      limits: narrow,
      routes: (parts) => {
        const ports = {
          ...derivativePorts(parts),
          indexPriceSource: 'admin' as const,
          newClientOrderId: () => `generated-${++clientIds}`,
        };
        const listenKeys = new MemoryListenKeys({
          makeKey: () => String(++keys).padStart(64, 'k'),
          now: () => Date.now() + (service?.listenKeyAgeMs ?? 0),
        });
        const limits = {
          requestWeightPerMinute: 2_400,
          ordersPerMinute: 1_200,
          ordersPerTenSeconds: 300,
          signInsPerMinute: 60,
          signingsPerMinute: 60,
        };
        const { isListenKeyUnsigned = false } = options;
        return [
          adminFuturesRoutes(ports),
          downloadRoutes(parts.services.downloads),
          fapiRoutes({
            ports,
            limits,
            listenKeys,
            isListenKeyUnsigned,
            downloads: { store: parts.services.downloads, baseUrl: 'https://here.example' },
            dialect: options.dialect ?? null,
          }),
        ];
      },
    });
    service = new FapiService(spot);
    return service;
  }

  close(): Promise<void> {
    return this.spot.close();
  }

  /** A new API key of the address. */
  async addKey(
    address: Address,
    change: Partial<Pick<ApiKeyCredential, 'isEnabled' | 'ipWhitelist' | 'permissions'>> = {},
  ): Promise<ApiKeyPair> {
    this.#keyCount += 1;
    const keys = {
      apiKey: `A${this.#keyCount}`.padEnd(64, 'a'),
      apiSecret: 's'.repeat(64),
    };
    await this.spot.services.apiKeys.create({
      ...keys,
      address,
      label: 'test',
      ipWhitelist: [],
      isEnabled: true,
      permissions: ['read', 'trade'],
      createdAt: new Date(),
      ...change,
    });
    return keys;
  }

  /** A public call. */
  async read(path: string, fields: Fields = {}): Promise<FapiReply> {
    return short(await this.spot.call({ path: `/fapi${path}`, query: textOf(fields) }));
  }

  /** A call signed by the account's API key, its fields in the query. */
  async call(method: Method, path: string, as: Address, fields: Fields = {}): Promise<FapiReply> {
    const query = textOf(fields);
    return short(await this.spot.callSigned({ method, path: `/fapi${path}`, as, query }));
  }

  /** The same, with what is sent back beside status and body. */
  callWhole(method: Method, path: string, as: Address, fields: Fields = {}): Promise<Reply> {
    return this.spot.callSigned({ method, path: `/fapi${path}`, as, query: textOf(fields) });
  }

  /** The body of a call that must be a success. */
  async done<T>(method: Method, path: string, as: Address, fields: Fields = {}): Promise<T> {
    const { status, body } = await this.call(method, path, as, fields);
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body as T;
  }
}

function textOf(fields: Fields): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
}

function short({ status, body }: Reply): FapiReply {
  return { status, body };
}
