import type { Registry } from 'prom-client';
import type { Exchange } from '../application/ports/exchange.ts';
import type {
  SolvencyPorts,
  SolvencyReport,
  TokenAmount,
} from '../application/upkeep/check-solvency.ts';
import type { ChainService } from '../chain/chain-service.ts';
import type { Config } from '../config/config.ts';
import type { DatabaseServices } from '../database/database-services.ts';
import { formatAmount } from '../domain/amount.ts';
import { formatMicroUsdt } from '../domain/micro-usdt.ts';
import type { PartState, Readiness } from '../gateway/http/operation/readiness.ts';
import type { Logger } from '../observability/log.ts';
import { type WatchedSolvency, watchSolvency } from '../observability/watch-solvency.ts';

/** What a check of solvency needs. */
export function solvencyPorts(
  config: Config,
  { exchange, services, chain }: SolvencyParts,
): SolvencyPorts {
  return {
    exchange,
    barrier: services.barrier,
    solvencyStore: services.solvencyStore,
    holdings: chain.holdings,
    areCreditsExcused: config.isTestnet || !config.isProduction,
  };
}

interface SolvencyParts {
  readonly exchange: Exchange;
  readonly services: Pick<DatabaseServices, 'barrier' | 'solvencyStore'>;
  readonly chain: Pick<ChainService, 'holdings'>;
}

export interface SolvencyWatch {
  onReport(this: void, report: SolvencyReport): void;
  onPause(this: void, shortages: readonly TokenAmount[]): void;
}

interface SolvencyWatchOptions {
  readonly metrics: Registry;
  readonly readiness: Readiness;
  readonly log: Pick<Logger, 'error' | 'info'>;
  readonly monotonicMs: () => number;
}

// An older report dates from a time when this process still ran the check.
const currentMs = 180_000;

/** Shows operators the result of the last solvency check. */
export function createSolvencyWatch(options: SolvencyWatchOptions): SolvencyWatch {
  const { metrics, readiness, log, monotonicMs } = options;
  let last: { readonly report: SolvencyReport; readonly at: number } | null = null;
  let said = '';
  const current = (): SolvencyReport | null =>
    last === null || monotonicMs() - last.at > currentMs ? null : last.report;
  watchSolvency(metrics, () => numbersOf(current()));
  readiness.add('solvency', () => stateOf(current()));
  return {
    onReport: (report) => {
      last = { report, at: monotonicMs() };
      const shortage = describeShortage(report);
      if (shortage === said) return;
      said = shortage;
      if (shortage !== '') log.error({ shortage }, 'the contracts hold less than what is owed');
      else log.info('the contracts cover what is owed again');
    },
    onPause: (shortages) => {
      const missing = shortages.map(({ token, amount }) => `${formatAmount(amount)} ${token}`);
      log.error({ missing }, 'the vault does not cover what is owed: withdrawals are paused');
    },
  };
}

function stateOf(report: SolvencyReport | null): PartState {
  if (report === null) return { state: 'unknown', isReady: true };
  const detail = describeShortage(report);
  if (detail === '') return { state: 'ready', isReady: true };
  return { state: 'degraded', isReady: true, detail };
}

function describeShortage({ tokens, rewards }: SolvencyReport): string {
  const short = tokens
    .filter(({ isShort }) => isShort)
    .map(({ token, held, owed, unbacked }) => {
      const apart = unbacked === 0n ? '' : `, of which ${formatAmount(unbacked)} are test credits`;
      return `the vault holds ${formatAmount(held)} ${token} and owes ${formatAmount(owed)}${apart}`;
    });
  if (rewards.isShort) {
    const [held, owed] = [formatMicroUsdt(rewards.held), formatMicroUsdt(rewards.owed)];
    short.push(`the reward router holds ${held} USDT and owes ${owed}`);
  }
  return short.join('; ');
}

function numbersOf(report: SolvencyReport | null): WatchedSolvency | null {
  if (report === null) return null;
  const { tokens, rewards } = report;
  return {
    tokens: tokens.map(({ token, held, owed, unbacked, isShort }) => ({
      token,
      isShort,
      held: Number(formatAmount(held)),
      owed: Number(formatAmount(owed)),
      unbacked: Number(formatAmount(unbacked)),
    })),
    rewards: {
      held: Number(formatMicroUsdt(rewards.held)),
      owed: Number(formatMicroUsdt(rewards.owed)),
      isShort: rewards.isShort,
    },
  };
}
