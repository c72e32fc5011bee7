import type { Registry } from 'prom-client';
import type { Exchange } from '../application/ports/exchange.ts';
import type { Sequence } from '../domain/identifiers.ts';
import type { Logger } from '../observability/log.ts';
import { watchNumbers } from '../observability/metrics.ts';

/** The result of the full audit of a snapshot. */
export interface AuditReport {
  readonly sequence: Sequence;
  readonly broken: readonly string[];
}

interface AuditOptions {
  readonly metrics: Registry;
  readonly exchange: Pick<Exchange, 'submit'>;
  readonly log: Pick<Logger, 'error'>;
}

/**
 * Handles audit reports: a state that breaks a rule holds back withdrawals from all perp wallets
 * until a person releases them.
 */
export function followAudits({
  metrics,
  exchange,
  log,
}: AuditOptions): (report: AuditReport) => Promise<void> {
  let brokenRules = 0;
  watchNumbers(metrics, [
    {
      name: 'engine_broken_rules',
      help: 'Rules that the last audited snapshot breaks',
      read: () => brokenRules,
    },
  ]);
  return async ({ sequence, broken }) => {
    brokenRules = broken.length;
    if (broken.length === 0) return;
    log.error({ sequence, broken }, 'the audit of a snapshot found broken rules');
    const reason = `audit of command ${sequence}: ${broken[0]}`.slice(0, reasonLengthMax);
    try {
      await exchange.submit({ type: 'holdWithdrawals', isHeld: true, reason });
    } catch (error) {
      log.error({ err: error, sequence }, 'withdrawals could not be held back');
    }
  };
}

interface CommandOptions {
  readonly metrics: Registry;
  readonly exchange: Pick<Exchange, 'subscribe'>;
  readonly log: Pick<Logger, 'error'>;
}

/** Counts and logs the commands that broke a rule; the engine itself has held withdrawals back. */
export function watchBrokenRules({ metrics, exchange, log }: CommandOptions): void {
  let count = 0;
  watchNumbers(metrics, [
    {
      name: 'engine_broken_commands',
      help: 'Commands that broke a rule of the engine, since the start',
      read: () => count,
    },
  ]);
  exchange.subscribe((batch) => {
    for (const { sequence, events } of batch) {
      const last = events.at(-1);
      if (last?.type !== 'rulesBroken') continue;
      count += 1;
      log.error({ sequence, broken: last.rules }, 'a command broke rules of the engine');
    }
  });
}

/** The same limit as for an administrator's reason. */
const reasonLengthMax = 500;
