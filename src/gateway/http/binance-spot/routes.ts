import type { ListenKeyStore } from '../../../application/futures/listen-keys.ts';
import type { BinanceSpotPorts } from '../../../application/trading/binance-spot-ports.ts';
import { binanceSpotSurface } from '../../errors/binance-spot-errors.ts';
import type { RequestLimits } from '../request-limiter.ts';
import type { SurfaceRoutes } from '../surface-routes.ts';
import { accountEndpoints } from './account.ts';
import { cancelReplaceEndpoint } from './cancel-replace.ts';
import { exchangeInfoEndpoint } from './exchange-info.ts';
import { generalEndpoints } from './general.ts';
import { marketDataEndpoints } from './market-data.ts';
import { orderEndpoints } from './orders.ts';
import { rollingTickerEndpoints } from './rolling-tickers.ts';
import { tickerEndpoints } from './tickers.ts';
import { userDataStreamEndpoints } from './user-data-stream.ts';

export interface BinanceSpotOptions {
  readonly ports: BinanceSpotPorts;
  readonly limits: RequestLimits;
  readonly listenKeys: ListenKeyStore;
  /** Accepts listen-key requests with only the API key's header. */
  readonly isListenKeyUnsigned: boolean;
}

/** Spot in Binance's interface, on the same books and accounts as /api/v1/spot. */
export function binanceSpotRoutes({
  ports,
  limits,
  listenKeys,
  isListenKeyUnsigned,
}: BinanceSpotOptions): SurfaceRoutes {
  const endpoints = [
    ...generalEndpoints(ports),
    exchangeInfoEndpoint(ports, limits),
    ...marketDataEndpoints(ports),
    ...tickerEndpoints(ports),
    ...rollingTickerEndpoints(ports),
    ...orderEndpoints(ports),
    cancelReplaceEndpoint(ports),
    ...accountEndpoints(ports),
    ...userDataStreamEndpoints(listenKeys, isListenKeyUnsigned),
  ];
  return { surface: binanceSpotSurface, endpoints };
}
