import { withRetries } from '../client/exchange-client.ts';
import { HttpConnection } from '../client/http-connection.ts';
import type { Trader } from '../client/trader.ts';
import { assert } from '../domain/assert.ts';
import { checkConservation } from './check-conservation.ts';
import { LatencyRecorder } from './latency-recorder.ts';
import { readOrderFlow } from './order-flow.ts';
import { planReplay, type ReplayPlan } from './plan-replay.ts';
import {
  type AdminAccess,
  createReplayMarket,
  fundTraders,
  type ReplayMarket,
  registerTraders,
} from './prepare-market.ts';
import type { ReplayReport } from './report-replay.ts';
import { runReplay } from './run-replay.ts';

export interface ReplayOptions {
  readonly file: string;
  readonly url: string;
  readonly adminKey: string;
  readonly traders: number;
  readonly limit: number;
  readonly concurrency: number;
  /** Recorded seconds per second; null: as fast as the service responds. */
  readonly speed: number | null;
  readonly baseToken: string;
  readonly quoteToken: string;
}

export interface ReplayProgress {
  start(stage: string, total: number): void;
  step(): void;
  stop(): void;
}

/** Sends a recorded order flow through a running service and checks the money. */
export async function replayFlow(
  options: ReplayOptions,
  progress: ReplayProgress,
): Promise<ReplayReport> {
  const messages = await readOrderFlow(options.file, options.limit);
  const plan = planReplay(messages, options.traders);
  const connection = new HttpConnection(options.url, options.concurrency);
  try {
    const admin = { connection, adminKey: options.adminKey };
    const market = await createReplayMarket(admin, options.baseToken, options.quoteToken);
    progress.start('traders', options.traders);
    const traders = await registerTraders(connection, options.traders, () => progress.step());
    progress.stop();
    const funded = await fund(admin, market, traders, plan);
    const sent = await sendOrders({ options, connection, market, traders, plan, progress });
    const { symbol } = market;
    const money = await checkConservation(traders, symbol, funded);
    for (const trader of traders) {
      await withRetries(() =>
        trader.client.call('DELETE /api/v1/spot/orders', { query: { symbol } }),
      );
    }
    const { skipped } = plan;
    return { symbol, traders: traders.length, messages: messages.length, skipped, ...sent, money };
  } finally {
    progress.stop();
    connection.close();
  }
}

function fund(
  admin: AdminAccess,
  market: ReplayMarket,
  traders: readonly Trader[],
  plan: ReplayPlan,
): ReturnType<typeof fundTraders> {
  const funding = traders.map((trader, index) => {
    const needs = plan.needs[index];
    assert(needs !== undefined, 'the plan knows the needs of every trader');
    return { trader, needs };
  });
  return fundTraders(admin, market, funding);
}

async function sendOrders(work: {
  readonly options: ReplayOptions;
  readonly connection: HttpConnection;
  readonly market: ReplayMarket;
  readonly traders: readonly Trader[];
  readonly plan: ReplayPlan;
  readonly progress: ReplayProgress;
}): Promise<Pick<ReplayReport, 'counts' | 'elapsedMs' | 'latency' | 'delayed'>> {
  const { options, connection, market, traders, plan, progress } = work;
  const latency = new LatencyRecorder();
  let delayed = 0;
  connection.observeReply = (status, elapsedMs) => {
    if (status === 429 || status === 503) delayed += 1;
    else latency.add(elapsedMs);
  };
  progress.start('orders', plan.actions.length);
  const startedAt = performance.now();
  const counts = await runReplay({
    symbol: market.symbol,
    traders,
    actions: plan.actions,
    concurrency: options.concurrency,
    speed: options.speed,
    onAction: () => progress.step(),
  });
  const elapsedMs = performance.now() - startedAt;
  progress.stop();
  connection.observeReply = null;
  return { counts, elapsedMs, latency: latency.summarize(), delayed };
}
