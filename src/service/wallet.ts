import { randomUUID } from 'node:crypto';
import { Gauge, type Registry } from 'prom-client';
import type { ReviewPorts } from '../application/admin/withdrawal-reviews.ts';
import type { Exchange } from '../application/ports/exchange.ts';
import type { ReviewBacklog } from '../application/wallet/review-ports.ts';
import { WalletSettler } from '../application/wallet/wallet-settler.ts';
import type { ChainService } from '../chain/chain-service.ts';
import type { Config } from '../config/config.ts';
import type { DatabaseServices } from '../database/database-services.ts';
import type { Amount } from '../domain/amount.ts';
import { assert } from '../domain/assert.ts';
import { type Decimal, parseDecimal } from '../domain/decimal.ts';
import type { Address, TimestampMs } from '../domain/identifiers.ts';
import type { WalletRoutePorts } from '../gateway/http/wallet/routes.ts';
import type { Logger } from '../observability/log.ts';
import type { ReviewLimits } from '../programs/claims/withdrawal-review.ts';

export interface WalletPortsOptions {
  readonly config: Config;
  readonly exchange: Exchange;
  readonly services: DatabaseServices;
  readonly chain: ChainService;
  readonly log: Logger;
}

// Longer than a request waits for the node and the database.
const othersGraceMs = 60_000;
const amountDecimals = 8;

/** What the wallet's endpoints and its job share: a single settler tracks pending withdrawals. */
export function createWalletPorts(options: WalletPortsOptions): WalletRoutePorts {
  const { config, exchange, services, chain, log } = options;
  const { walletStore, walletHistory, perpWithdrawals, walletPauses, reviews, barrier } = services;
  const { vaultSigner } = chain;
  const others = { graceMs: othersGraceMs, monotonicMs: () => performance.now() };
  const settling = {
    exchange,
    barrier,
    walletStore,
    reviews,
    vaultSigner,
    log,
    ...(config.natsUrl === null ? {} : { others }),
  };
  return {
    ...settling,
    walletHistory,
    perpWithdrawals,
    pauses: walletPauses,
    guardian: chain.guardian,
    reviewLimits: reviewLimitsOf(config),
    walletSettler: new WalletSettler(settling),
    chainId: config.chain.chainId,
    withdrawMinimums: minimumsOf(config),
    perpWithdrawMinimum: decimalOf(config.program.perpWithdrawMinimum),
    newWithdrawalId: randomUUID,
  };
}

/** Null if withdrawals are signed without review. */
function reviewLimitsOf({ chain }: Config): ReadonlyMap<string, ReviewLimits> | null {
  if (!chain.areWithdrawalsReviewed) return null;
  const limits = new Map<string, ReviewLimits>();
  for (const { symbol, limit, R } of chain.deployment?.assets ?? []) {
    if (limit === undefined || R === undefined) continue;
    limits.set(symbol, {
      approveFrom: amountOf(R),
      instantMax: amountOf(limit.I),
      windowMax: amountOf(limit.W),
    });
  }
  return limits;
}

/** Digits beyond the engine's precision are cut off, so a limit is never above the manifest's. */
function amountOf(text: string): Amount {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.slice(0, amountDecimals).padEnd(amountDecimals, '0')) as Amount;
}

/** Who approves withdrawals, and the domain and chain of what they sign. */
export function reviewPorts({ chain }: Config, { reviews }: DatabaseServices): ReviewPorts {
  return {
    reviews,
    // The settings' parser allows only addresses.
    approvers: chain.approvers as readonly Address[],
    chainId: chain.chainId,
    vaultDomainName: chain.vaultDomainName,
    now: () => Date.now() as TimestampMs,
  };
}

/** The gauges behind the operators' alarms for withdrawals that wait for approval. */
export function watchReviews(metrics: Registry, { reviews }: DatabaseServices): void {
  const gauge = (name: string, help: string, value: (backlog: ReviewBacklog) => number): void => {
    const shown: Gauge = new Gauge({
      name,
      help,
      registers: [metrics],
      collect: async () => {
        const backlog = await reviews.loadBacklog().catch(() => null);
        if (backlog === null) shown.remove();
        else shown.set(value(backlog));
      },
    });
  };
  gauge('withdrawals_review', 'Withdrawals that wait for approval', ({ count }) => count);
  gauge(
    'withdrawals_review_oldest_seconds',
    'How long the oldest of them has been waiting',
    ({ oldestAt }) => (oldestAt === null ? 0 : (Date.now() - oldestAt.getTime()) / 1_000),
  );
}

function minimumsOf({ program }: Config): ReadonlyMap<string, Decimal> {
  return new Map([...program.withdrawMinimums].map(([token, text]) => [token, decimalOf(text)]));
}

function decimalOf(text: string): Decimal {
  const decimal = parseDecimal(text);
  assert(decimal !== null, 'the settings let nothing but decimals through');
  return decimal;
}
