import type { Registry } from 'prom-client';
import type { ChangeUserPorts } from '../application/admin/change-user.ts';
import type { FuturesPorts } from '../application/futures/futures-ports.ts';
import type { ListenKeyStore } from '../application/futures/listen-keys.ts';
import type { FeeInfoPorts } from '../application/futures/load-fee-info.ts';
import { measureRisk } from '../application/futures/measure-risk.ts';
import type { Exchange } from '../application/ports/exchange.ts';
import { type Config, publicUrl } from '../config/config.ts';
import type { DatabaseServices } from '../database/database-services.ts';
import type { TimestampMs } from '../domain/identifiers.ts';
import type { FuturesAdminPorts } from '../gateway/http/admin/create-futures-market.ts';
import { adminFuturesRoutes } from '../gateway/http/admin/futures-routes.ts';
import { derivativeRoutes } from '../gateway/http/derivatives/routes.ts';
import { downloadRoutes } from '../gateway/http/downloads/routes.ts';
import { binanceDialect } from '../gateway/http/fapi/dialect/binance-dialect.ts';
import { fapiRoutes } from '../gateway/http/fapi/routes.ts';
import type { SurfaceRoutes } from '../gateway/http/surface-routes.ts';
import type { Logger } from '../observability/log.ts';
import { watchFutures } from '../observability/watch-futures.ts';
import { makeClientOrderIdSource } from './client-order-id-source.ts';

export interface FuturesServicesOptions {
  readonly config: Config;
  readonly exchange: Exchange;
  readonly services: DatabaseServices;
  readonly log: Logger;
  readonly metrics: Registry;
}

export interface FuturesServices {
  readonly routes: readonly SurfaceRoutes[];
  readonly listenKeys: ListenKeyStore;
}

/** The general endpoints of derivatives and their administration. */
export function createFuturesServices(options: FuturesServicesOptions): FuturesServices {
  const { config, exchange, services, log, metrics } = options;
  watchFutures(metrics, () =>
    exchange.state === 'ready'
      ? exchange.peek(({ futures }) => measureRisk(futures, Date.now()))
      : null,
  );
  const ports: FeeInfoPorts & FuturesAdminPorts & ChangeUserPorts & FuturesPorts = {
    exchange,
    barrier: services.barrier,
    database: services.health,
    futuresHistory: services.futuresHistory,
    marketStatistics: services.marketStatistics,
    vip: services.vip,
    users: services.users,
    audit: services.audit,
    indexPriceSource: config.indexPriceSource,
    log,
    newClientOrderId: makeClientOrderIdSource(Date.now),
    now: () => Date.now() as TimestampMs,
  };
  const { listenKeys, downloads } = services;
  return {
    listenKeys,
    routes: [
      derivativeRoutes(ports),
      downloadRoutes(downloads),
      adminFuturesRoutes(ports),
      fapiRoutes({
        ports,
        limits: config.limits,
        listenKeys,
        downloads: { store: downloads, baseUrl: publicUrl(config) },
        isListenKeyUnsigned: config.isListenKeyUnsigned,
        dialect: config.fapiDialect === 'binance' ? binanceDialect : null,
      }),
    ],
  };
}
