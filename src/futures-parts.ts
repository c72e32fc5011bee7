import { randomFillSync } from 'node:crypto';
import type { ChangeUserPorts } from './application/admin/change-user.ts';
import type { FeeInfoPorts } from './application/derivatives/load-fee-info.ts';
import type { FuturesPorts } from './application/futures/futures-trading-ports.ts';
import type { ListenKeyStore } from './application/futures/listen-keys.ts';
import type { Exchange } from './application/ports.ts';
import type { Config } from './config/config.ts';
import type { DatabaseServices } from './database/database-services.ts';
import type { TimestampMs } from './domain/identifiers.ts';
import type { FuturesAdminPorts } from './gateway/http/admin/create-futures-market.ts';
import { adminFuturesRoutes } from './gateway/http/admin/futures-routes.ts';
import { derivativeRoutes } from './gateway/http/derivatives/routes.ts';
import { fapiRoutes } from './gateway/http/fapi/routes.ts';
import type { SurfaceRoutes } from './gateway/http/server.ts';
import type { Logger } from './observability/log.ts';

export interface FuturesPartsOptions {
  readonly config: Config;
  readonly exchange: Exchange;
  readonly services: DatabaseServices;
  readonly log: Logger;
}

export interface FuturesParts {
  readonly routes: readonly SurfaceRoutes[];
  readonly listenKeys: ListenKeyStore;
}

const clientOrderIdBytes = 11;
const idsPerDraw = 256;

/** The general endpoints of derivatives and their administration. */
export function createFuturesParts(options: FuturesPartsOptions): FuturesParts {
  const { config, exchange, services, log } = options;
  const ports: FeeInfoPorts & FuturesAdminPorts & ChangeUserPorts & FuturesPorts = {
    exchange,
    barrier: services.barrier,
    database: services.health,
    futuresHistory: services.futuresHistory,
    vip: services.vip,
    users: services.users,
    audit: services.audit,
    indexPriceSource: config.indexPriceSource,
    log,
    newClientOrderId: makeIdSource(clientOrderIdBytes),
    now: () => Date.now() as TimestampMs,
  };
  const { listenKeys } = services;
  return {
    listenKeys,
    routes: [
      derivativeRoutes(ports),
      adminFuturesRoutes(ports),
      fapiRoutes({
        ports,
        limits: config.limits,
        listenKeys,
        isListenKeyUnsigned: config.isListenKeyUnsigned,
      }),
    ],
  };
}

/** Names of random bytes in hex; many are drawn at once, since a draw costs as much as matching. */
function makeIdSource(bytes: number): () => string {
  const pool = Buffer.alloc(bytes * idsPerDraw);
  let at = pool.length;
  return () => {
    if (at === pool.length) {
      randomFillSync(pool);
      at = 0;
    }
    at += bytes;
    return pool.toString('hex', at - bytes, at);
  };
}
