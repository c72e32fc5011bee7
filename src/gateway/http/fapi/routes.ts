import type { FuturesPorts } from '../../../application/futures/futures-ports.ts';
import type { ListenKeyStore } from '../../../application/futures/listen-keys.ts';
import { done } from '../../../domain/outcome.ts';
import { exchangeSurface } from '../../errors/exchange-errors.ts';
import type { Endpoint } from '../endpoint.ts';
import type { RequestLimits } from '../request-limiter.ts';
import type { SurfaceRoutes } from '../surface-routes.ts';
import { accountEndpoints } from './account-endpoints.ts';
import { accountHistory } from './account-history.ts';
import { accountSettings } from './account-settings.ts';
import { algoEndpoints } from './algo-endpoints.ts';
import { batchEndpoints } from './batch-endpoints.ts';
import type { FapiDialect, FapiPorts } from './dialect/fapi-dialect.ts';
import { type DownloadOptions, downloadEndpoints } from './download-endpoints.ts';
import { futuresDataEndpoints } from './futures-data.ts';
import { exchangeInfoEndpoint } from './get-exchange-info.ts';
import { serverTimeEndpoints } from './get-server-time.ts';
import { indexEndpoints } from './index-endpoints.ts';
import { insuranceEndpoints } from './insurance-endpoints.ts';
import { klinesEndpoints } from './klines.ts';
import { listenKeyEndpoints } from './listen-key-endpoints.ts';
import { depthEndpoint, openInterestEndpoint, tradeEndpoints } from './market-data.ts';
import { fundingEndpoints, tickerEndpoints } from './market-prices.ts';
import { orderEndpoints } from './order-endpoints.ts';
import { priceKlinesEndpoints } from './price-klines.ts';

export interface FapiOptions {
  readonly ports: FuturesPorts;
  readonly limits: RequestLimits;
  readonly listenKeys: ListenKeyStore;
  /** Absent: history files are not offered. */
  readonly downloads?: DownloadOptions | null;
  /** Accepts listenKey requests with only the key's header. */
  readonly isListenKeyUnsigned: boolean;
  /** Absent: the interface's own form. */
  readonly dialect?: FapiDialect | null;
}

/** Derivatives in the interface of Binance's USD-M futures. */
export function fapiRoutes({
  ports: plainPorts,
  limits,
  listenKeys,
  isListenKeyUnsigned,
  dialect = null,
  downloads = null,
}: FapiOptions): SurfaceRoutes {
  const ports: FapiPorts = { ...plainPorts, dialect };
  const endpoints = [
    ...serverTimeEndpoints(ports),
    exchangeInfoEndpoint(ports, limits),
    depthEndpoint(ports),
    ...tradeEndpoints(ports),
    ...klinesEndpoints(ports),
    ...priceKlinesEndpoints(ports),
    ...futuresDataEndpoints(ports),
    ...indexEndpoints(ports),
    openInterestEndpoint(ports),
    ...insuranceEndpoints(ports),
    ...fundingEndpoints(ports),
    ...tickerEndpoints(ports),
    ...orderEndpoints(ports),
    ...batchEndpoints(ports),
    ...algoEndpoints(ports),
    ...accountEndpoints(ports),
    ...accountSettings(ports, limits),
    ...accountHistory(ports),
    ...(downloads === null ? [] : downloadEndpoints(ports, downloads)),
    ...listenKeyEndpoints(listenKeys, isListenKeyUnsigned || dialect?.isListenKeyUnsigned === true),
  ];
  if (dialect === null) return { surface: exchangeSurface, endpoints };
  return {
    surface: dialect.surface,
    endpoints: endpoints.map((endpoint) => inDialect(dialect, endpoint)),
  };
}

function inDialect({ orderRows, rows }: FapiDialect, endpoint: Endpoint): Endpoint {
  const { method, path, handle } = endpoint;
  if (['POST', 'PUT'].includes(method)) {
    return { ...endpoint, namedRows: [...(endpoint.namedRows ?? []), ...orderRows] };
  }
  const toRow = rows.get(`${method} ${path}`);
  if (toRow === undefined) return endpoint;
  return {
    ...endpoint,
    handle: async (request) => {
      const answer = await handle(request);
      return answer.kind === 'done' ? done((answer.value as readonly object[]).map(toRow)) : answer;
    },
  };
}
