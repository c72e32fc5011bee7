import { randomUUID } from 'node:crypto';
import type { Exchange } from './application/ports.ts';
import { WalletSettler } from './application/wallet/wallet-settler.ts';
import type { ChainService } from './chain/chain-service.ts';
import type { Config } from './config/config.ts';
import type { DatabaseServices } from './database/database-services.ts';
import { assert } from './domain/assert.ts';
import { type Decimal, parseDecimal } from './domain/decimal.ts';
import type { WalletRoutePorts } from './gateway/http/wallet/routes.ts';
import type { Logger } from './observability/log.ts';

export interface WalletPortsOptions {
  readonly config: Config;
  readonly exchange: Exchange;
  readonly services: DatabaseServices;
  readonly chain: ChainService;
  readonly log: Logger;
}

// Longer than a request waits for the node and the database.
const othersPatienceMs = 60_000;

/** What the wallet's endpoints and its job share: one settler knows what is being made. */
export function createWalletPorts(options: WalletPortsOptions): WalletRoutePorts {
  const { config, exchange, services, chain, log } = options;
  const { walletStore, walletHistory, perpWithdrawals, barrier } = services;
  const { vaultSigner } = chain;
  const others = { patienceMs: othersPatienceMs, monotonicMs: () => performance.now() };
  const settling = {
    ...{ exchange, barrier, walletStore, vaultSigner, log },
    ...(config.natsUrl === null ? {} : { others }),
  };
  return {
    ...settling,
    walletHistory,
    perpWithdrawals,
    walletSettler: new WalletSettler(settling),
    chainId: config.chain.chainId,
    withdrawMinimums: minimumsOf(config),
    newWithdrawalId: randomUUID,
  };
}

function minimumsOf({ program }: Config): ReadonlyMap<string, Decimal> {
  return new Map(
    [...program.withdrawMinimums].map(([token, text]) => {
      const least = parseDecimal(text);
      assert(least !== null, 'the settings let nothing but decimals through');
      return [token, least];
    }),
  );
}
