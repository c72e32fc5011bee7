import type { ExchangeState } from '../application/ports/exchange.ts';
import type { TimedJob } from './timed-job.ts';

export interface WalletJobPorts {
  readonly walletSettler: { run(): Promise<void> };
  readonly exchange: { readonly state: ExchangeState };
  /** From the end of one pass to the start of the next. */
  readonly intervalMs: number;
}

/**
 * Brings balances in line with the chain, pass after pass.
 *
 * A late pass is harmless: the engine credits a deposit's number once and sets aside or pays out a
 * withdrawal once, and a row is only marked if it is unchanged since the pass read it.
 */
export function settleWalletJob(ports: WalletJobPorts): TimedJob {
  const name = 'settle-wallet';
  return {
    name,
    longLease: name,
    intervalMs: ports.intervalMs,
    isReady: () => ports.exchange.state === 'ready',
    run: () => ports.walletSettler.run(),
  };
}
