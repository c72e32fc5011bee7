import { setTimeout as delay } from 'node:timers/promises';
import {
  EngineRestartingError,
  type ExchangeState,
  type OperatorLog,
} from '../application/ports.ts';

export interface WalletJobPorts {
  readonly walletSettler: { run(): Promise<void> };
  readonly exchange: { readonly state: ExchangeState };
  readonly log: OperatorLog;
  /** From the end of one pass to the beginning of the next. */
  readonly intervalMs: number;
}

/**
 * Brings balances after the chain, pass after pass, from when the tables are there. Returns its
 * end, which waits for the pass that is under way.
 */
export function startWalletJob(ports: WalletJobPorts, tables: Promise<void>): () => Promise<void> {
  const stop = new AbortController();
  const running = repeat(ports, tables, stop.signal);
  return async () => {
    stop.abort();
    await running;
  };
}

async function repeat(
  { walletSettler, exchange, log, intervalMs }: WalletJobPorts,
  tables: Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const stopped = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([tables, stopped]);
  let trouble: string | null = null;
  while (!signal.aborted) {
    if (exchange.state === 'ready') {
      const now = await runOnce(walletSettler);
      // Said once, not with every pass.
      if (now !== null && now !== trouble) log.warn({ trouble: now }, 'the wallet waits');
      trouble = now;
    }
    await delay(intervalMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** What the pass stumbled over; the next one goes on where it stopped. */
async function runOnce(settler: WalletJobPorts['walletSettler']): Promise<string | null> {
  try {
    await settler.run();
    return null;
  } catch (error) {
    if (error instanceof EngineRestartingError) return null;
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}
